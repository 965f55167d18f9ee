#!/usr/bin/env bash
# A user's decimal comma changes nothing: not what is read, not what is written.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
command -v localedef >/dev/null || exit 77
mkdir locales
localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >/dev/null 2>&1
# The C library forgets 41 bytes of LOCPATH when it returns to the C locale; nothing to look for here.
comma() {
  env ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" LOCPATH="$scratch/locales" LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 "$@"
}
[ "$(comma locale decimal_point 2>/dev/null)" = , ] || exit 77

# twice NAME ARGUMENT...: in both locales, the same status and the same output; {} is a folder of its own.
twice() {
  local name=$1 folder
  shift
  for folder in with-point with-comma; do
    local command=("$RILL" "${@//\{\}/$folder}")
    [ $folder = with-point ] || command=(comma "${command[@]}")
    "${command[@]}" >$folder.out 2>$folder.err </dev/null
    printf '%d\n' $? >$folder.status
    # What check says of memory and of the free disk space is of the moment.
    sed -i "s/$folder//g; /^  takes  /d" $folder.out $folder.err
  done
  same_files with-point.status with-comma.status
  same_files with-point.err with-comma.err
  [ "$name" = run ] || same_files with-point.out with-comma.out
}
mkdir with-point with-comma
twice run run base.ini -q -o {} --set output.velocities=yes
for file in base.h5md base.gro base.csv base-final.gro base-rdf.csv; do same_files with-point/$file with-comma/$file; done
grep -q '[0-9],[0-9]* *K$' with-comma.out && fail "a comma in the summary: $(grep ' K$' with-comma.out)"
twice check check base.ini --set 'thermostat.temperature=10.5 K -> 1.25 K'
twice refused check base.ini --set 'integrator.step=2,5 fs'
grep -q 'a decimal point is expected' with-comma.err || fail "2,5 fs: $(cat with-comma.err)"
twice energy energy water7.gro --json --coulomb-constant 332.06371kcal*A/mol/e2 --forces {}/forces.csv
same_files with-point/forces.csv with-comma/forces.csv
for ending in gro pdb xyz; do
  twice convert convert water7.gro {}/converted.$ending
  same_files with-point/converted.$ending with-comma/converted.$ending
done
twice rdf rdf with-point/base.h5md --max 5.5A
twice info info water7.gro
twice units list units --json
twice build build water 3 -o {}/built.gro -q
same_files with-point/built.gro with-comma/built.gro
twice minimize minimize water7.gro -o {}/minimum.gro --tolerance 1e-2kJ/mol/nm -q
same_files with-point/minimum.gro with-comma/minimum.gro
finish
