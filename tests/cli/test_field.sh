#!/usr/bin/env bash
# External fields, v-rescale and heavy hydrogens from outside: what is refused, printed and written, what `validate` judges, and
# the same bytes for any number of threads and after a resume.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
cp "$data/structures/p216.xyz" .
cat >box.ini <<'DECK'
[system]
structure = p216.xyz
boundary = periodic
[start]
temperature = 300 K
[integrator]
step = 2 fs
steps = 60
[thermostat]
method = v-rescale
temperature = 300 K
tau = 100 fs
[forces]
cutoff = 0.85 nm
lj = shift
tail = yes
[field]
electric = 0, 0.1, 0.2 V/nm
[output]
trajectory = box.h5md
interval = 20 fs
series = box.csv
series_interval = 4 fs
checkpoint_interval = 10 steps
DECK

# ---- refusals, each with its reason ----
refuses 'momenta that are conserved would keep their directions' run box.ini --set start.remove=none
refuses 'it needs field.trap' run box.ini --set 'field.centre=0,0,0nm'
refuses 'the motion of the whole in the trap exchanges no energy' run box.ini --set field.trap=100kJ/mol/nm2
refuses 'the trap does not scale with the cell' run box.ini --set field.trap=100kJ/mol/nm2 --set thermostat.method=baoab \
  --set barostat.method=mc --set barostat.interval=10fs --set barostat.tau=1ps
refuses 'does not share energy between stiff springs and the rest' run box.ini --set penalty.stiffness=20akma --set integrator.step=0.2fs
refuses 'v-rescale is for water' check "$inputs/oscillator-bath.ini" --set thermostat.method=v-rescale
sed -e 's/^structure = water7.gro/molecules = 1/; s/^method = gla/method = v-rescale/; /^friction/d' base.ini >one.ini
refuses 'the velocities of one molecule cannot be scaled' run one.ini -o out
sed -e 's/^method = gla/method = v-rescale/; /^friction/d' base.ini >seven.ini
refuses 'the angular momentum along the field is conserved' run seven.ini --set field.electric=0,0,1V/nm
refuses 'momenta that are conserved' run seven.ini --set start.remove=linear
refuses 'rotation_friction has no effect here' run seven.ini --set thermostat.rotation_friction=1/ps
refuses 'and a rate as thermostat.friction' run base.ini --set thermostat.friction=20u/ps --set thermostat.rotation_friction=1/ps
refuses 'rotation_friction has no effect here' run "$inputs/oscillator-bath.ini" --set thermostat.rotation_friction=1
refuses 'out of range' run base.ini --set thermostat.rotation_friction=0/ps
refuses 'out of range, 0.5 to 8 u' run base.ini --set system.hydrogen_mass=9u
refuses 'mass_o and mass_h' run base.ini --set system.model=custom --set system.hydrogen_mass=3u

# ---- what is printed ----
succeeds check box.ini
says stdout 'thermostat   v-rescale, 300 K, tau 0.1 ps, seed 1'
says stdout 'field        electric (0, 0.1, 0.2) V/nm'
says stdout '1293 degrees of freedom'
succeeds check box.ini --json
says stdout '"tau_ps": 0.1'
succeeds check base.ini --set thermostat.friction=2/ps --set thermostat.rotation_friction=0.5/ps
says stdout 'friction 2 /ps (rotation 0.5 /ps), seed'
succeeds check base.ini --set thermostat.friction=0/ps
says stdout '36 degrees of freedom'
succeeds check base.ini --set thermostat.friction=0/ps --set thermostat.rotation_friction=5/ps # which turns the whole
says stdout '39 degrees of freedom'
succeeds check base.ini --set thermostat.rotation_friction=0.5/ps --json
says stdout '"rotation_friction_per_ps": 0.5'
succeeds check base.ini --set system.hydrogen_mass=3u
says stdout 'masses 12.0154 and 3 u'
succeeds check base.ini --set field.trap=500kJ/mol/nm2 --set 'field.centre=1,0,0nm'
says stdout 'trap 500 kJ/mol/nm2 at (1, 0, 0) nm'

# ---- what is written: two more columns, and only with these keys ----
succeeds run box.ini -o whole --threads 1
says stdout '  field  '
series() { sed -n 's/^step,//p' "$1"; }
case $(series whole/box.csv) in *,field,effective) ;; *) fail "columns: $(series whole/box.csv)" ;; esac
succeeds run base.ini -o plain
case $(series plain/base.csv) in *field* | *effective*) fail 'base.csv has columns of a field' ;; esac
case $(series plain/base.csv) in *,box_z) ;; *) fail "columns: $(series plain/base.csv)" ;; esac

# ---- the same bytes on other numbers of threads, and after a resume; with a barostat too ----
for threads in 2 3; do
  succeeds run box.ini -o "threads$threads" --threads "$threads"
  same_files whole/box.csv "threads$threads/box.csv"
done
succeeds run box.ini -o part --set integrator.steps=33
succeeds run box.ini -o part --resume
same_files whole/box.csv part/box.csv
same_files whole/box-final.gro part/box-final.gro
barostat=(--set barostat.method=rescale --set barostat.interval=10fs --set barostat.tau=0.5ps)
succeeds run box.ini -o npt "${barostat[@]}"
succeeds run box.ini -o npt2 "${barostat[@]}" --set integrator.steps=27
succeeds run box.ini -o npt2 "${barostat[@]}" --resume
same_files npt/box.csv npt2/box.csv
# the effective energy is kept to a part of what the total energy gains from bath and barostat
spread() { awk -F, '/^step,/ { for (i = 1; i <= NF; i++) if ($i == "'"$2"'") at = i; next }
  /^#/ { next } !n++ { low = high = $at } { if ($at < low) low = $at; if ($at > high) high = $at } END { print high - low }' "$1"; }
for run in whole npt; do
  awk -v e="$(spread $run/box.csv effective)" -v t="$(spread $run/box.csv total)" 'BEGIN { exit !(e > 0 && e < 0.1 * t) }' ||
    fail "$run: effective $(spread $run/box.csv effective), total $(spread $run/box.csv total)"
done

# ---- replicas: each as it would be alone; temperatures exchanged ----
sed -e '/^\[rdf\]/,$d' seven.ini >ladder.ini
sed -i '/^temperature/d' ladder.ini
cat >>ladder.ini <<'DECK'
[rdf]
max = 1 nm
[ensemble]
replicas = 4
temperatures = 100 K, 120 K
exchange = neighbours
exchange_interval = 10 fs
DECK
sed -i '/^series/d' ladder.ini
succeeds run ladder.ini -o ladder
grep -q '^' ladder/ladder-ensemble.csv || fail 'no table of the ladder'
awk -F, '/^[^#]/ && !/acceptance/ { n++ } END { exit !(n > 1) }' ladder/ladder-ensemble.csv || fail 'the ladder has no rows'

# ---- what is judged ----
nve=(--set thermostat.method=none --set integrator.steps=3000 --set output.series_interval=20fs --set integrator.step=1fs
  --set output.interval=100fs --set start.temperature=50K)
judged() { # NAME OPTIONS: the momenta that are judged are NAME
  local expected=$1
  shift
  succeeds run base.ini -o judged --force "${nve[@]}" "$@"
  run_rill validate judged/base.h5md
  [ "$(grep -c '^[A-Za-z]*  *momentum ' .stdout)$(grep -c '^[A-Za-z]*  *angular momentum ' .stdout)" = "$expected" ] || fail "$*: $(cat .stdout)"
}
judged 11
judged 10 --set field.electric=0,0,1V/nm
judged 01 --set field.trap=1000kJ/mol/nm2
judged 00 --set field.trap=1000kJ/mol/nm2 --set field.electric=0,0,1V/nm
succeeds run seven.ini -o rescaled --set integrator.steps=2000 --set output.series_interval=10fs
succeeds run base.ini -q -o parts --set thermostat.friction=20/ps --set thermostat.rotation_friction=60/ps \
  --set integrator.steps=2000 --set output.series_interval=10fs
says stdout 'weighted by the frictions'
succeeds run base.ini -q -o alike --set thermostat.friction=20/ps --set integrator.steps=2000 --set output.series_interval=10fs
grep -q 'weighted by the frictions' .stdout && fail 'the summary weights equal frictions'
cmp -s parts/base.csv alike/base.csv && fail 'the friction of rotation has no effect'
run_rill validate parts/base.h5md
grep -A1 '^[a-zA-Z]*  temperature  ' .stdout | tr -s ' \n' ' ' | grep -q 'weighted by frictions: ' || fail "validate: $(cat .stdout)"
# The weights are the frictions times the degrees of freedom, which are as many for both parts here.
run_rill validate parts/base.h5md --json
"$PYTHON" - parts/base.csv .stdout <<'PYTHON' || fail 'validate judges another mean of the temperatures'
import csv, json, sys
rows = list(csv.DictReader(line for line in open(sys.argv[1]) if not line.startswith('#')))
value = next(one['value'] for one in json.load(open(sys.argv[2])) if one['what'] == 'temperature')
found = False
for step in ('', 'half_'):
    mean = [0.75 * float(row[f'temperature_{step}rotation']) + 0.25 * float(row[f'temperature_{step}translation'])
            for row in rows]
    found |= any(abs(sum(mean[k:]) / len(mean[k:]) - value) < 1e-9 for k in range(len(mean)))
sys.exit(not found)
PYTHON
run_rill validate rescaled/base.h5md
says stdout 'effective energy'
finish
