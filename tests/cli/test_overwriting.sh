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
succeeds energy water7.gro --forces there/forces.csv
succeeds energy water7.gro --forces there/forces.csv --force
rm -r there/*

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
