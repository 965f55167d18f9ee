#!/bin/sh
# A sample of the faults that test_faults.c injects.
exec tests/faults/test_faults tests/faults/faulty
