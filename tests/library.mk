# The library and the Python module, as their users have them.
LIBRARY_TESTS = tests/library/test_library
LIBRARY_EXAMPLES = docs/examples/box docs/examples/options docs/examples/observer docs/examples/method
EXTRA_DIST += tests/library/test_rill.py
check_PROGRAMS += $(LIBRARY_EXAMPLES)
dist_check_SCRIPTS += tests/library/test_examples.sh
TESTS += tests/library/test_examples.sh
dist_check_SCRIPTS += tests/library/test_python.sh
TESTS += tests/library/test_python.sh
if HAVE_CHECK
check_PROGRAMS += $(LIBRARY_TESTS)
TESTS += $(LIBRARY_TESTS)
endif
# By the public header and the library alone.
tests_library_test_library_SOURCES = tests/library/test_library.c
tests_library_test_library_CPPFLAGS = -I$(top_srcdir)/src -I$(top_srcdir)/tests -DRILL_SOURCE_DIR='"$(abs_top_srcdir)"'
tests_library_test_library_CFLAGS = $(TEST_CFLAGS)
tests_library_test_library_LDADD = librill.so $(CHECK_LIBS)
tests_library_test_library_LDFLAGS = -Wl,-rpath,'$(abs_top_builddir)'
docs_examples_box_SOURCES = docs/examples/box.c
docs_examples_box_CPPFLAGS = -I$(top_srcdir)/src
docs_examples_box_LDADD = librill.so
docs_examples_box_LDFLAGS = -Wl,-rpath,'$(abs_top_builddir)'
docs_examples_options_SOURCES = docs/examples/options.c
docs_examples_options_CPPFLAGS = -I$(top_srcdir)/src
docs_examples_options_LDADD = librill.so
docs_examples_options_LDFLAGS = -Wl,-rpath,'$(abs_top_builddir)'
docs_examples_observer_SOURCES = docs/examples/observer.c
docs_examples_observer_CPPFLAGS = -I$(top_srcdir)/src
docs_examples_observer_LDADD = librill.so
docs_examples_observer_LDFLAGS = -Wl,-rpath,'$(abs_top_builddir)'
docs_examples_method_SOURCES = docs/examples/method.c
docs_examples_method_CPPFLAGS = -I$(top_srcdir)/src
docs_examples_method_LDADD = librill.so
docs_examples_method_LDFLAGS = -Wl,-rpath,'$(abs_top_builddir)'
