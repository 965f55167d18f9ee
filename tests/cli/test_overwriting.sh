#!/usr/bin/env bash
# Nothing of the user's is overwritten: every output against every input, under every name that one file can have;
# links, FIFOs, folders; what is left of a killed program.
# Case F09.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

short=(-q --set integrator.steps=20)
mkdir -p deep/er there
cp base.ini taken.h5md # an input with an ending that a trajectory takes

# ---- every output key against every input; the folder of -o exists, or not yet ----
here=$(pwd -P)
ln water7.gro hard.gro
ln -s "$here" deep/alias
for input in water7.gro base.ini; do
  for name in "../$input" "$here/$input" "../deep/er/../../$input" "x/../../$input" "../deep/alias/$input" "./..//$input"; do
    for key in series checkpoint; do
      for folder in new there; do
        refuses "is this run's own input" run base.ini "${short[@]}" -o "$folder" --set "output.$key=$name"
        refuses "is this run's own input" run base.ini "${short[@]}" -o "$folder" --force --set "output.$key=$name"
      done
    done
  done
done
# By another name of the same file.
refuses "is this run's own input" run base.ini "${short[@]}" -o new --force --set output.series=../hard.gro
# The trajectory's first frame, PATH.gro beside PATH.h5md.
for name in ../water7 "$here/water7" x/../../water7 ../deep/alias/water7; do
  for folder in new there; do
    refuses "is this run's own input" run base.ini "${short[@]}" -o "$folder" --force --set "output.trajectory=$name.h5md"
  done
done
# The trajectory itself; the last frame; the distribution.
refuses "is this run's own input" run taken.h5md "${short[@]}" -o new --force --set output.trajectory=../taken.h5md
cp water7.gro base-final.gro
refuses "is this run's own input" run base.ini "${short[@]}" --force --set system.structure=base-final.gro
cp water7.gro base-rdf.csv
ln base-rdf.csv rdf.gro
refuses "is this run's own input" run base.ini "${short[@]}" --force --set system.structure=rdf.gro
rm -f base-final.gro base-rdf.csv rdf.gro
# What is written at the end or beside another file only: each by a link to the structure.
penalised=(--set integrator.method=zss --set penalty.stiffness=1akma --set penalty.record=multipliers)
for output in final.xyz multipliers.csv checkpoint.prev; do
  name=base-$output
  [ $output != checkpoint.prev ] || name=base.checkpoint.prev
  ln water7.gro "$name"
  case $output in
    multipliers.csv) refuses "$name is this run's own input" run base.ini "${short[@]}" --force "${penalised[@]}" ;;
    *) refuses "$name is this run's own input" run base.ini "${short[@]}" --force ;;
  esac
  rm "$name"
done
# Small systems: the deck is their only input.
cat >small.ini <<'DECK'
[system]
kind = simple-pendulum
[integrator]
method = verlet
step = 0.1
steps = 20
[output]
series = small.csv
DECK
cp small.ini small.h5
for folder in new there; do
  for name in ../small.ini "$here/small.ini" x/../../small.ini ../deep/alias/small.ini; do
    for key in series checkpoint; do
      refuses "is this run's own input" run small.ini -q -o "$folder" --force --set "output.$key=$name"
    done
  done
  refuses "is this run's own input" run small.h5 -q -o "$folder" --force --set output.trajectory=../small.h5
done
rm small.h5

# ---- two outputs that are one file ----
refuses 'two outputs' run base.ini "${short[@]}" -o new --set output.series=a.csv --set output.checkpoint=x/../a.csv
refuses 'two outputs' run base.ini "${short[@]}" -o there --set output.series=a.csv \
  --set "output.checkpoint=../deep/alias/there/a.csv"

# ---- what exists, by each name, with and without --force ----
echo mine >there/mine.csv
refuses 'exists; give --force' run base.ini "${short[@]}" -o there --set output.series=x/../mine.csv
refuses 'exists; give --force' run base.ini "${short[@]}" -o there --set output.checkpoint=mine.csv
[ "$(cat there/mine.csv)" = mine ] || fail 'there/mine.csv was changed'
ln -s mine.csv there/link.csv
ln -s nowhere there/dangling.csv
mkfifo there/fifo.csv
for force in '' --force; do
  for name in link.csv dangling.csv; do
    refuses 'symbolic link' run base.ini "${short[@]}" -o there ${force:+"$force"} --set output.series=$name
    refuses 'symbolic link' run base.ini "${short[@]}" -o there ${force:+"$force"} --set output.checkpoint=$name
  done
  refuses 'not a regular file' run base.ini "${short[@]}" -o there ${force:+"$force"} --set output.series=fifo.csv
  refuses 'not a regular file' run base.ini "${short[@]}" -o there ${force:+"$force"} --set output.checkpoint=fifo.csv
  refuses 'is a folder' run base.ini "${short[@]}" -o . ${force:+"$force"} --set output.series=there
done
ln -s "$here/target.h5md" there/base.h5md
refuses 'symbolic link' run base.ini "${short[@]}" -o there --force
[ ! -e target.h5md ] || fail 'the trajectory was written through a link'
rm -r there/*

# ---- what other commands write ----
ln -s nowhere there/link.csv
ln -s nowhere.gro there/link.gro
for force in '' --force; do
  refuses 'symbolic link' energy water7.gro --forces there/link.csv ${force:+"$force"}
  refuses 'symbolic link' convert water7.gro there/link.gro ${force:+"$force"}
  refuses 'symbolic link' build water 2 -o there/link.gro ${force:+"$force"}
  refuses 'symbolic link' reproduce wendlandt-marsden-table-1 --csv there/link.csv ${force:+"$force"}
done
refuses 'is the input itself' compare base.ini --methods rattle --set integrator.steps=20 --csv deep/alias/water7.gro --force
refuses 'is the input itself' energy water7.gro --forces deep/alias/water7.gro --force
mkfifo there/fifo.gro there/fifo.csv
refuses 'not a regular file' convert water7.gro there/fifo.gro --force
refuses 'not a regular file' minimize water7.gro -o there/fifo.gro --force
refuses 'not a regular file' build water 2 -o there/fifo.gro --force
refuses 'not a regular file' energy water7.gro --forces there/fifo.csv --force
# The input itself, of which a conversion keeps one frame.
cat water7.gro water7.gro >two.gro
ln two.gro second.gro
for name in two.gro "$here/two.gro" there/../two.gro deep/alias/two.gro second.gro; do
  refuses 'is the input itself' convert two.gro "$name" --force
  refuses 'is the input itself' convert two.gro "$name" --force --frame all
  refuses 'is the input itself' minimize two.gro -o "$name" --force
done
succeeds energy water7.gro --forces there/forces.csv
succeeds energy water7.gro --forces there/forces.csv --force
rm -r there/*

# ---- a file that appears while a run is on its way is kept; with --force, and in a resumed run, it is replaced ----
sed 's/^time.*/steps = 1000000000000/; s/^interval.*/interval = 1000 steps/' base.ini >long.ini
for force in '' --force; do
  rm -f there/*
  # shellcheck disable=SC2086
  "$RILL" run long.ini -q -o there $force >.stdout 2>.stderr </dev/null &
  process=$!
  for _ in $(seq 200); do
    grep -q '^1000,' there/base.csv 2>/dev/null && break
    sleep 0.02
  done
  for name in long-final.gro long-rdf.csv long.checkpoint; do echo mine >"there/$name"; done
  kill -TERM $process
  wait $process
  status=$?
  for name in long-final.gro long-rdf.csv long.checkpoint; do
    [ -n "$force" ] || [ "$(cat "there/$name")" = mine ] || fail "$name, which appeared during the run, was overwritten"
    [ -z "$force" ] || [ "$(head -c 4 "there/$name")" != mine ] || fail "$name was not replaced"
  done
  [ $status -eq $((${#force} > 0 ? 143 : 1)) ] || fail "files that appear, ${force:-no --force}: exit status $status"
  for name in long-final.gro long-rdf.csv long.checkpoint; do
    [ -n "$force" ] || grep -q "there/$name: exists already" .stderr || fail "$name: $(cat .stderr)"
  done
done
rm there/*

# ---- a checkpoint's temporary file does not follow a link that somebody put there ----
echo secret >secret
for name in base.checkpoint.new base.csv.new; do ln -s "$here/secret" "there/$name"; done
succeeds run base.ini "${short[@]}" -o there
succeeds run base.ini -q --set integrator.steps=40 -o there --resume
[ "$(cat secret)" = secret ] || fail 'a file was written through a link'
rm -r there/*

# ---- temporary files of killed programs are removed, and no others ----
(exit 0) & gone=$!
wait "$gone"
for name in "base-final.gro.$gone.0.part" "base.checkpoint.$gone.3.part"; do echo >"there/$name"; done
kept=("base-final.gro.$$.0.part" "base-final.gro.part" "base-final.gro.$gone.x.part" "other.gro.$gone.0.part")
for name in "${kept[@]}"; do echo >"there/$name"; done
succeeds run base.ini "${short[@]}" -o there
for name in "${kept[@]}"; do [ -e "there/$name" ] || fail "$name was removed"; done
[ "$(find there -name '*.part' | wc -l)" -eq ${#kept[@]} ] || fail "temporary files are left: $(ls there)"

finish
