#!/usr/bin/env bash
# Water models: energies and forces against another program; a model whose numbers a deck gives; every part of the
# program with models other than the default; what is refused.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
three_sites='tip3p tip3p-ac spc spce tip3p-fb opc3'
four_sites='tip4p tip4p-ew tip4p-2005 opc tip4p-fb'

python=${PYTHON:-python3}
command -v "$python" >/dev/null || exit 77
"$python" "$RILL_SOURCE/tests/cli/models.py" || fail 'energies and forces of LAMMPS'

# ---- custom with the numbers of tip3p: the same bytes, but for the name and the keys in the deck ----
tip3p=(--set system.model=custom --set 'system.r_oh=0.9572 A' --set 'system.angle=104.52 deg' --set 'system.charge_h=0.417 e'
  --set 'system.sigma=3.15061 A' --set 'system.epsilon=0.1521 kcal/mol')
succeeds run base.ini -q -o named
succeeds run base.ini -q -o custom "${tip3p[@]}"
same_files named/base-final.gro custom/base-final.gro
cmp -s <(grep -v '^#' named/base.csv) <(grep -v '^#' custom/base.csv) || fail 'custom: another series than tip3p'
grep -q 'sigma = 0.315061 nm' custom/base.csv || fail 'custom: the deck in the series lacks its numbers'
succeeds validate custom/base.h5md
cat >box.ini <<'DECK'
[system]
molecules = 216
boundary = periodic
[integrator]
step = 2 fs
steps = 20
[output]
trajectory = box.h5md
series = box.csv
interval = 10 steps
DECK
succeeds run box.ini -q -o named
succeeds run box.ini -q -o custom "${tip3p[@]}"
same_files named/box-final.gro custom/box-final.gro

# ---- its keys ----
refuses '[system] r_oh is missing: distance of oxygen and hydrogen' check base.ini --set system.model=custom
refuses '[system] sigma has no effect here: it needs system.model = custom' check base.ini --set 'system.sigma=0.3 nm'
but() { # but KEY=VALUE: the numbers of tip3p with another value in `arguments`
  arguments=("${tip3p[@]}")
  for i in "${!arguments[@]}"; do
    case ${arguments[i]} in system."${1%%=*}"=*) unset "arguments[i-1]" "arguments[i]" ;; esac
  done
  arguments+=(--set "system.$1")
}
for wrong in 'r_oh=0.9572 nm' 'angle=1.2 deg' 'charge_h=-0.834 e' 'charge_h=0.4' 'sigma=0.3 A' 'sigma=3 nm' 'epsilon=152 kJ/mol' 'mass_o=16 kg' \
  'mass_h=0 u' 'r_om=0.15 nm' 'r_om=-0.01 nm'; do
  but "$wrong"
  refuses "system.${wrong%%=*}" check base.ini "${arguments[@]}"
done
succeeds check base.ini "${tip3p[@]}" --set 'system.r_om=0.15 A'
says stdout 'site M 0.015 nm from O'
but 'angle=120 deg'
tip3p=("${arguments[@]}")
refuses 'which are 0.04786 nm along the bisector' check base.ini "${tip3p[@]}" --set 'system.r_om=0.48 A'
but 'angle=1.8242 rad'
succeeds check base.ini "${arguments[@]}" --set 'system.mass_h=2.014 u'
says stdout 'masses 15.9994 and 2.014 u'
says stdout 'H-O-H 104.5189'

# ---- names ----
refuses '--set system.model: [system] model: unknown water model' check base.ini --set system.model=SPC_E
says stderr 'did you mean spce?'
refuses 'Lennard-Jones on the hydrogens' check base.ini --set system.model=charmm-tip3p
refuses 'Price and Brooks' minimize water7.gro -o out.gro --model tip3p-ew
refuses 'takes its numbers from the keys of [system] in a deck' energy water7.gro --model custom
refuses 'did you mean opc3?' list models opcc3
refuses 'did you mean tip4p-2005?' check box.ini --set system.model=TIP4P/2005
succeeds list models
for model in $three_sites $four_sites; do
  grep -q -x "$model" .stdout || fail "list models: no $model"
done
succeeds list models spce
says stdout 'dipole moment 2.351 D'
says stdout 'Berendsen, Grigera, Straatsma'

# ---- every part of the program with every model; all methods with two of them ----
others=('--set constraints.solver=shake' '--set constraints.solver=mshake' '--set constraints.solver=rotor'
  '--set penalty.stiffness=20akma --set integrator.method=zss-simplified' '--set thermostat.method=baoab'
  '--set thermostat.method=ghmc' '--set integrator.method=dvp' '--set start.minimize=yes' '--set forces.precision=mixed')
for model in $three_sites $four_sites; do
  set_model=(--set system.model="$model")
  succeeds build water 4 -o "$model.gro" --model "$model" -q
  succeeds info "$model.gro"
  awk -v model="$model" '/geometry/ { found = 1; text = $0; gsub(",", "", text); text = text " "
    if ($5 > 1e-6 || index(text, " " model " ") == 0) exit 1 } END { exit !found }' .stdout ||
    fail "info: not the geometry of $model: $(grep geometry .stdout)"
  succeeds minimize "$model.gro" -o again.gro --force -q --model "$model"
  succeeds convert "$model.gro" "$model.pdb"
  succeeds check base.ini "${set_model[@]}" --set system.structure="$model.gro"
  says stdout "  model        $model"
  options=('' '--set constraints.solver=lgvi' '--set penalty.stiffness=20akma --set integrator.step=0.5fs')
  case $model in spce | opc) options+=("${others[@]}") ;; esac
  for option in "${options[@]}"; do
    # shellcheck disable=SC2086
    succeeds run base.ini -q -f -o "run-$model" "${set_model[@]}" --set system.structure="$model.gro" \
      --set integrator.time=0.2ps $option
  done
  succeeds run box.ini -q -f -o "run-$model" "${set_model[@]}"
  says stdout "potential energy"
done

spce=(--set system.model=spce --set system.structure=spce.gro)
succeeds validate run-spce/base.h5md
succeeds compare base.ini -q "${spce[@]}" --methods rattle/settle,rattle/lgvi --set integrator.time=0.1ps
succeeds run "$inputs/ladder7.ini" -q -f -o run-spce --set system.model=spce --set integrator.time=40fs \
  --set ensemble.exchange_interval=20fs --set output.interval=40fs --set output.series_interval=40fs \
  --set output.means_from=0ps

# ---- a file with the geometry of another model: fitted, and said whose it is ----
succeeds run base.ini -f -o fitted --set system.structure=spce.pdb --set integrator.steps=1 # 4 decimals
says stderr 'theirs is that of spc, spce'
succeeds run base.ini -f -o fitted --set system.structure=spce.gro --set system.model=spc --set integrator.steps=1
! grep -q 'fitted' .stderr || fail "spc: $(cat .stderr)"

succeeds energy spce.gro
says stderr 'theirs is that of spc, spce: --model names another'
succeeds energy spce.gro --model spce
! grep -q 'theirs' .stderr || fail "spce: $(cat .stderr)"
refuses 'has not the geometry of tip4p' convert spce.gro sites.gro --sites tip4p
succeeds convert opc.gro sites.gro --sites opc
succeeds run base.ini -q -f -o of-opc --set system.model=opc --set integrator.steps=50
succeeds run base.ini -q -f -o of-tip3p --set integrator.steps=50
refuses 'has another water model than the files before' rdf of-opc/base.h5md of-tip3p/base.h5md

# ---- four sites with the numbers of a model, and the decks of liquids ----
succeeds run base.ini -q -f -o custom --set system.model=custom --set 'system.r_oh=0.9572 A' --set 'system.angle=104.52 deg' \
  --set 'system.charge_h=0.52 e' --set 'system.r_om=0.15 A' --set 'system.sigma=3.15365 A' --set 'system.epsilon=0.155 kcal/mol'
succeeds run base.ini -q -f -o named --set system.model=tip4p
same_files named/base-final.gro custom/base-final.gro
succeeds run "$inputs/tip4p2005.ini" -q -o tip4p --set integrator.steps=300 --set output.means_from=0ps --set rdf.from=0ps
says stdout 'potential energy'
succeeds run "$inputs/spce.ini" -q -o spce --set integrator.steps=300 --set output.means_from=0ps --set rdf.from=0ps
says stdout 'potential energy'
succeeds validate spce/spce.h5md
finish
