#!/usr/bin/env bash
# rill verify, and the check before --resume: what was changed, cut, or taken away is found, and a run that cannot be resumed
# leaves all files as they are.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
python=${PYTHON-}
here=$RILL_SOURCE/tests/restart
sed 's/^time.*/steps = 100/; s/^interval.*/interval = 7 steps/; s/^\[output\]/&\nseries_interval = 3 steps\nvelocities = yes/' \
  base.ini >cluster.ini
printf 'bins = 50\n' >>cluster.ini
sed 's/^time.*/steps = 100/; s/double-spherical-pendulum\./small./' "$inputs/double-spherical-pendulum.ini" >small.ini
printf 'interval = 7 steps\nseries_interval = 3 steps\n' >>small.ini

# finds STATE FRAGMENT FOLDER: exit status 1 and such a line of verify; it writes nothing.
finds() {
  local before
  command="verify $3"
  before=$(listing)
  run_rill verify "$3"
  [ $status -eq 1 ] || fail "rill $command: exit status $status, expected 1: $(cat .stdout .stderr)"
  says stdout "  $1"
  says stdout "$2"
  [ "$(listing)" = "$before" ] || fail "rill $command: files changed"
}
# stays FOLDER DECK FRAGMENT ARGUMENT...: --resume is refused, and changes nothing.
stays() {
  local folder=$1 deck=$2 fragment=$3
  shift 3
  rm -rf before && cp -r "$folder" before
  refuses "$fragment" run "$deck" -q -o "$folder" --resume "$@"
  diff -r before "$folder" >/dev/null || fail "$folder: a refused --resume changed files"
}
# turn FILE OFFSET: changes a byte.
turn() {
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  printf "\\x$(printf %02x $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# ---- a run that is complete ----
for deck in cluster small; do succeeds run $deck.ini -q -o $deck; done
succeeds verify cluster
says stdout 'cluster/cluster.checkpoint: step 100, complete'
says stdout 'all 5 files are as the checkpoint says'
[ "$(grep -c '  intact ' .stdout)" -eq 5 ] || fail "verify cluster: $(cat .stdout)"
succeeds verify small/small.checkpoint
succeeds verify cluster.ini -o cluster
mkdir moved && cp -r cluster moved/elsewhere
(cd moved/elsewhere && "$RILL" verify cluster.checkpoint -q >/dev/null) || fail 'verify in a folder that was moved'
succeeds verify cluster --json
[ -z "$python" ] || "$python" -c 'import json, sys
runs = json.load(open(sys.argv[1]))
assert runs[0]["complete"] and {file["state"] for file in runs[0]["files"]} == {"intact"}, runs' .stdout || fail 'verify --json'
refuses 'contains no checkpoint' verify moved
refuses 'are for decks' verify cluster -o small
refuses 'No such file' verify nowhere

# hurt FILE COMMAND...: a copy of the run in which the command was done to the file.
hurt() {
  rm -rf hurt && cp -r cluster hurt
  local file=hurt/$1
  shift
  "$@" "$file"
}
# mended: --resume writes what is missing once more, to the same bytes, and says why.
mended() {
  succeeds run cluster.ini -o hurt --resume
  says stderr "$1"
  says stderr 'the end of the run is written again'
  for one in cluster/*; do same_files "$one" "hurt/${one##*/}"; done
}
turn_100() { turn "$1" 100; }
for file in base.h5md base.gro base.csv cluster-rdf.csv cluster-final.gro; do
  hurt $file rm
  finds missing "hurt/$file is missing" hurt
  case $file in cluster-*) mended "note: hurt/$file is missing" ;; *) stays hurt cluster.ini "hurt/$file" ;; esac
done
for file in base.h5md base.gro base.csv cluster-final.gro; do
  hurt $file truncate -s 100
  finds damaged "hurt/$file has 100 bytes" hurt
  stays hurt cluster.ini "hurt/$file has 100 bytes"
done
for file in base.gro base.csv cluster-rdf.csv; do # the middle, and the heading of the CSV
  hurt $file sed -i '40,$s/1/2/'
  [ $file = base.gro ] && hurt $file sed -i '10s/1/2/'
  finds damaged "hurt/$file: " hurt
  stays hurt cluster.ini "hurt/$file: "
done
# What came after the checkpoint is only the end.
hurt base.csv truncate -s -1
finds resumable 'hurt/base.csv has' hurt
mended 'note: hurt/base.csv has'
hurt base.h5md turn_100
finds resumable 'the checksum of its metadata does not match' hurt
mended 'note: hurt/base.h5md: the checksum of its metadata'
# The same of a small system.
rm -rf hurt && cp -r small hurt
truncate -s -1 hurt/small.csv
succeeds run small.ini -q -o hurt --resume
for one in small/*; do same_files "$one" "hurt/${one##*/}"; done
hurt base.csv sed -i '$p'
finds resumable 'hurt/base.csv has' hurt

# ---- every part of the HDF5 files: what verify does not notice is in gaps ----
if [ -n "$python" ] && "$python" -c 'import h5py' 2>/dev/null; then
  for file in cluster/base.h5md small/small.h5; do
    folder=${file%/*}
    size=$(stat -c %s $file)
    for ((i = 1; i < 5; i++)); do
      rm -rf hurt && cp -r $folder hurt
      turn "hurt/${file#*/}" $((i * size / 5 + 5))
      "$RILL" verify hurt -q >/dev/null 2>&1 && { "$python" "$here/unused.py" $file "hurt/${file#*/}" || fail "$file: byte $((i * size / 5 + 5)) is not noticed"; }
    done
  done
fi

# ---- a run that was killed: all up to the checkpoint counts, and no more ----
sed -i 's/^\[output\]/&\ncheckpoint_interval = 40 steps/' cluster.ini
succeeds run cluster.ini -q -o killed
# As kill -9 leaves it after step 80 and before the end: the checkpoint before the last, and files with more in them.
mv killed/cluster.checkpoint.prev killed/cluster.checkpoint
rm killed/cluster-final.gro killed/cluster-rdf.csv
succeeds verify killed
says stdout 'step 80, to be resumed'
says stdout '  resumable  trajectory   killed/base.h5md'
says stdout '  intact     first frame  killed/base.gro'
for where in 3 8 20; do # rows of the series before step 80
  rm -rf hurt && cp -r killed hurt
  sed -i "$((where + $(grep -c '^[#s]' killed/base.csv)))s/1/2/" hurt/base.csv
  finds damaged 'hurt/base.csv: the checksum of its rows does not match' hurt
  stays hurt cluster.ini 'hurt/base.csv: the checksum of its rows does not match'
done
rm -rf hurt && cp -r killed hurt
sed -i '$s/1/2/' hurt/base.csv
succeeds verify hurt
if [ -n "$python" ] && "$python" "$here/change.py" killed/base.h5md particles/trajectory/position/value \
  particles/trajectory/velocity/value particles/trajectory/position/step connectivity/bonds parameters/rill/series/values; then
  for changed in killed/base.h5md.[0-3]; do
    rm -rf hurt && mkdir hurt && cp killed/* hurt && mv $changed hurt/base.h5md && rm hurt/base.h5md.*
    finds damaged 'hurt/base.h5md: the checksum of' hurt
    stays hurt cluster.ini 'hurt/base.h5md: the checksum of'
  done
  mv killed/base.h5md.4 hurt/base.h5md # all rows of the table came after the checkpoint
  succeeds verify hurt
fi
succeeds run cluster.ini -q -o killed --resume
succeeds verify killed
says stdout 'all 5 files are as the checkpoint says'

# ---- forged checkpoints: what is refused, is refused before anything is changed ----
if [ -n "$python" ]; then
  rm -rf killed
  succeeds run cluster.ini -q -o killed
  mv killed/cluster.checkpoint.prev killed/cluster.checkpoint
  mkdir forged && cp killed/cluster.checkpoint forged
  "$python" "$here/forge.py" forged/cluster.checkpoint trajectory series rdf files || fail forge.py
  refused=0
  for forged in forged/*.[0-9]*; do
    rm -rf before hurt && cp -r killed hurt && cp "$forged" hurt/cluster.checkpoint && cp -r hurt before
    run_rill run cluster.ini -q -o hurt --resume --set integrator.steps=81
    [ $status -eq 0 ] && continue # numbers that could have been so
    refused=$((refused + 1))
    [ $status -eq 2 ] || fail "$forged: exit status $status: $(cat .stderr)"
    diff -r before hurt >/dev/null || fail "$forged was refused after files had changed: $(cat .stderr)"
  done
  [ $refused -gt 15 ] || fail "only $refused forged entries were refused"
fi

# ---- damage that neither a checkpoint nor a checksum covers, and that HDF5 crashes on: older leaves of a chunk index ----
cp "$data/structures/p216.xyz" .
cat >many.ini <<'DECK'
[system]
structure = p216.xyz
[integrator]
step = 1 fs
steps = 560
[output]
trajectory = many.h5md
interval = 1 steps
checkpoint_interval = 540 steps
DECK
if [ -n "$python" ]; then
  succeeds run many.ini -q -o many
  "$python" "$here/loop_index.py" many/many.h5md || fail 'the index has one leaf only'
  refuses 'many/many.h5md: is damaged: HDF5 crashed on it' run many.ini -q -o many --resume --set integrator.steps=580
  mv many/many.checkpoint.prev many/many.checkpoint
  refuses 'many/many.h5md: is damaged: HDF5 crashed on it' run many.ini -q -o many --resume --set integrator.steps=580
  "$RILL" verify many >.stdout 2>.stderr && fail 'verify finds nothing wrong with the index'
fi

# ---- rows that a kill leaves behind the checkpoint leave nothing in the files of a shorter continuation ----
for deck in cluster small; do
  cp $deck.ini cut.ini
  rm -rf shorter cut
  succeeds run cut.ini -q -o shorter --set output.checkpoint_interval=60steps --set integrator.steps=70
  succeeds run cut.ini -q -o cut --set output.checkpoint_interval=60steps --set integrator.steps=100
  mv cut/cut.checkpoint.prev cut/cut.checkpoint
  succeeds run cut.ini -q -o cut --resume --set output.checkpoint_interval=60steps --set integrator.steps=70
  rm -f shorter/*.prev cut/*.prev
  diff -r shorter cut >/dev/null || fail "$deck: a shorter continuation has other files: $(diff -rq shorter cut)"
done

# ---- checkpoints of all formats so far: readable, or refused by the number ----
# The one of the present format still resumes.  When it does not, the state that is archived has changed: raise FORMAT in
# src/output/checkpoint.c, and add a sample of the new format.
mkdir -p one/two/three && cp -r "$inputs" . && cp "$data"/checkpoints/* one/two/three && cd one/two/three || exit 99
for sample in format-*.checkpoint; do
  format=${sample//[!0-9]/}
  rm -rf out && mkdir out && cp $sample out/sample.checkpoint
  if [ -e format-$format.csv ]; then
    cp format-$format.csv out/sample.csv
    succeeds run sample.ini -q -o out --resume --set integrator.steps=30
    succeeds info out/sample.checkpoint
    says stdout 'step         30'
  else
    refuses "its format is $format" run sample.ini -q -o out --resume
  fi
done
finish
