# The manual pages are written by the program itself, from its own tables; a cross-built program cannot run here.
if !CROSS_COMPILING
man_MANS = rill.1 rill-combinations.7
if WITH_MPI
man_MANS += rill-mpi.1
endif
endif
rill.1: rill$(EXEEXT)
	$(AM_V_GEN)./rill$(EXEEXT) --manual >$@-t && mv -f $@-t $@
rill-mpi.1: rill$(EXEEXT)
	$(AM_V_GEN)./rill$(EXEEXT) --manual rill-mpi >$@-t && mv -f $@-t $@
rill-combinations.7: rill$(EXEEXT)
	$(AM_V_GEN)./rill$(EXEEXT) --manual rill-combinations >$@-t && mv -f $@-t $@
CLEANFILES += rill.1 rill.1-t rill-mpi.1 rill-mpi.1-t rill-combinations.7 rill-combinations.7-t

EXTRA_DIST += ARCHITECTURE.md docs/theory.md docs/images/water7-summary.png

dist_check_SCRIPTS += tests/cli/test_manual.sh
TESTS += tests/cli/test_manual.sh
EXTRA_DIST += docs/tutorial.md docs/recipes.md docs/running.md docs/files.md docs/small-systems.md docs/install.md \
  docs/glossary.md docs/ensembles.md docs/library.md docs/python.md docs/batch.md docs/parallel.md docs/cluster.md docs/papers.md docs/error-bars.md docs/reliability.md \
  docs/images/papers docs/choosing-an-integrator.md docs/liquid.md docs/images/liquid-g.png docs/images/liquid-properties.png \
  docs/images/compare-water7.png docs/images/compare-stability.png docs/images/caloric8.png docs/images/step-control.png

dist_check_SCRIPTS += tests/docs/test_documents.sh
TESTS += tests/docs/test_documents.sh
EXTRA_DIST += tests/docs/documents.py tests/docs/phrases.py docs/phrases.txt
