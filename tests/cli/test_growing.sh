#!/usr/bin/env bash
# Files that are read while a run writes them: lengths, indices and the end of the file change between two looks, and still
# every frame that was there is read.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
sed 's/^steps.*/steps = 100000000/' "$inputs/papers/tao-owhadi-figure-1-zs.ini" >small.ini
sed 's/^time.*/steps = 100000000/; s/^interval.*/interval = 5 steps/; s/^series = .*/series_interval = 1000 steps/' base.ini >water.ini
"$RILL" run small.ini -q -o out --threads 1 >.out 2>&1 &
"$RILL" run water.ini -q -o out --threads 1 >.out 2>&1 &
for _ in $(seq 500); do
  [ -s out/base.h5md ] && [ -s out/tao-owhadi-figure-1-zs.h5 ] && break
  sleep 0.02
done
for round in $(seq 15); do
  for file in out/base.h5md out/tao-owhadi-figure-1-zs.h5; do
    succeeds info $file
    ! grep -q 'damaged' .stdout || fail "round $round, $file: $(grep damaged .stdout)"
  done
done
kill -KILL %1 %2
wait 2>/dev/null
finish
