#!/usr/bin/env bash
# The numbers of a summary against its series: means, drift, pressures in bar, a ramp of temperature; and what is
# printed where there is nothing to average, or no error to quote.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
# values COLUMN FILE: of every row
values() {
  awk -F, -v name="$1" '/^step/ { for (i = 1; i <= NF; i++) if ($i == name) at = i } /^[0-9]/ { print $at }' "$2"
}
cat >nve.ini <<'DECK'
[system]
molecules = 2
[start]
temperature = 50 K
[integrator]
step = 2 fs
time = 10 ps
[output]
series = s.csv
series_interval = 10 fs
DECK

# ---- the total energy at constant energy has no error, and under a thermostat it has one or another reason ----
succeeds run "${RILL_SOURCE:?}/inputs/water7-nve.ini" -q -o conserved --set integrator.steps=20000
grep -q 'total energy  *-[0-9.]*  *kJ/mol  (no error: it is conserved, see its drift)' .stdout || fail "conserved: $(grep total .stdout)"
succeeds run "${RILL_SOURCE:?}/inputs/water7.ini" -q -o bathed --set integrator.steps=20000 --set rdf.from=0ps
grep 'total energy' .stdout | grep -q conserved && fail 'a bath does not conserve the energy'

# ---- drift: the slope of the total energy in kT a nanosecond and a degree of freedom ----
succeeds run nve.ini -q -o nve --set thermostat.method=none
paste -d, <(values time_ps nve/s.csv) <(values total nve/s.csv) <(values temperature nve/s.csv) >columns
freedom=$(sed -n 's/^# .* \([0-9]*\) degrees of freedom$/\1/p' nve/s.csv)
sed -n 's/^  drift *\(-*[0-9.e+-]*\) .*/\1/p' .stdout >drift
awk -F, -v freedom="$freedom" 'FILENAME == "drift" { told = $1; next }
  { n++; t += $1; e += $2 - first; if (n == 1) { first = $2; e = 0 } y = $2 - first; tt += $1 * $1; ty += $1 * y; k += $3 }
  END { slope = (ty - t * e / n) / (tt - t * t / n); expected = 1000 * slope / (0.0083144626 * k / n * freedom)
    print told, expected; exit !(freedom >= 6 && expected != 0 && (told / expected - 1) ^ 2 < 1e-6) }' drift columns >drifts ||
  fail "drift and what the series gives: $(cat drifts)"

# ---- a ramp is linear in the steps and reaches its end: friction that forgets all makes temperatures of
# translation proportional to it ----
sed 's/^molecules.*/molecules = 1/; s/^time.*/steps = 8/; s/^series_interval.*/series_interval = 1 step/' nve.ini >one.ini
for ramp in '100 K -> 400 K' '400 K'; do
  succeeds run one.ini -q -f -o "ramp${ramp%% *}" --set thermostat.method=gla --set "thermostat.temperature=$ramp" \
    --set 'thermostat.friction=1e6 /ps'
done
paste -d, <(values temperature_translation ramp100/s.csv) <(values temperature_translation ramp400/s.csv) | awk -F, '
  NR > 1 { k = NR - 1; expected = (100 + 300 * k / 8) / 400; if (($1 / $2 / expected - 1) ^ 2 > 1e-20) bad = 1; n++ }
  END { exit bad || n != 8 }' || fail "ramp: $(values temperature_translation ramp100/s.csv | tr '\n' ' ')"

# ---- the pressure's tensor, in bar: of an ideal gas of molecules ----
awk 'BEGIN {
  print "gas"; print 81
  for (m = 0; m < 27; m++) for (s = 0; s < 3; s++)
    printf "%5d%-5s%5s%5d%12.7f%12.7f%12.7f\n", m + 1, "SOL", s ? "HW" s : "OW", 3 * m + s + 1,
      2 * int(m / 9) + (s == 0 ? 0 : s == 1 ? 0.075695 : -0.075695), 2 * (int(m / 3) % 3) + (s ? 0.0585882 : 0), 2 * (m % 3)
  print "6 6 6" }' >gas.gro
cat >gas.ini <<'DECK'
[system]
structure = gas.gro
boundary = periodic
[start]
temperature = 300 K
[forces]
coulomb = cut
[integrator]
step = 2 fs
steps = 0
[output]
trajectory = b.h5md
velocities = yes
precision = double
series = b.csv
DECK
succeeds run gas.ini -q -o gas
succeeds convert gas/b.h5md gas-last.gro
for column in pressure pressure_xx pressure_yy pressure_zz pressure_xy pressure_xz pressure_yz; do values $column gas/b.csv; done >pressures
awk 'FILENAME == "pressures" { p[FNR] = $1; next }
  FNR > 2 && FNR <= 83 {
    mass = (FNR - 3) % 3 == 0 ? 15.9994 : 1.008
    for (k = 0; k < 3; k++) v[k] += mass * substr($0, 63 + 14 * k, 14)
    if ((FNR - 3) % 3 == 2) {
      for (i = 0; i < 3; i++) for (j = i; j < 3; j++) flux[i j] += v[i] * v[j] / 18.0154
      for (k = 0; k < 3; k++) v[k] = 0 } }
  END {
    bar = 16.605390666 / 216; scale = (flux["00"] + flux["11"] + flux["22"]) / 3 * bar
    e[1] = scale; e[2] = flux["00"] * bar; e[3] = flux["11"] * bar; e[4] = flux["22"] * bar
    e[5] = flux["01"] * bar; e[6] = flux["02"] * bar; e[7] = flux["12"] * bar
    for (k = 1; k <= 7; k++) { print p[k], e[k]; if (!((p[k] - e[k]) ^ 2 < (1e-4 * scale) ^ 2) || (k > 4 && e[k] ^ 2 < (1e-3 * scale) ^ 2)) bad = 1 }
    exit bad }' pressures gas-last.gro >compared || fail "pressures and those of an ideal gas: $(tr '\n' ';' <compared)"

# ---- nothing to average ----
succeeds run nve.ini -o late --set output.means_from=40ps --set rdf.max=1nm
says stderr 'warning: [output] means_from = 40 ps is beyond the end of the run, 10 ps'
says stderr 'warning: [rdf] from = 40 ps is beyond the end of the run, 10 ps'
says stdout 'no means: the run has no sample at or after 40 ps'
grep -q 'n/a' .stdout && fail "late: $(grep 'n/a' .stdout)"
[ ! -e late/nve-rdf.csv ] || fail 'late: a distribution of nothing'
succeeds check nve.ini --set output.means_from=40ps
says stdout 'warning: [output] means_from = 40 ps is beyond the end of the run, 10 ps'
for key in output.means_from rdf.from; do
  refuses 'from = 40 ps leaves no samples to compare in a run of 10 ps' compare nve.ini --methods rattle --set $key=40ps --set rdf.max=1nm
done

# ---- no error to quote ----
succeeds run nve.ini -q -o short --set integrator.time=0.1ps
says stdout '(no error: too few independent samples)'
grep -q '^  potential energy .*+-' .stdout && fail "short: an error from 11 samples: $(grep 'potential energy' .stdout)"
finish
