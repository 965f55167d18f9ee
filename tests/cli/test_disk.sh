#!/usr/bin/env bash
# Disks that fill, limits on file sizes, folders that go away or may not be written, streams that nobody reads: one clear
# message, the exit status of a failure, and in every file what was right before.  Cases F01, F13, I01.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

frames_of() { "$RILL" info "$1" 2>.info-error | sed -n 's/^  frames  *//p'; }
cat >small.ini <<'DECK'
[system]
kind = double-pendulum
[integrator]
method = rattle
step = 0.01
time = 200
[output]
trajectory = small.h5
series = small.csv
interval = 1 steps
DECK
cp "$data/structures/p216.xyz" .
sed 's/^time.*/time = 4 ps/; s/^interval.*/interval = 2 fs/' base.ini >water.ini
cat >box.ini <<'DECK'
[system]
structure = p216.xyz
boundary = periodic
[start]
temperature = 300 K
[integrator]
method = rattle
step = 2 fs
steps = 40
[output]
trajectory = base.h5md
interval = 2 fs
series = base.csv
DECK
for deck in water small box; do
  succeeds run $deck.ini -q -o whole-$deck
done

# same_start FILE WHOLE: a table holds whole lines, the first ones of the other.
same_start() {
  local size
  [ -e "$1" ] || return
  size=$(stat -c %s "$1")
  cmp -s -n "$size" "$1" "$2" || fail "$1 is no beginning of $2"
  [ "$size" -eq 0 ] || [ -z "$(tail -c 1 "$1")" ] || fail "$1 ends inside a line"
}
# sound FOLDER DECK: everything that a run which was stopped by the disk has left is right.
sound() {
  local count frame
  same_start "$1/base.csv" "whole-$2/base.csv"
  same_start "$1/small.csv" "whole-$2/small.csv"
  ! compgen -G "$1/*.part" >/dev/null || fail "$1: a temporary file is left"
  if [ -e "$1/small.h5" ]; then "$RILL" info "$1/small.h5" >/dev/null || fail "$1/small.h5 is not readable"; fi
  [ -e "$1/base.h5md" ] || return
  count=$(frames_of "$1/base.h5md")
  [ -n "$count" ] || { fail "$1/base.h5md is not readable: $(cat .info-error)"; return; }
  for frame in 0 $((count / 2)) $((count - 1)); do
    [ "$count" -gt 0 ] || break
    "$RILL" convert "$1/base.h5md" ours.xyz -f --frame $frame >/dev/null &&
      "$RILL" convert "whole-$2/base.h5md" theirs.xyz -f --frame $frame >/dev/null && same_files ours.xyz theirs.xyz
  done
  kept=$((kept + count))
}
# stopped FOLDER: the last run has ended with one message, of the right kind.
stopped() {
  [ "$status" -eq 1 ] || [ "$status" -eq 2 ] || fail "$1: exit status $status: $(cat .stderr)"
  [ "$(grep -c '^rill: error: ' .stderr)" -eq 1 ] || fail "$1: not one message: $(head -c 600 .stderr)"
}

# ---- a limit on file sizes, at every height (I01) ----
kept=0 tried=0
for deck in water small box; do
  for limit in 1 4 20 50 64 90 128 200 300; do # blocks of 1 kB
    (ulimit -f $limit; exec "$RILL" run $deck.ini -q -o limited) >.stdout 2>.stderr </dev/null
    status=$?
    tried=$((tried + 1))
    if [ $status -ne 0 ]; then
      stopped "limit of $limit kB, $deck"
      grep -q 'File too large\|limit on file sizes' .stderr || fail "limit of $limit kB, $deck: $(head -c 600 .stderr)"
    fi
    sound limited $deck
    rm -rf limited
  done
done
[ $kept -gt 100 ] || fail "limits: $kept frames in all"
# 1 kB, not none: LLVM's OpenMP runtime wants a file of its own.
for output in 'build water 7 -q -o' "minimize $data/structures/c007_min.gro -q -o" "convert $data/structures/c020_a.gro"; do
  # shellcheck disable=SC2086
  (ulimit -f 1; exec "$RILL" $output new.pdb) 2>&1 >/dev/null </dev/null | cat >.stderr
  status=${PIPESTATUS[0]}
  stopped "no file, $output"
  [ ! -e new.pdb ] || fail "no file, $output: something is there"
  ! compgen -G 'new.pdb*' >/dev/null || fail "no file, $output: a part is left"
done
echo "limits on file sizes: $tried runs, $kept frames kept"

# ---- a full disk, where one can be mounted ----
mkdir disk
if mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
  trap 'umount -l "$scratch/disk"; rm -rf "$scratch"' EXIT
  kept=0 tried=0
  for deck in water small box; do
    for size in 4k 40k 100k 150k 200k 300k 400k; do
      mount -o remount,size=$size disk || fail 'remount'
      run_rill run $deck.ini -q -o disk/out
      tried=$((tried + 1))
      if [ $status -ne 0 ]; then
        stopped "disk of $size, $deck"
        grep -q 'No space left' .stderr || fail "disk of $size, $deck: $(head -c 600 .stderr)"
      fi
      cp -r disk/out full 2>/dev/null && sound full $deck
      rm -rf disk/out full
    done
  done
  [ $kept -gt 50 ] || fail "full disk: $kept frames in all"
  # A file that stood there stays as it was when its successor does not fit.
  mount -o remount,size=64k disk
  "$RILL" convert "$data/structures/c001.gro" disk/kept.gro >/dev/null || fail 'kept.gro'
  cp disk/kept.gro kept.gro
  head -c 58000 /dev/zero >disk/ballast
  head -c 100000 /dev/zero >>disk/ballast 2>/dev/null
  run_rill convert "$data/structures/c020_a.gro" disk/kept.gro -f
  stopped 'convert onto a full disk'
  same_files kept.gro disk/kept.gro
  umount disk
  trap 'rm -rf "$scratch"' EXIT
  echo "full disk: $tried runs, $kept frames kept"
else
  echo 'full disk: not tried, for nothing can be mounted here'
fi

# ---- folders that go away or may not be written any more ----
sed 's/^time.*/steps = 1000000000000/; s/^interval.*/interval = 200 steps/' base.ini >long.ini
started() { # started FOLDER PREFIX...
  local folder=$1
  shift
  "$@" "$RILL" run long.ini -q -o "$folder" >.stdout 2>.stderr </dev/null &
  process=$!
  for _ in $(seq 400); do
    [ "$(stat -c %s "$folder/base.csv" 2>/dev/null || echo 0)" -gt 4000 ] && return
    sleep 0.02
  done
  fail "$folder: nothing is written: $(cat .stderr)"
}
started gone
rm -rf gone
kill -TERM $process
wait $process
status=$?
[ $status -eq 1 ] || fail "a folder that was removed: exit status $status, expected 1"
says stderr 'gone/long-final.gro: cannot be created: No such file or directory'

if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --clear-groups test -x "$RILL" 2>/dev/null; then
  chmod 755 "$scratch"
  mkdir ours
  chown 65534 ours
  started ours setpriv --reuid=65534 --clear-groups
  chown 0 ours
  kill -TERM $process
  wait $process
  status=$?
  [ $status -eq 1 ] || fail "a folder that may not be written any more: exit status $status, expected 1"
  says stderr 'ours/long-final.gro: cannot be created: Permission denied'
  [ "$(frames_of ours/base.h5md)" -gt 0 ] || fail 'a folder that may not be written any more: frames are lost'
  setpriv --reuid=65534 --clear-groups "$RILL" run base.ini -q -o ours/new >.stdout 2>.stderr </dev/null
  status=$?
  [ $status -eq 2 ] || fail "a folder that may not be written: exit status $status, expected 2"
  says stderr 'Permission denied'
else
  echo 'folder without permission: not tried'
fi
refuses 'Not a directory' run base.ini -o water7.gro/out

# ---- standard output that is full, and one that nobody reads ----
"$RILL" run base.ini -q -o told >/dev/null
printing=("list systems" "list units --json" "info told/base.h5md" "info told/base-final.gro" "check base.ini" "energy water7.gro"
  "energy water7.gro --json" "rdf told/base.h5md" "compare small.ini --methods rattle --set integrator.time=1" "--help" "--manual" "--version"
  "run --help" "reproduce")
for arguments in "${printing[@]}"; do
  # shellcheck disable=SC2086
  "$RILL" $arguments >/dev/full 2>.stderr </dev/null
  status=$?
  [ $status -eq 1 ] || fail "rill $arguments >/dev/full: exit status $status, expected 1"
  [ "$(cat .stderr)" = 'rill: error: standard output could not be written' ] || fail "rill $arguments >/dev/full: $(head -c 600 .stderr)"
  # The pipe's reader is gone before the program starts: it ends as any program does there, silently, or says so.
  # shellcheck disable=SC2086
  { sleep 0.1; "$RILL" $arguments 2>.stderr </dev/null; echo $? >.status; } | true
  status=$(cat .status)
  [ "$status" -eq 141 ] || [ "$status" -eq 1 ] || fail "rill $arguments | true: exit status $status, expected 141 or 1"
  [ "$status" -eq 1 ] || [ ! -s .stderr ] || fail "rill $arguments | true: $(cat .stderr)"
done
for deck in base small; do
  succeeds run $deck.ini -q -o open-$deck
  "$RILL" run $deck.ini -o full-$deck >/dev/full 2>.stderr
  [ $? -eq 1 ] || fail "run $deck.ini >/dev/full: the summary is lost, but no failure"
  { sleep 0.1; "$RILL" run $deck.ini -o pipe-$deck 2>.stderr; echo $? >.status; } | true
  [ "$(cat .status)" = 1 ] || fail "run $deck.ini | true: exit status $(cat .status), expected 1"
  says stderr 'standard output could not be written'
  for file in open-$deck/*; do
    same_files "$file" "full-$deck/${file##*/}"
    same_files "$file" "pipe-$deck/${file##*/}"
  done
done
# Devices in the place of files.
refuses '/dev/full' rdf told/base.h5md --csv /dev/full --force
refuses 'unknown format' convert water7.gro /dev/full --force
refuses '/dev/full' run base.ini -o told --force --set output.series=/dev/full
finish
