#!/usr/bin/env bash
# A replica of an ensemble without exchange has the bytes of a plain run with its seed and temperature: for clusters of 2 to
# 33 molecules, with a wall and without, on each instruction set that the processor has, with constraints, as rigid bodies
# and with stiff bonds.  The ensemble has the same bytes in all files on 1, 2 and 3 threads, with lanes and without.
#
#   test_replicas.sh [EVERY [FIRST]]   every EVERY-th combination from number FIRST (default: every 11th, in which each
#                                      size, wall, instruction set and kind of molecule occurs)
#
# The last line is the count of combinations.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
every=${1:-11} first=${2:-0} number=0 equal=0
unset OMP_NUM_THREADS

cat >common.ini <<'DECK'
[start]
remove = none
[integrator]
step = 1 fs
steps = 40
[output]
trajectory = run.h5md
interval = 10 steps
velocities = yes
precision = double
[thermostat]
friction = 2 /ps
seed = 5
DECK
cat >replicas.ini <<'DECK'
[ensemble]
replicas = 15
temperatures = 100 K -> 150 K, 3
DECK
printf '%s\n' 'settle integrator.method=rattle thermostat.method=baoab constraints.solver=settle' \
  'lgvi integrator.method=rattle thermostat.method=baoab constraints.solver=lgvi' \
  'stiff integrator.method=zss-simplified thermostat.method=gla penalty.stiffness=80akma' >kinds

# field NAME INDEX: of a replica, from the document of rill check.
field() { grep -o '"replicas":\[.*\]' check.json | grep -o "\"$1\":[0-9.]*" | sed -n "$(($2 + 1))s/.*://p"; }

# compare NAME OPTION...: the ensemble on several threads, and three of its replicas alone: the first, the last of a group of
# eight, and the last one, of a group that is not full.
compare() {
  local name=$1 failed=$failures replica threads file
  shift
  for threads in 1 2 3; do
    succeeds run many.ini -q -f -o many-$threads --threads $threads --lanes "$([ $threads = 2 ] && echo off || echo auto)" "$@"
  done
  for file in many-1/*; do
    for threads in 2 3; do same_files "$file" "many-$threads/${file##*/}"; done
  done
  succeeds check many.ini --json "$@"
  tr -d ' \n' <.stdout >check.json
  for replica in 0 7 14; do
    succeeds run one.ini -q -f -o "one-$replica" --threads 1 "$@" --set "thermostat.seed=$(field seed $replica)" \
      --set "thermostat.temperature=$(field temperature $replica) K"
    sed -n "/^replica $replica,/,/^replica $((replica + 1)),/p" many-1/many-final.gro | sed '1d; /^replica/d' >a.rest
    tail -n +2 "one-$replica/one-final.gro" >b.rest
    same_files a.rest b.rest
  done
  if [ -n "${PYTHON-}" ]; then
    "$PYTHON" - <<'CODE' || fail "$name: a replica is not the run of its seed"
import sys, h5py
many = h5py.File('many-1/run.h5md')['particles/trajectory']
for replica in 0, 7, 14:
    one = h5py.File(f'one-{replica}/run.h5md')['particles/trajectory']
    for what in 'position', 'velocity':
        alone, all_of_them = one[what]['value'][()], many[what]['value'][()]
        atoms = alone.shape[1]
        if len(alone) != 5 or alone.tobytes() != all_of_them[:, replica * atoms:(replica + 1) * atoms].tobytes():
            sys.exit(f'replica {replica}: {what}')
CODE
  fi
  [ "$failures" -eq "$failed" ] || fail "$name"
  equal=$((equal + 1))
}

kernels='portable avx2 avx512 avx512vl'
! "$RILL" check "$RILL_SOURCE/inputs/water7.ini" --set forces.kernel=neon >/dev/null 2>&1 || kernels='portable neon'
for molecules in 2 7 8 9 20 33; do
  for wall in none 0.25; do
    for kernel in $kernels; do
      while read -r kind options; do
        number=$((number + 1))
        [ $(((number - 1) % every)) -eq $((first % every)) ] || continue
        [ -e w$molecules.gro ] || succeeds build water "$molecules" -o w$molecules.gro $([ "$molecules" -gt 30 ] || echo --trials 1)
        {
          printf '[system]\nstructure = w%s.gro\n' "$molecules"
          [ $wall = none ] || printf '[confine]\nradius = %s nm\n' "$wall"
          cat common.ini
        } >one.ini
        cat one.ini replicas.ini >many.ini
        set -- --set "forces.kernel=$kernel"
        for option in $options; do set -- "$@" --set "$option"; done
        if ! "$RILL" check many.ini "$@" >/dev/null 2>.stderr && grep -q 'processor' .stderr; then continue; fi
        compare "$molecules molecules, wall $wall, $kernel, $kind" "$@"
      done <kinds
    done
  done
done
[ "$equal" -gt 0 ] || fail 'no combination was tried'
printf '%d combinations: replicas are the runs of their seeds, to the byte\n' "$equal"
finish
