#!/usr/bin/env bash
# The manual pages: groff takes them without a warning; every command, option, key and name is in rill(1), every method,
# thermostat, solver and combination in rill-combinations(7); rill-mpi(1) agrees with rill run.
set -u
command -v groff >/dev/null || exit 77
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
status=0
fail() { printf '%s\n' "$*"; status=1; }

# -rLL: no line is broken, so that what is looked for stands on one line.
for page in rill rill-mpi rill-combinations; do
  "$RILL" --manual $page >"$scratch/page" || fail "rill --manual $page failed"
  groff -man -ww -Tascii -P-cbou -rLL=2000n "$scratch/page" >"$scratch/$page" 2>"$scratch/warnings" || fail 'groff failed'
  [ ! -s "$scratch/warnings" ] || fail "groff warns: $(cat "$scratch/warnings")"
  groff -man -ww -Tutf8 -P-cbou "$scratch/page" 2>&1 >"$scratch/$page.usual" | grep . && fail 'groff warns at the usual width'
done
text=$scratch/rill
"$RILL" --manual | cmp -s - <("$RILL" --manual rill) || fail 'rill --manual is another page than rill --manual rill'
"$RILL" --manual nowhere >/dev/null 2>"$scratch/refusal" && fail 'an unknown page is accepted'
grep -q 'the pages are rill, rill-mpi and rill-combinations' "$scratch/refusal" || fail "unknown page: $(cat "$scratch/refusal")"
length=$(wc -l <"$scratch/rill.usual")
[ "$length" -le 1350 ] || fail "rill(1) has $length lines, expected at most 1300"

# shown WHAT PATTERN: a line of the page matches the extended regular expression.
shown() { grep -E -q -- "$2" "$text" || fail "$1 is not in $(basename "$text")"; }

# The page of rill-mpi names no option that rill run does not have, and all signals that stop a run.
for option in $(grep -o -E -- '--[a-z]+(-[a-z]+)*' "$scratch/rill-mpi" | sort -u); do
  case $option in --help | --version | --map-by) continue ;; esac
  "$RILL" run --help | grep -q -- "$option" || fail "rill-mpi(1) has $option, which rill run has not"
done
for signal in SIGUSR1 SIGUSR2 SIGTERM SIGHUP SIGINT; do
  grep -q $signal "$scratch/rill-mpi" || fail "$signal is not in rill-mpi(1)"
done

# 1. commands and options, from the help
commands=$("$RILL" --help | sed -n -E 's/^  ([a-z]+) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 9 ] || fail "too few commands in the help: $commands"
for command in $commands; do
  shown "the command $command" "^   rill $command"
  sed -n "/^   rill $command\( \|\$\)/,/^   rill /p" "$text" >"$scratch/part"
  for option in $("$RILL" "$command" --help | sed -n -E 's/^ +(-[a-z], )?(--[a-z-]+).*/\2/p'); do
    [ "$option" = --help ] ||
      grep -E -q -- "^ +(-[a-z], )?$option( |\$)" "$scratch/part" ||
      fail "rill $command $option is not in the manual"
  done
done

# 2. keys, from the source of the schema: below their section
keys=$(sed -n -E 's/^    \{"([a-z_]+)", "([a-z_]+)", RILL_KIND_.*/\1.\2/p' "$RILL_SOURCE/src/deck/schema.c")
[ "$(wc -w <<<"$keys")" -ge 30 ] || fail "too few keys in src/deck/schema.c: $keys"
for key in $keys; do
  sed -n "/^   \[${key%.*}\]/,/^   \[\|^[A-Z]/p" "$text" |
    grep -E -q "^ +${key#*.}( |\$)" || fail "the key $key is not in the manual"
done

# 3. what rill list names: in both pages by name, and in the second with what it is
names=$(for topic in integrators thermostats constraints systems; do
  "$RILL" list $topic --json | sed -n -E 's/.*"name": "([^"]*)", "(alias|summary|source)".*/\1/p'
done)
[ "$(wc -w <<<"$names")" -ge 50 ] || fail "too few names in rill list: $names"
for name in $names; do shown "$name" "( |^)$name(,| |\$)"; done
text=$scratch/rill-combinations
for name in $names; do [ "$name" = water ] || shown "$name" "^ +$name(,| |\$)"; done

# 4. each system has as many methods that bind, and that are refused, as in the list, for each thermostat
"$RILL" list combinations --json | sed -n -E \
  's/.*"system": "([^"]*)", "method": "([^"]*)", "thermostat": "([^"]*)", "binds": ([a-z]*).*/\1 \2 \3 \4/p' |
  sort >"$scratch/listed"
[ "$(wc -l <"$scratch/listed")" -gt 500 ] || fail 'too few combinations are listed'
sed -n '/^WHICH METHODS BIND/,/^SEE ALSO/p' "$text" | awk '
  /^   [a-z]/ { system_name = $1; next }
  /^       (binds|refused)/ {
    answer = $1 == "binds" ? "true" : "false"; count = 0
    for (i = 3; i <= NF; i++) { gsub(",", "", $i); thermostats[++count] = $i }
    skip = answer == "false"
    if ($2 == "with") next
    count = 1; thermostats[1] = "none"
    for (i = 2; i <= NF; i++) { gsub(",", "", $i); print system_name, $i, "none", answer } # a short tag, and its text
    next }
  /^              / {
    if (skip) { skip = 0; next }
    for (i = 1; i <= NF; i++) { gsub(",", "", $i); for (t = 1; t <= count; t++) print system_name, $i, thermostats[t], answer } }
' | sort >"$scratch/shown"
diff "$scratch/listed" "$scratch/shown" >"$scratch/difference" ||
  fail "the combinations of the manual differ: $(head -5 "$scratch/difference")"

# 5. a page without one of them is seen to lack it
text=$scratch/rill
grep -v -- '--threads' "$text" >"$scratch/cut"
grep -E -q -- '--threads' "$scratch/cut" && fail 'the search finds what is not there'
exit $status
