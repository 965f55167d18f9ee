#!/usr/bin/env bash
# 100 steps against 37 + 63: all files of both, by cmp, for every method, thermostat and constraint solver that binds to
# each system, as `rill list combinations all` and `rill list constraints` name them.  The two parts have other numbers of
# threads than the whole.
#
#   combinations.sh [EVERY [FIRST]]   every EVERY-th combination from number FIRST (default: all of them)
#
# The last line is the count of combinations that are the same to the byte.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99
every=${1:-1} first=${2:-0} number=0 equal=0
declare -A tried
unset OMP_NUM_THREADS
cp "$data/structures/p216.xyz" .

# The strength of a bath: by its friction, or the time in which it scales velocities.
strength() { [ "$1" = v-rescale ] && echo 'tau = 0.5 ps' || echo 'friction = 2 /ps'; }

# A deck of water: water METHOD THERMOSTAT, [constraints] or [penalty] and more on standard input.
water() {
  cat <<DECK
[system]
structure = water7.gro
[start]
temperature = 50 K
[integrator]
method = $1
step = 0.5 fs
steps = 100
[thermostat]
method = $2
$([ "$2" = none ] || printf 'temperature = 50 K\n%s\nseed = 5' "$(strength "$2")")
[output]
trajectory = run.h5md
interval = 7 steps
velocities = yes
precision = double
series = run.csv
series_interval = 2 steps
checkpoint_interval = 10 steps
DECK
  cat
}

# A deck of a small system: small KIND METHOD STEP, with the formulation on standard input.
small() {
  cat <<DECK
[output]
trajectory = run.h5
interval = 3 steps
series = run.csv
series_interval = 2 steps
[integrator]
method = $2
step = $3
steps = 100
[system]
kind = $1
DECK
  cat
}

# compare NAME: run.ini whole, and in two parts; counts it.
compare() {
  local threads=$((equal % 4 + 1)) file
  rm -rf whole parts
  if ! "$RILL" run run.ini -q -o whole --threads $threads >/dev/null 2>.stderr </dev/null; then
    fail "$1 does not run: $(head -n 1 .stderr)"
    return
  fi
  "$RILL" run run.ini -q -o parts --set integrator.steps=37 --threads $((threads % 4 + 1)) >/dev/null 2>.stderr </dev/null &&
    "$RILL" run run.ini -q -o parts --resume --threads $(((threads + 1) % 4 + 1)) >/dev/null 2>.stderr </dev/null
  if [ $? -ne 0 ]; then
    fail "$1 is not resumed: $(head -n 3 .stderr)"
    return
  fi
  rm -f whole/*.prev parts/*.prev
  [ "$(ls whole)" = "$(ls parts)" ] || fail "$1: other files: $(ls parts)"
  for file in whole/*; do
    if ! cmp -s "$file" "parts/${file#whole/}"; then
      fail "$1: ${file#whole/} differs"
      return
    fi
  done
  equal=$((equal + 1))
}

# binds: whether run.ini would run; what is refused for another reason than that it does not bind is a failure.
binds() {
  "$RILL" check run.ini >/dev/null 2>.stderr </dev/null && return
  grep -q 'does not bind\|single precision its nonlinear solves' .stderr || fail "$method, $thermostat: $(head -n 2 .stderr)"
  return 1
}

# chosen: whether this combination's turn has come.
chosen() {
  number=$((number + 1))
  [ $(((number - 1) % every)) -eq $((first % every)) ]
}

solvers=$("$RILL" list constraints --json | sed -n 's/.*"name": "\([^"]*\)".*/\1/p')
while read -r system method thermostat _; do
  case $system in
    water | water/bodies) # which of the two a solver is of, the program knows
      for solver in $solvers; do
        [ -z "${tried[$method $thermostat $solver]-}" ] || continue
        tried[$method $thermostat $solver]=yes
        water "$method" "$thermostat" >run.ini <<<$'[constraints]\nsolver = '"$solver"$'\n[rdf]\npair = O-O\nbins = 20'
        binds && chosen && compare "7 waters, $method, $thermostat, $solver"
        for precision in mixed double; do
          water "$method" "$thermostat" <<<$'[constraints]\nsolver = '"$solver"$'\n[forces]\nprecision = '"$precision"$'\ncutoff = 0.8 nm' |
            sed 's/water7.gro/p216.xyz\nboundary = periodic/' >run.ini
          chosen && binds && compare "216 waters in a box, $method, $thermostat, $solver, $precision"
        done
      done
      ;;
    water/box*) ;; # among the others: what does not bind is passed over
    water/penalised)
      chosen || continue
      water "$method" "$thermostat" >run.ini <<<$'[penalty]\nstiffness = 20 akma\nrecord = multipliers\nwindow = 5 steps'
      compare "7 penalised waters, $method, $thermostat"
      sed -i 's/water7.gro/p216.xyz\nboundary = periodic/; s/^\[penalty\]/[forces]\ncutoff = 0.8 nm\n&/' run.ini
      binds && compare "216 penalised waters in a box, $method, $thermostat"
      ;;
    *)
      chosen || continue
      kind=${system%/*} formulation='' step=0.01
      [ "${system#*/}" = penalised ] && step=0.001
      [ "$step $method" = '0.001 symmetric8' ] && step=0.0001 # stable for shorter steps than the others
      [ "$kind" = "$system" ] || formulation="formulation = ${system#*/}"
      unit=''
      "$RILL" list systems "$kind" | grep -q 'SI units' && unit=' s'
      small "$kind" "$method" "$step$unit" >run.ini <<<"$formulation"
      compare "$system, $method"
      sed -i 's/^\[integrator\]/&\ncomposition = yoshida4/' run.ini
      "$RILL" check run.ini >/dev/null 2>&1 </dev/null && compare "$system, $method, composed"
      ;;
  esac
done < <("$RILL" list combinations all | awk '$1 != "every" && / binds$/ { print $1, $2, (NF > 3 ? $3 : "none") }')
[ "$equal" -gt 0 ] || fail 'no combination was tried'
printf '%d combinations: 100 steps and 37 + 63 steps are the same to the byte in all files\n' "$equal"
finish
