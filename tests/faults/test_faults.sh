#!/bin/sh
# A sample of the faults that test_faults.c injects.
case ${CK_EXCLUDE_TAGS-} in
  *long*) amount=few ;;
  *) amount=sample ;;
esac
exec tests/faults/test_faults tests/faults/faulty $amount
