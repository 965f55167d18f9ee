#!/usr/bin/env bash
# Untrusted files: HDF5 that leads out of the file is refused, and what is printed of any file commands no terminal.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[ -n "${PYTHON-}" ] || { echo 'no Python with numpy and h5py'; exit 77; }

cp "$inputs/water7.gro" .
printf '[system]\nstructure = water7.gro\n[start]\ntemperature = 10 K\n[integrator]\nstep = 2 fs\nsteps = 8\n[output]\ntrajectory = sound.h5md\ninterval = 2 steps\nseries = sound.csv\n' >d.ini
succeeds run d.ini -q
"$PYTHON" "$RILL_SOURCE/tests/cli/hostile.py" . || fail 'the files cannot be made'

# ---- what leads out of the file ----
leads_out() { # leads_out FRAGMENT FILE
  command="info $2"
  timeout 20 "$RILL" info "$2" >.stdout 2>.stderr </dev/null
  status=$?
  [ $status -eq 2 ] || fail "rill $command: exit status $status, expected 2"
  says stderr "$1"
  [ "$(wc -l <.stderr)" -eq 1 ] || fail "rill $command: not one line: $(cat .stderr)"
  ! grep -q secret .stdout .stderr || fail "rill $command shows another file"
}
leads_out 'position/step is a soft link' soft.h5md
leads_out 'position is a soft link' soft-group.h5md
leads_out '/particles is a soft link' soft-particles.h5md
leads_out 'position is a link to another file' external-link.h5md
leads_out 'deck is a link to another file' fifo-link.h5md
leads_out 'deck has its data in other files' external-storage.h5md
leads_out 'value has its data in other files' external-numbers.h5md
leads_out 'value is a virtual dataset' virtual.h5md
leads_out 'time is compressed by filter 32015' filter.h5md
leads_out 'a FIFO, expected a regular file' fifo.h5md
for other in rdf convert validate; do
  case $other in
    convert) refuses 'virtual dataset' convert virtual.h5md out.gro ;;
    *) refuses 'virtual dataset' $other virtual.h5md ;;
  esac
done
succeeds info packed.h5md
succeeds info unused-link.h5md

# ---- what a terminal would obey ----
# Bytes of control characters that were printed, but for line feeds and tabs; turns of the writing direction.
harmless() { # harmless ARGUMENT...
  run_rill "$@"
  "$PYTHON" - "$*" <<'PYTHON' || fail "rill $*: control characters are printed"
import sys
for name in (".stdout", ".stderr"):
    text = open(name, "rb").read().decode()  # valid, too
    bad = [c for c in text if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 or 0x202a <= ord(c) <= 0x202e]
    if bad:
        sys.exit(f"{name}: {bad}")
PYTHON
}
shown() { grep -q -F -e "$1" .stdout .stderr || fail "not shown: $1 in $(cat .stdout .stderr | head -c 300 | od -c | head)"; }
harmless info escapes.h5md
shown '\x1b]0;title\x07\x1b[31m\x0d\u009b1m \u202e'
shown 'written by other'
! grep -q '^rill: error' .stdout .stderr || fail 'a creator writes a line of its own'
harmless info "$(printf '%s' *rill.h5md)"
shown '\x1b[31m'
harmless info long.h5md
[ "$(grep -o 'é' .stdout | wc -l)" -eq 10002 ] || fail "of 10002 characters there are $(grep -o 'é' .stdout | wc -l)"
harmless info escapes.csv
shown '\x1b[31m'
harmless info escapes.gro
harmless energy escapes.gro
harmless info escapes.xyz
harmless check escapes.ini
harmless run "$(printf 'no\033[2Jsuch\n.ini')"
shown 'no\x1b[2Jsuch\n.ini'
harmless "$(printf '\033c')"
harmless list "$(printf '\033c\377\302')"
harmless list "$(printf '\233[31m\240\301')"
shown '\x9b[31m\xa0\xc1'
harmless run d.ini -q --set "$(printf 'a.b=\033[1m')"
harmless convert sound.h5md "$(printf 'out\033[1m.gro')"
finish
