#!/usr/bin/env bash
# The manual page: groff takes it without a warning, and every command, option, key, method and unit is in it.
set -u
command -v groff >/dev/null || exit 77
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
status=0
fail() { printf '%s\n' "$*"; status=1; }

"$RILL" --manual >"$scratch/rill.1" || fail 'rill --manual failed'
# -rLL: no line is broken, so that what is looked for stands on one line.
groff -man -ww -Tascii -P-cbou -rLL=2000n "$scratch/rill.1" >"$scratch/text" 2>"$scratch/warnings" ||
  fail 'groff failed'
[ ! -s "$scratch/warnings" ] || fail "groff warns: $(cat "$scratch/warnings")"
groff -man -ww -Tutf8 -P-cbou "$scratch/rill.1" 2>&1 >/dev/null | grep . &&
  fail 'groff warns at the usual width'

# shown WHAT PATTERN: a line of the page matches the extended regular expression.
shown() { grep -E -q -- "$2" "$scratch/text" || fail "$1 is not in the manual"; }

# 1. commands and options, from the help
commands=$("$RILL" --help | sed -n -E 's/^  ([a-z]+) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 9 ] || fail "too few commands in the help: $commands"
for command in $commands; do
  shown "the command $command" "^   rill $command"
  sed -n "/^   rill $command\( \|\$\)/,/^   rill /p" "$scratch/text" >"$scratch/part"
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
  sed -n "/^   \[${key%.*}\]/,/^   \[\|^[A-Z]/p" "$scratch/text" |
    grep -E -q "^ +${key#*.}( |\$)" || fail "the key $key is not in the manual"
done

# 3. what rill list names
names=$(for topic in integrators thermostats constraints; do
  "$RILL" list $topic --json | sed -n -E 's/.*"name": "([^"]*)".*/\1/p'
done)
[ "$(wc -w <<<"$names")" -ge 9 ] || fail "too few names in rill list: $names"
for name in $names; do shown "$name" "^ +$name(,| |\$)"; done
combinations=$("$RILL" list combinations --json | grep -c '"system": "water[/"].*"binds"')
[ "$(grep -E -c '^ +[a-z0-9-]+ with (none|gla|baoab)' "$scratch/text")" -eq "$combinations" ] ||
  fail "not all $combinations combinations are in the manual"
small=$("$RILL" list combinations all | awk '$1 != "water" && $3 == "binds" { print $1 }' | sort | uniq -c | awk '{ print $2 "=" $1 }')
[ "$(wc -w <<<"$small")" -ge 9 ] || fail "too few small systems: $small"
for pair in $small; do # each formulation, with as many methods as bind
  methods=$(sed -n '/Methods that bind/,$p' "$scratch/text" |
    awk -v name="${pair%=*}" 'found { print NF; exit } $1 == name && NF > 1 { print NF - 1; exit } $1 == name { found = 1 }')
  [ "$methods" -eq "${pair#*=}" ] || fail "${pair%=*}: $methods methods in the manual, expected ${pair#*=}"
done

# 4. a page without one of them is seen to lack it
grep -v -- '--threads' "$scratch/text" >"$scratch/cut"
grep -E -q -- '--threads' "$scratch/cut" && fail 'the search finds what is not there'
exit $status
