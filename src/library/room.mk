librill_api_a_SOURCES += \
  src/library/energy.c \
  src/library/files.c \
  src/library/handle.h \
  src/library/lists.c \
  src/library/methods.c \
  src/library/observe.c \
  src/library/open.c \
  src/library/run.c \
  src/library/state.c

# The libraries that are installed: of all archives, which are position-independent.  The number of the shared one is raised
# when a program that was built with an older one could not run with it.
LIBRARY_NUMBER = 0
LIBRARY_ARCHIVES = librill_api.a $(RILL_ARCHIVES)
SHARED_LIBRARY = librill.so.$(LIBRARY_NUMBER)
librill.a: $(LIBRARY_ARCHIVES)
	$(AM_V_AR)rm -f $@; { echo 'create $@'; for archive in $(LIBRARY_ARCHIVES); do echo "addlib $$archive"; done; \
	  echo save; echo end; } | $(AR) -M
$(SHARED_LIBRARY): $(LIBRARY_ARCHIVES)
	$(AM_V_CCLD)$(CC) $(CFLAGS) $(RILL_SANITIZE) $(OPENMP_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$@ -o $@ \
	  -Wl,--whole-archive $(LIBRARY_ARCHIVES) -Wl,--no-whole-archive $(RILL_EXTERNAL) $(LIBS)
librill.so: $(SHARED_LIBRARY)
	$(AM_V_at)ln -sf $(SHARED_LIBRARY) $@
all-local: librill.a librill.so
install-exec-local: librill.a librill.so
	$(MKDIR_P) '$(DESTDIR)$(libdir)'
	$(INSTALL_DATA) librill.a $(SHARED_LIBRARY) '$(DESTDIR)$(libdir)'
	ln -sf $(SHARED_LIBRARY) '$(DESTDIR)$(libdir)/librill.so'
uninstall-local:
	cd '$(DESTDIR)$(libdir)' && rm -f librill.a librill.so $(SHARED_LIBRARY)
CLEANFILES += librill.a librill.so $(SHARED_LIBRARY)

# What is installed: the headers of src/rill, and what pkg-config has to know.
rillincludedir = $(includedir)/rill
rillinclude_HEADERS = src/rill/rill.h src/rill/status.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = rill.pc

# A user's program, with what pkg-config says of the installed library.
installcheck-local:
	$(CC) $(srcdir)/docs/examples/box.c $$(PKG_CONFIG_PATH='$(pkgconfigdir)' $(PKG_CONFIG) --cflags --libs rill) \
	  -Wl,-rpath,'$(libdir)' -o installed-box
	./installed-box $(srcdir)/inputs/water7.ini | grep -q '^potential '
	rm -f installed-box
