#!/usr/bin/env bash
# One box over the ranks of MPI: the same bytes in all files as `rill run` for any number of ranks and threads, every
# method, solver, thermostat and model, also after a run was stopped, or killed, and resumed on another number; signals
# and time limits; what is refused.
#
#   RILL_RANDOM_RANKS=N   makes N more comparisons, chosen at random (make check-ranks)
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
# shellcheck source=tests/cli/ranks.sh
. "$RILL_SOURCE/tests/cli/ranks.sh"

for model in tip3p opc; do
  "$RILL" build water 1000 --model $model --density 0.97g/cm3 --seed 3 -q -o $model.gro >.stdout 2>.stderr </dev/null ||
    fail "no box of $model: $(cat .stderr)"
done
cat >box.ini <<'DECK'
[system]
model = tip3p
structure = tip3p.gro
boundary = periodic
[integrator]
method = rattle
step = 2 fs
steps = 60
[start]
temperature = 330 K
[forces]
cutoff = 0.6 nm
lj = shift
tail = yes
accuracy = 3e-4
[output]
trajectory = box.h5md
interval = 40 fs
series = box.csv
series_interval = 10 fs
velocities = yes
[rdf]
from = 0 ps
DECK

# compared RANKS THREADS KEY=VALUE...: one process and so many ranks, of $deck.
deck=box.ini
compared() {
  local n=$1 t=$2 key settings=()
  shift 2
  for key; do settings+=(--set "$key"); done
  rm -rf one several
  succeeds run $deck -q -o one -t 2 "${settings[@]}"
  ranks "$n" $deck -q -o several -t "$t" ${mesh_ranks:+--mesh-ranks $mesh_ranks} "${settings[@]}"
  ends 0
  same_folders one several
}

# ---- a set in which each two values meet at least once ----
bath='thermostat.temperature=300K thermostat.friction=5/ps'
compared 1 2 forces.coulomb=pme # as in rill, but for MPI
compared 2 1 forces.coulomb=pme
compared 8 1 forces.coulomb=pme thermostat.method=baoab $bath
compared 3 2 forces.coulomb=pme forces.precision=double constraints.solver=shake thermostat.method=gla $bath
compared 4 2 forces.coulomb=pme forces.accuracy=1e-3 constraints.solver=mshake thermostat.method=baoab $bath
compared 6 1 forces.coulomb=pme constraints.solver=lgvi thermostat.method=baoab $bath
compared 2 2 forces.coulomb=pme forces.precision=double forces.accuracy=1e-5 constraints.solver=rotor
compared 8 2 forces.coulomb=cut constraints.solver=rotor thermostat.method=gla $bath thermostat.rotation_friction=2/ps
compared 6 2 forces.coulomb=cut forces.precision=double constraints.solver=mshake
compared 3 1 forces.coulomb=reaction-field forces.cutoff_by=atom constraints.solver=lgvi forces.precision=double
compared 4 1 forces.coulomb=reaction-field constraints.solver=shake thermostat.method=v-rescale \
  thermostat.temperature=300K thermostat.tau=0.1ps
compared 4 1 forces.coulomb=pme penalty.stiffness=20akma integrator.method=zs integrator.step=1fs \
  thermostat.method=baoab $bath
compared 8 1 forces.coulomb=reaction-field penalty.stiffness=20akma integrator.method=zss-simplified \
  integrator.step=1fs forces.precision=double
compared 3 1 forces.coulomb=pme system.model=opc system.structure=opc.gro thermostat.method=gla $bath
compared 6 1 forces.coulomb=reaction-field system.model=opc system.structure=opc.gro forces.precision=double
compared 4 2 forces.coulomb=pme integrator.method=respa integrator.substeps=2
compared 3 1 forces.coulomb=cut integrator.method=yoshida4 forces.kernel=portable

# Multipliers of a molecule, which one of the ranks has.
record='penalty.record=multipliers penalty.window=8fs'
compared 4 1 forces.coulomb=pme $record penalty.molecule=617 thermostat.method=gla $bath
compared 3 1 forces.coulomb=pme $record penalty.molecule=3 penalty.stiffness=20akma integrator.method=zs \
  integrator.step=1fs

# Some of the ranks transform the mesh.
mesh_ranks=1
compared 4 1 forces.coulomb=pme thermostat.method=gla $bath
mesh_ranks=3
compared 8 2 forces.coulomb=pme forces.precision=double constraints.solver=shake
mesh_ranks=

# At constant pressure; with a mesh that is chosen anew, by rank 0.
pressure='barostat.method=rescale barostat.tau=0.1ps barostat.interval=4steps'
compared 3 1 forces.coulomb=pme barostat.pressure=1bar $pressure thermostat.method=baoab $bath
compared 2 2 forces.coulomb=pme forces.precision=double barostat.pressure=1bar ${pressure/rescale/mc} \
  constraints.solver=lgvi thermostat.method=v-rescale thermostat.temperature=300K thermostat.tau=0.1ps
compared 2 1 forces.coulomb=pme forces.cutoff=0.5nm forces.accuracy=3e-3 integrator.steps=300 barostat.pressure=-9000bar \
  ${pressure/0.1ps/0.02ps} thermostat.method=baoab $bath
says stdout 'mesh chosen anew'

# Trials, of which some are rejected; with an iteration, which is tried backwards.
trials='thermostat.method=ghmc thermostat.temperature=300K thermostat.trial_steps=3'
compared 4 2 forces.coulomb=pme integrator.step=1fs $trials
says stdout 'accepted'
compared 3 1 forces.coulomb=pme forces.precision=double constraints.solver=mshake integrator.step=0.5fs $trials

# In a field and a trap, whose energies are sums over all molecules.
compared 4 2 forces.coulomb=pme 'field.electric=0.1 -0.2 0.5 V/nm' thermostat.method=baoab $bath
compared 3 1 forces.coulomb=pme 'field.electric=0 0 0.1 V/nm' field.trap=5kJ/mol/nm2 integrator.method=respa \
  integrator.substeps=2
compared 2 1 forces.coulomb=pme 'field.electric=0 0 0.1 V/nm' barostat.pressure=1bar ${pressure/rescale/mc} \
  thermostat.method=baoab $bath

# Properties: of molecules, which rank 0 collects, and sums.
compute='properties.compute=diffusion, velocity, dipole, viscosity, dielectric, heat-capacity, hydrogen-bonds, vaporisation'
sampled='properties.interval=10fs properties.motion_interval=20fs properties.energy_interval=10fs properties.bond_interval=20fs'
compared 4 2 forces.coulomb=pme "$compute" $sampled thermostat.method=gla $bath
compared 3 1 forces.coulomb=pme "${compute/heat-capacity, /}" $sampled forces.precision=double constraints.solver=lgvi

# Molecules that are not whole, and boxes away.
awk -v edge="$(tail -n 1 tip3p.gro | awk '{ print $1 }')" '
  NF > 4 && NR % 21 == 3 { $0 = sprintf("%s%8.3f%s", substr($0, 1, 20), substr($0, 21, 8) - 2 * edge, substr($0, 29)) }
  { print }' tip3p.gro >far.gro
! cmp -s tip3p.gro far.gro || fail 'no molecule was moved'
compared 4 1 forces.coulomb=pme system.structure=far.gro

# A start that the run has made stays in its checkpoints; velocities of a file.
kept='output.checkpoint_interval=20steps'
sed 's|^structure.*|molecules = 1000\ndensity = 0.97 g/cm3|' box.ini >built.ini
deck=built.ini
compared 3 1 $kept
deck=box.ini
cp one/built-final.gro moving.gro
compared 2 1 $kept system.structure=moving.gro start.velocities=file

for _ in $(seq "${RILL_RANDOM_RANKS:-0}"); do
  pick() { local of=("$@"); printf '%s' "${of[RANDOM % $#]}"; }
  settings=("forces.coulomb=$(pick pme pme cut reaction-field)" "forces.precision=$(pick mixed double)"
    "constraints.solver=$(pick settle mshake shake lgvi rotor)")
  read -ra more <<<"$(pick '' "thermostat.method=baoab $bath" "thermostat.method=gla $bath")"
  compared "$(pick 2 3 4 6 8)" "$(pick 1 2 3)" "${settings[@]}" "${more[@]}" "start.seed=$RANDOM"
done

# ---- stopped and resumed, each time on other ranks and threads ----
settings=(--set forces.coulomb=pme --set thermostat.method=baoab --set thermostat.temperature=300K --set thermostat.friction=5/ps)
succeeds run box.ini -q -o straight -t 1 "${settings[@]}" --set integrator.steps=120
step=0 resume=()
for n in 3 1 2 8 4 1 8 3 2 4; do
  step=$((step + 12))
  ranks "$n" box.ini -q -o parts -t $((n % 2 + 1)) "${settings[@]}" --set integrator.steps=$step "${resume[@]}"
  ends 0
  resume=(--resume)
done
rm -f parts/*.prev
same_folders straight parts
ranks 2 box.ini -o parts "${settings[@]}" --resume --set integrator.steps=120
ends 0
says stdout 'the run is complete'

# The first forces after a resumption are those of the mesh alone.
settings=(--set forces.coulomb=pme --set integrator.method=respa --set integrator.substeps=2)
succeeds run box.ini -q -o two-steps -t 1 "${settings[@]}" --set integrator.steps=24
ranks 3 box.ini -q -o resumed-two -t 1 "${settings[@]}" --set integrator.steps=12
ranks 2 box.ini -q -o resumed-two -t 1 "${settings[@]}" --set integrator.steps=24 --resume
ends 0
rm -f resumed-two/*.prev
same_folders two-steps resumed-two

# ---- a run that fails: the same report, and the same files; also where the first of two drifts fails ----
for bath in 'thermostat.method=none' "thermostat.method=baoab $bath"; do
  read -ra more <<<"${bath//thermostat/--set thermostat}"
  rm -rf failed-*
  for n in 1 4; do
    ranks $n box.ini -q -o "failed-$n" -t 1 --set integrator.step=10fs --set start.temperature=3000K "${more[@]}"
    ends 1
    sed -n 's/^rill-mpi: //; /^---*$/q; p' .stderr | sed "s/failed-$n/failed/g" >"report-$n"
  done
  [ "$(sed 's/;.*//;q' report-1)" = "$(sed 's/;.*//;q' report-4)" ] || fail "other reports: $(cat report-1 report-4)"
  rm -f failed-*/*.prev
  same_folders failed-1 failed-4
done

# ---- signals, time limits, a rank that is killed ----
sed 's/^steps.*/steps = 1000000000/; s/^interval.*/interval = 20 ps/; s/^series_i.*/series_interval = 2 ps/' box.ini >long.ini
started usr2
kill -USR2 $process
ended 140
says_err 'rill-mpi: error: stopped by a signal after step '
resumed usr2 2
started term
kill -TERM "$(pgrep -P $process | tail -n 1)"
ended 143
started killed
kill -KILL "$(pgrep -P $process | tail -n 1)"
ended 137
resumed killed 4
ranks 3 long.ini -q -o limit -t 1 --max-time 1s
ends 0
says stderr 'rill-mpi: stopped at the time limit after step '
says stderr 'mpirun -n 3 '
resumed limit 2

# ---- rank 0 cannot write ----
command='three ranks, files limited'
timeout 60 env OMPI_MCA_btl=self,tcp mpirun -n 3 bash -c 'ulimit -f 900; exec "$@"' sh "$RILL-mpi" run box.ini -q -o full -t 1 \
  --set output.interval=2fs >.stdout 2>.stderr </dev/null
status=$?
ends 1
says stderr 'full/box.h5md'
[ "$(grep -c '^rill-mpi: error: ' .stderr)" -eq 1 ] || fail "$command: not one message: $(head -c 900 .stderr)"

# ---- the report, and what is refused ----
ranks 3 box.ini -o said -t 1 --set integrator.steps=20 --mesh-ranks 2
says stderr 'note: 3 ranks of 1 thread, each with a brick of the box, '
says stdout 'molecules of a rank'
says stdout 'migrations'
says stdout 'that transform the mesh    '
says stdout 'most memory, of rank 0'
{ sed '$d' tip3p.gro && echo '  12.0  12.0  12.0'; } >corner.gro
mpi=$RILL-mpi
before=$(listing)
divided() { # divided FRAGMENT RANKS ARGUMENT...: refused
  rejects "$1" mpirun -n "$2" "$mpi" run "${@:3}" -q -o bad
}
divided 'the next smaller number of ranks that fits is 3' 4 box.ini --set forces.cutoff=0.9nm
divided 'the box is too uneven for 2 ranks' 2 box.ini --set system.structure=corner.gro
divided 'a cluster in vacuum (system.boundary = vacuum) is not divided among ranks' 2 base.ini
divided 'forces.kernel = reference is not divided' 2 box.ini --set forces.kernel=reference
divided '--mesh-ranks 3: expected at most the number of ranks, 2' 2 box.ini --mesh-ranks 3
divided '--mesh-ranks 2: there is no mesh that ranks share' 2 box.ini --mesh-ranks 2 --set forces.coulomb=cut
divided 'a small system is not divided' 2 "$inputs/double-pendulum.ini"
if "$RILL" check box.ini | grep -q 'avx.* kernel'; then
  rejects 'has read another deck' mpirun -n 2 "$mpi" run box.ini -q -o bad : \
    -n 1 "$mpi" run box.ini -q -o bad --set forces.kernel=portable
fi
beside() { # beside FRAGMENT ARGUMENT...: what rank 1 runs
  rejects "$1" timeout 60 mpirun -n 1 "$mpi" run box.ini -q -o bad : -n 1 "$mpi" run "${@:2}" -q -o bad
}
beside 'none.ini: cannot be opened' none.ini
beside 'has read another deck' box.ini --set forces.coulomb=cut
beside 'one of them has an [ensemble]' "$inputs/ladder7.ini"
command='rill run --mesh-ranks 1'
"$RILL" run box.ini -q -o bad --mesh-ranks 1 >.stdout 2>.stderr </dev/null
status=$?
ends 2
says stderr '--mesh-ranks 1: there is no mesh that ranks share'
mpirun -n 2 "$RILL" run box.ini -q -o bad >.stdout 2>.stderr </dev/null
status=$? command='mpirun rill'
ends 2
says stderr 'started as 2 processes'
[ "$(listing)" = "$before" ] || fail 'refused, but files changed'
finish
