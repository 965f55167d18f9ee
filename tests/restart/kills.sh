#!/usr/bin/env bash
# Runs that are killed at random moments (kill -9), resumed, killed again, until they are done: all files are the same to
# the byte as those of a run that was left alone, and at each kill every file can be read.
#
#   kills.sh [KILLS [SEED]]   number of kills (default: 50), of a cluster, a box, a box of
#                           four-site water at constant pressure, and a small system in turn
#
# The last line is the count of kills survived.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
wanted=${1:-50}
RANDOM=${2:-1}
kills=0
cp "$data/structures/p216.xyz" .
{
  sed 's/^time.*/steps = 300000/; s/^interval.*/interval = 200 steps/' base.ini
  printf 'bins = 40\n'
} | sed 's/^\[output\]/&\ncheckpoint_interval = 0.001 min\nseries_interval = 500 steps/' >cluster.ini
sed '/^\[rdf\]/,$d; s/water7.gro/p216.xyz\nboundary = periodic/; s/^steps.*/steps = 600/; s/200 steps/2 steps/; s/500 steps/3 steps/; s/10 K/300 K/' \
  cluster.ini >box.ini
sed 's/^\[system\]/&\nmodel = opc/; s/^\[thermostat\]/[forces]\ncutoff = 0.85 nm\nlj = shift\ntail = yes\n[barostat]\nmethod = rescale\ntau = 0.2 ps\ninterval = 3 steps\n&/' \
  box.ini >npt.ini
sed 's/^time.*/steps = 200000/; s/^\[output\]/&\ncheckpoint_interval = 0.001 min/' "$inputs/double-spherical-pendulum.ini" >small.ini

# readable FOLDER: the files of a killed run, by programs that know nothing of us, if there are some.
readable() {
  [ -n "${PYTHON-}" ] || return 0
  "$PYTHON" "$RILL_SOURCE/tests/restart/readable.py" "$1" 2>.readable || { cat .readable; return 1; }
}

while [ "$kills" -lt "$wanted" ] && [ "$failures" -eq 0 ]; do
  for deck in cluster box npt small; do
    [ -d $deck-whole ] || succeeds run $deck.ini -q -o $deck-whole
    rm -rf $deck
    most=$((kills + wanted)) # where the machine is busy, a run comes forward little between two kills
    while :; do
      mode=--force
      [ -e $deck/$deck.checkpoint ] || [ -e $deck/$deck.checkpoint.prev ] && mode=--resume
      set -m
      "$RILL" run $deck.ini -q -o $deck $mode >.out 2>.err </dev/null &
      process=$!
      set +m
      if [ "$kills" -lt "$most" ]; then
        sleep 0.$((RANDOM % 4))$((RANDOM % 10))$((RANDOM % 10))
        kill -KILL $process 2>/dev/null
      fi
      wait $process 2>/dev/null
      status=$?
      [ $status -eq 137 ] || break
      kills=$((kills + 1))
      readable $deck || fail "$deck, kill $kills: a file cannot be read"
    done
    [ $status -eq 0 ] || fail "$deck: exit status $status: $(cat .err)"
    rm -f $deck/*.prev $deck-whole/*.prev $deck/*.new
    [ "$(ls $deck)" = "$(ls $deck-whole)" ] || fail "$deck: other files: $(ls $deck)"
    for file in $deck-whole/*; do same_files "$file" "$deck/${file##*/}"; done
  done
done
printf '%d kills survived: resumed runs ended with the same bytes in all files\n' "$kills"
finish
