#!/usr/bin/env bash
# The programs of docs/library.md: they stand there as they are compiled, and print what they should.
set -u
build=$(dirname "${RILL:?}")
source=${RILL_SOURCE:?}
failures=0
fail() {
  printf 'FAIL: %s\n' "$*"
  failures=$((failures + 1))
}

for program in box options observer method; do
  awk -v program="$program" 'BEGIN { while ((getline line < ARGV[1]) > 0) want = want line "\n" }
    FNR == NR { next }
    /^```c$/ { inside = 1; text = ""; next }
    /^```$/ { if (inside && text == want) found = 1; inside = 0 }
    inside { text = text $0 "\n" }
    END { exit !found }' "$source/docs/examples/$program.c" "$source/docs/library.md" ||
    fail "docs/library.md does not have docs/examples/$program.c as it is"
done

# The same numbers as the series that the program writes.
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
"$RILL" run "$source/inputs/water7-nve.ini" -q -o "$folder" --set integrator.steps=500 >/dev/null || fail 'rill run'
want=$(awk -F, '/^step,/ { for (i = 1; i <= NF; i++) if ($i == "total") c = i } { last = $c } END { printf "%.4f", last }' \
  "$folder"/*.csv)
got=$("$build/docs/examples/box" "$source/inputs/water7-nve.ini" | awk '$1 == "total" { printf "%.4f", $2 }')
[ "${want%??}" = "${got%??}" ] || fail "box: total energy $got, expected $want"

# The temperature of the override, not the deck's 10 K.
"$build/docs/examples/options" "$source/inputs/water7.ini" >"$folder/means" || fail options
awk '$1 == "temperature" && $2 > 28 && $2 < 32 { found = 1 } END { exit !found }' "$folder/means" ||
  fail "options: $(tr '\n' ' ' <"$folder/means")"

"$build/docs/examples/observer" "$source/inputs/water7-nve.ini" >"$folder/observed" || fail observer
[ "$(grep -c '^[0-9]' "$folder/observed")" -ge 2 ] || fail "observer: $(head -3 "$folder/observed")"
tail -n 1 "$folder/observed" | grep -q '^longest 0\.[0-9]* after [0-9]* steps$' || fail "observer: $(tail -1 "$folder/observed")"

# An energy error of order 1, not that of the deck's method.
"$build/docs/examples/method" "$source/inputs/harmonic-oscillator.ini" >"$folder/energies" || fail method
awk '{ if (NR == 1) first = $2; d = $2 - first; if (d < 0) d = -d; if (d > most) most = d } END { exit !(NR == 6 && most > 1e-3 * first && most < first) }' \
  "$folder/energies" || fail "method: $(tr '\n' ' ' <"$folder/energies")"
if "$build/docs/examples/box" no-such.ini 2>"$folder/refused"; then fail 'box: a missing deck'; fi
grep -q no-such.ini "$folder/refused" || fail "box: $(cat "$folder/refused")"
exit $((failures > 0))
