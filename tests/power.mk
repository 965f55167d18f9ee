# Power cuts: rill once more, its calls of the file system recorded, and what replays them as a disk may have seen them.
# `make check` tries some, `make check-power-cuts CUTS=1000 SEED=7` this many.
check_PROGRAMS += tests/power/recorder
tests_power_recorder_SOURCES = $(rill_SOURCES) tests/power/record.c
tests_power_recorder_LDADD = librill_show.a $(RILL_LINK)
tests_power_recorder_LDFLAGS = \
  -Wl,--wrap=open -Wl,--wrap=write -Wl,--wrap=pwrite -Wl,--wrap=ftruncate -Wl,--wrap=fsync -Wl,--wrap=link \
  -Wl,--wrap=rename -Wl,--wrap=unlink -Wl,--wrap=mkdir -Wl,--wrap=fclose
dist_check_SCRIPTS += tests/power/test_power_cuts.sh
EXTRA_DIST += tests/power/cuts.py
TESTS += tests/power/test_power_cuts.sh
CUTS = 1000
SEED = 1
check-power-cuts: rill tests/power/recorder
	@$(AM_TESTS_ENVIRONMENT) \
	$(srcdir)/tests/power/test_power_cuts.sh --cuts $(CUTS) --seed $(SEED)
.PHONY: check-power-cuts
