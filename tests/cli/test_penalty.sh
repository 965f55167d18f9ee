#!/bin/bash
# Penalised water on the command line: keys, header, energies, warnings, what is written.
. "$RILL_SOURCE/tests/cli/lib.sh"

sed 's/^method = rattle/method = zss-simplified/; s/^step = 2 fs/step = 1 fs/' base.ini >penalty.ini
cat >>penalty.ini <<'DECK'
[penalty]
stiffness = 20 akma
[start]
minimize = yes
DECK

# ---- the header says what the bonds are; the summary and the files have them ----
succeeds run penalty.ini --set penalty.record=multipliers --set penalty.window=5fs --set penalty.molecule=7
says stdout 'w = 4090.97 sqrt(kJ/mol)/nm2 = 20 akma: O-H like 613362 kJ/mol/nm2 = 1466 kcal/mol/A2'
says stdout '63 degrees of freedom'
says stdout 'beta 0.4, hessian gauss-newton'
says stdout 'bonds (penalty)'
says stdout 'penalty-multipliers.csv'
says stderr 'energy minimised from'
[ "$(lines_of penalty-multipliers.csv)" -eq 11 ] || fail 'multipliers: not a row at each sample'
# Row 0 has the physical position, too: a rigid start has no strain at x, but at q.
succeeds run penalty.ini --set penalty.record=multipliers --set start.minimize=no --set integrator.steps=0 -o strained
awk -F, '/^0,/ { found = $3 ^ 2 < 1 && $6 ^ 2 > 100 } END { exit !found }' strained/penalty-multipliers.csv ||
  fail "row 0: $(grep '^0,' strained/penalty-multipliers.csv)"
grep -q '^step,.*,confine,penalty,potential,' base.csv || sed -n '/^step/p' base.csv | grep -q penalty || fail 'series: no column of the penalty'

# ---- the expanded deck reads back: the same run, byte for byte ----
"$RILL" info base.h5md >.info 2>/dev/null
succeeds check penalty.ini
says stdout 'stiff springs'

# ---- energy: the bonds count on request; the rigid minimum has none ----
succeeds energy water7.gro --penalty 20akma --json
says stdout '"penalty_kJ_mol": '
succeeds energy penalty-final.gro --penalty 20akma
says stdout 'bonds (penalty)'
refuses 'the unit is missing' energy water7.gro --penalty 20
refuses 'expected a stiffness above 0' energy water7.gro --penalty 0akma

# ---- a run starts from a penalised geometry, and leaves its bonds as they are ----
sed 's/^structure.*/structure = penalty-final.gro/; /minimize/d' penalty.ini >next.ini
succeeds run next.ini -o next --set start.velocities=file
grep -q 'molecules were fitted to the geometry' .stderr && fail 'penalised molecules were made rigid'

# ---- keys without effect, and what is missing ----
refuses 'it needs rigid molecules' run penalty.ini --set constraints.solver=mshake -o out
refuses 'use zss-simplified' run penalty.ini --set integrator.method=zss -o out
refuses 'no stiff part' run base.ini --set integrator.method=zss-simplified -o out
refuses 'it needs penalty.record' run penalty.ini --set penalty.window=5fs -o out
refuses 'there are 7' run penalty.ini --set penalty.record=multipliers --set penalty.molecule=8 -o out
refuses 'it needs water and a method' run penalty.ini --set integrator.nonlinear=anderson -o out
{ sed '/^\[penalty\]/,$d' penalty.ini; echo '[penalty]'; } >empty.ini
refuses 'neither stiffness' run empty.ini -o out

# ---- notes before the run; none for the usual numbers ----
notes() { # notes TEXT SETTING...
  local text=$1
  shift
  succeeds check penalty.ini "$@"
  says stdout "$text"
}
notes 'an explicit method is unstable above 2' --set integrator.method=verlet --set integrator.step=2fs --set integrator.steps=9
says stdout 'advances by 3.72 in a step'
says stdout 'shorten the step to 1.08 fs' # 2 x 2 fs / 3.72
notes 'is below 1/4' --set integrator.beta=0.2
notes 'use 0.4' --set integrator.beta=0.1 --set integrator.step=5fs --set integrator.steps=9 --set output.interval=1steps
notes 'unstable above about 0.01 at 10 K' --set integrator.method=zs --set integrator.step=2.7fs --set integrator.steps=9 \
  --set output.interval=1steps
notes 'use zss-simplified' --set integrator.method=zs --set integrator.step=4fs --set integrator.steps=9 --set output.interval=1steps
succeeds check penalty.ini
grep -q 'unstable\|below 1/4' .stdout && fail 'a note about the usual numbers'

# ---- implicit methods say how they solved ----
succeeds run base.ini --set integrator.method=dvp --set integrator.nonlinear=newton-krylov -o dvp
says stdout 'nonlinear newton-krylov'
says stdout 'force evaluations per step'
succeeds run penalty.ini --set integrator.method=newmark-onestep --set integrator.newton_start=D -o onestep
says stdout 'newton_start D'

finish
