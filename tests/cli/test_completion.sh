#!/usr/bin/env bash
# Completion: what bash offers after a line, and that zsh reads its file.  The program is a stand-in whose help has the
# shape of rill's; with the real one, the commands of its help must be offered.
set -u
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
status=0
cat >"$scratch/rill" <<'HELP'
#!/bin/sh
case $1 in
--help) printf 'rill: text\n\nusage: rill COMMAND ...\n\n  run       DECK                   starts\n  energy    STRUCTURE              evaluates\n  list      TOPIC [NAME]  combinations, units\n\nrill COMMAND --help tells more\n' ;;
*) printf 'usage: rill %s [options]\n\ntext of --this and --that\n\noptions:\n' "$1"
   printf '  -%s, %-24s %s\n' o '--output DIR' 'where to' h '--help' 'this text'
   printf '      %-24s %s\n' '--boundary vacuum|periodic' 'which' '--forces FILE.csv' 'to a file' '--rigid' 'flag with --json in it' ;;
esac
HELP
chmod +x "$scratch/rill"
mkdir "$scratch/in" "$scratch/in/decks"
touch "$scratch/in/a.ini" "$scratch/in/b c.ini" "$scratch/in/x.gro" "$scratch/in/y.pdb" "$scratch/in/t.h5md"
cd "$scratch/in" || exit 99

# shellcheck source=/dev/null
source "$RILL_SOURCE/completions/bash/rill"
compopt() { :; }

# offers EXPECTED WORD...: the last word is the one being completed
offers() {
  local expected=$1 found
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _rill
  found=$(printf '%s\n' "${COMPREPLY[@]}" | sort | paste -s -d ' ')
  [ "$found" = "$expected" ] || { printf 'after "%s": offered "%s", expected "%s"\n' "$*" "$found" "$expected"; status=1; }
}

LC_ALL=C
offers '--help --version energy list run' "$scratch/rill" ''
offers 'energy' "$scratch/rill" en
offers '--boundary --forces --help --output --rigid' "$scratch/rill" energy --
offers '--rigid' "$scratch/rill" energy x.gro --r
offers 'periodic vacuum' "$scratch/rill" energy --boundary ''
offers 'periodic' "$scratch/rill" energy --boundary p
offers 'decks' "$scratch/rill" energy -o ''
offers 'decks' "$scratch/rill" energy --output d
offers 'x.gro' "$scratch/rill" energy --forces x
offers 'decks x.gro y.pdb' "$scratch/rill" energy ''
offers 'x.gro' "$scratch/rill" energy --rigid x
offers 'a.ini b c.ini decks' "$scratch/rill" run ''
offers 'decks t.h5md' "$scratch/rill" rdf ''
offers 'units' "$scratch/rill" list u
offers 'choices combinations constraints' "$RILL" list c
offers 'water' "$scratch/rill" build w

for command in $("$RILL" --help 2>/dev/null | sed -n -E 's/^  ([a-z]+) .*/\1/p'); do
  offers "$command" "$RILL" "$command"
  "$RILL" "$command" --help | grep -q -- --help || { echo "rill $command --help names no options"; status=1; }
  COMP_WORDS=("$RILL" "$command" --hel) COMP_CWORD=2
  _rill
  [ "${COMPREPLY[*]}" = --help ] || { echo "rill $command --hel: offered '${COMPREPLY[*]}'"; status=1; }
done

if command -v zsh >/dev/null; then
  zsh -n "$RILL_SOURCE/completions/zsh/_rill" || status=1
fi
exit $status
