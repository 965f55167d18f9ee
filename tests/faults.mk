# Fault injection: rill once more, its calls for memory, of the file system and of HDF5 wrapped, and the libraries' calls
# for memory; and the test that lets each of them fail, alone and with all later ones.  `make check` tries a sample, `make check-faults` all, with FAULTS='"run small"' those of one command.
check_PROGRAMS += tests/faults/faulty tests/faults/test_faults
tests_faults_faulty_SOURCES = $(rill_SOURCES) tests/faults/shim.c
tests_faults_faulty_LDADD = librill_show.a $(RILL_LINK)
tests_faults_faulty_LDFLAGS = \
  -Wl,--wrap=aligned_alloc -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=strdup \
  -Wl,--wrap=open_memstream -Wl,--wrap=newlocale -Wl,--wrap=fopen -Wl,--wrap=fdopen -Wl,--wrap=read \
  -Wl,--wrap=pread -Wl,--wrap=fsync -Wl,--wrap=rename -Wl,--wrap=ftruncate -Wl,--wrap=fallocate \
  -Wl,--wrap=flock -Wl,--wrap=mkdir -Wl,--wrap=fstat -Wl,--wrap=stat -Wl,--wrap=H5Fcreate -Wl,--wrap=H5Fopen \
  -Wl,--wrap=H5Fflush -Wl,--wrap=H5Fget_filesize -Wl,--wrap=H5FDregister -Wl,--wrap=H5Gcreate2 \
  -Wl,--wrap=H5Gopen2 -Wl,--wrap=H5Dcreate2 -Wl,--wrap=H5Dopen2 -Wl,--wrap=H5Dwrite -Wl,--wrap=H5Dread \
  -Wl,--wrap=H5Dset_extent -Wl,--wrap=H5Dget_space -Wl,--wrap=H5Dget_type -Wl,--wrap=H5Dget_create_plist \
  -Wl,--wrap=H5Acreate_by_name -Wl,--wrap=H5Awrite -Wl,--wrap=H5Aopen_by_name -Wl,--wrap=H5Aread \
  -Wl,--wrap=H5Aget_type -Wl,--wrap=H5Aget_space -Wl,--wrap=H5Aexists_by_name -Wl,--wrap=H5Lexists \
  -Wl,--wrap=H5Lcreate_hard -Wl,--wrap=H5Oopen -Wl,--wrap=H5Oexists_by_name -Wl,--wrap=H5Rcreate \
  -Wl,--wrap=H5Screate -Wl,--wrap=H5Screate_simple -Wl,--wrap=H5Sselect_hyperslab -Wl,--wrap=H5Tcopy \
  -Wl,--wrap=H5Tset_size -Wl,--wrap=H5Pcreate -Wl,--wrap=H5Pset_driver -Wl,--wrap=H5Pset_chunk \
  -Wl,--wrap=H5Pset_alignment -Wl,--wrap=H5Pset_libver_bounds -Wl,--wrap=asprintf -Wl,--wrap=open \
  -Wl,--wrap=write -Wl,--wrap=pwrite -Wl,--wrap=close -Wl,--wrap=fclose -Wl,--wrap=fflush -Wl,--wrap=H5Fclose
tests_faults_test_faults_SOURCES = tests/faults/test_faults.c
tests_faults_test_faults_CPPFLAGS = $(TEST_CPPFLAGS)
tests_faults_test_faults_LDADD = $(RILL_LINK)
dist_check_SCRIPTS += tests/faults/test_faults.sh
TESTS += tests/faults/test_faults.sh

check_PROGRAMS += tests/faults/crashing.so
tests_faults_crashing_so_SOURCES = tests/faults/crashing.c
tests_faults_crashing_so_LDFLAGS = -shared
FAULTS =
check-faults: tests/faults/faulty tests/faults/test_faults
	tests/faults/test_faults tests/faults/faulty all $(FAULTS)
.PHONY: check-faults

# The main job and what surrounds it under valgrind.
EXTRA_DIST += tests/valgrind
check-valgrind: rill
	$(srcdir)/tests/valgrind ./rill
.PHONY: check-valgrind
