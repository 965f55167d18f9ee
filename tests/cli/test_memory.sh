#!/usr/bin/env bash
# A run takes the same memory however many rows its series has, with its numbers the same after a resume; check says what memory
# and what space on the disk a run takes.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

# memory FILE COMMAND...: the most memory that the command had, in kB, into FILE
memory() {
  "$PYTHON" - "$@" <<'PY'
import resource, subprocess, sys
done = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open(sys.argv[1], "w"))
sys.stderr.write(done.stderr.decode())
sys.exit(done.returncode)
PY
}
cat >one.ini <<'DECK'
[system]
molecules = 1
[start]
temperature = 50 K
[integrator]
step = 2 fs
steps = 20000
[output]
series = s.csv
series_interval = 1 step
trajectory = t.h5md
interval = 1000 steps
DECK
cat >chain.ini <<'DECK'
[system]
kind = double-pendulum
[integrator]
method = rattle
step = 0.001
steps = 20000
[output]
series = s.csv
interval = 1 step
DECK

# ---- 200000 rows more take less than a sixth of what they would be in memory (buffers have filled before). Pages of the program that
# are not in the cache at the first run make a difference of some 3 MB. ----
# AddressSanitizer keeps what is released for a while.
if [ -n "${PYTHON:-}" ] && ! grep -aq __asan_init "$RILL"; then
  for deck in one chain; do
    for rows in 20000 220000; do
      memory $deck-$rows "$RILL" run $deck.ini -q -o out-$deck-$rows -t 1 --set integrator.steps=$rows || fail "$deck with $rows rows"
    done
    more=$(($(cat $deck-220000) - $(cat $deck-20000)))
    [ $more -lt 14000 ] || fail "$deck: 200000 rows more take $more kB"
  done
fi

# ---- the numbers of the summary are those of the series, also when it was resumed (of two molecules: the energies of one
# alone do not change) ----
numbers() { sed '/^speed/,$d' .stdout | grep -v '^  resumed'; }
succeeds run one.ini -q -o whole --set system.molecules=2 --set integrator.steps=2000 --set output.means_from=1ps
numbers >whole.txt
succeeds run one.ini -q -o parts --set system.molecules=2 --set integrator.steps=777 --set output.means_from=1ps
succeeds run one.ini -q -o parts --set system.molecules=2 --set integrator.steps=2000 --set output.means_from=1ps --resume
numbers >parts.txt
same_files whole.txt parts.txt
awk -F, '/^step/ { for (i = 1; i <= NF; i++) at[$i] = i }
  /^[0-9]/ && $at["time_ps"] >= 1 { n++; k += $at["kinetic"] }
  /^[0-9]/ && $at["position_deviation_max"] > most { most = $at["position_deviation_max"] }
  END { printf "%.5g %.2g\n", k / n, most }' whole/s.csv >of-series
awk '/kinetic energy/ { k = $3 } /bond lengths/ { most = $4 } END { printf "%.5g %.2g\n", k, most }' whole.txt >of-summary
same_files of-series of-summary

# ---- what check says, and what the run took ----
bytes() { awk -v n="$1" -v u="$2" 'BEGIN { f["kB"] = 1e3; f["MB"] = 1e6; f["GB"] = 1e9; printf "%.0f", n * f[u] }'; }
for deck in one.ini chain.ini; do
  succeeds check $deck
  read -r memory disk < <(sed -n 's/^  takes  *\([0-9.e+]*\) \(.B\) of memory, whatever the length of the run, and \([0-9.e+]*\) \(.B\) on disk.*/\1 \2 \3 \4/p' .stdout |
    while read -r a b c d; do echo "$(bytes "$a" "$b") $(bytes "$c" "$d")"; done)
  [ -n "${disk:-}" ] || { fail "check of $deck: $(cat .stdout)"; continue; }
  rm -rf out
  succeeds run $deck -q -o out
  took=$(cat out/* | wc -c)
  awk -v a="$disk" -v b="$took" 'BEGIN { exit !(a / b > 0.85 && a / b < 1.2) }' || fail "$deck: $disk bytes foretold, $took written"
  [ -e "${deck%.ini}-20000" ] || continue
  had=$(($(cat ${deck%.ini}-20000) * 1024))
  awk -v a="$memory" -v b="$had" 'BEGIN { exit !(a / b > 0.7 && a / b < 1.6) }' || fail "$deck: $memory bytes of memory foretold, $had had"
done
# Ten million frames of a million steps each: more than there is.
succeeds check one.ini --set integrator.steps=4000000000000 --set output.interval=1step
says stdout 'TOO LITTLE'
finish
