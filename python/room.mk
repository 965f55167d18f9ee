# The Python module: in the build folder, PYTHONPATH=build/python, and installed where Debian's Python looks.
PYTHON_MODULE = python/rill/__init__.py python/rill/_c.py
EXTRA_DIST += $(PYTHON_MODULE)
BUILT_MODULE = python/rill/.built
if HAVE_PYTHON
pythonmoduledir = $(pythondir)/rill
pythonmodule_DATA = $(PYTHON_MODULE)
noinst_DATA = $(BUILT_MODULE)
endif
CLEANFILES += python/rill/_path.py $(BUILT_MODULE)

# Where the library is: beside the build's module, or where it is installed.
# By their place in the sources, as the copies would be found first.
$(BUILT_MODULE): $(srcdir)/python/rill/__init__.py $(srcdir)/python/rill/_c.py librill.so
	@$(MKDIR_P) python/rill
	@if test '$(srcdir)' != .; then cp -f $(srcdir)/python/rill/__init__.py $(srcdir)/python/rill/_c.py python/rill/; fi
	@printf 'LIBRARIES = ["%s/$(SHARED_LIBRARY)"]\n' '$(abs_top_builddir)' >python/rill/_path.py
	@touch $@
install-data-hook:
if HAVE_PYTHON
	printf 'LIBRARIES = ["%s/$(SHARED_LIBRARY)"]\n' '$(libdir)' >'$(DESTDIR)$(pythonmoduledir)/_path.py'
endif
uninstall-hook:
	rm -f '$(DESTDIR)$(pythonmoduledir)/_path.py'
	-rm -rf '$(DESTDIR)$(pythonmoduledir)/__pycache__'
clean-local: clean-python
clean-python:
	-rm -rf python/rill/__pycache__
	@if test '$(srcdir)' != .; then rm -f $(PYTHON_MODULE); fi
.PHONY: clean-python
