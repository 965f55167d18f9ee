#!/usr/bin/env bash
# The other commands: rdf, convert, info, list, build, minimize.  Cases G15, G17, H04.
# shellcheck source=tests/cli/lib.sh
. "${RILL_SOURCE:?}/tests/cli/lib.sh" || exit 99

# ---- rdf of the trajectory is the run's own, number for number (frames in double precision) ----
succeeds run base.ini -q -o run --set output.precision=double --set rdf.from=0.5ps --set output.velocities=yes
succeeds rdf run/base.h5md --from 0.5ps --csv again.csv
grep -v '^#' run/base-rdf.csv >run-numbers.csv
grep -v '^#' again.csv >again-numbers.csv
same_files run-numbers.csv again-numbers.csv
succeeds rdf run/base.h5md --from 0.5ps
[ "$(grep '^[0-9]' .stdout | wc -l)" -eq 200 ] || fail 'rdf: not 200 bins on standard output'
says stdout 'no volume' # H04
# A density: its sum over the bins is one over the width of a bin, all pairs of the cluster lying within 1 nm.
awk -F, '/^[0-9]/ { sum += $2 * 0.005 } END { exit sum < 1 - 1e-9 || sum > 1 + 1e-9 }' again.csv || fail 'rdf: does not add up to 1'
succeeds rdf run/base.h5md --bins 50 --max 5A --csv wide.csv
refuses '--max 1e308nm: at most 1000 nm is expected' rdf run/base.h5md --max 1e308nm
[ "$(lines_of wide.csv)" -eq 50 ] || fail 'rdf: --bins 50'
refuses 'exists; give --force' rdf run/base.h5md --csv wide.csv
succeeds rdf run/base.h5md --csv wide.csv --force
refuses 'no frame at or after 5 ps (it has 11 frames)' rdf run/base.h5md --from 5ps

# ---- convert: there and back, to the last decimal that the coarsest format holds ----
xyz=$data/structures/c020_a.xyz
# differs_by LIMIT FILE: the largest difference from the positions of c020_a.xyz, both as XYZ (Angstrom)
differs_by() {
  succeeds convert "$2" differs.xyz --force
  paste <(tail -n +3 "$xyz") <(tail -n +3 differs.xyz) |
    awk -v limit="$1" '$1 != $5 { bad = 1 }
      { for (c = 2; c <= 4; c++) { d = $c - $(c + 4); if (d < 0) d = -d; if (d > most) most = d } }
      END { if (bad || NR != 60 || most > limit) { print most; exit 1 } }' || fail "convert: $2 is off $xyz by more than $1 Angstrom"
}
succeeds convert "$xyz" one.gro
succeeds convert one.gro two.pdb
succeeds convert two.pdb three.xyz
succeeds convert three.xyz four.gro
differs_by 5.1e-9 one.gro    # nine decimals of nm
differs_by 5.1e-4 two.pdb    # three of Angstrom
differs_by 5.1e-4 three.xyz
differs_by 5.1e-4 four.gro
succeeds convert "$xyz" five.xyz
differs_by 1e-10 five.xyz
# Velocities go with GRO; boxes with GRO and PDB.
succeeds convert "$data/variants/velocities.gro" velocities.gro
paste <(sed -n 3p "$data/variants/velocities.gro" | cut -c45-68) <(sed -n 3p velocities.gro | cut -c63-) |
  awk '{ for (c = 1; c <= 3; c++) if ($c - $(c + 3) > 1e-9 || $(c + 3) - $c > 1e-9) exit 1 }' || fail 'convert: velocities'
succeeds convert "$data/variants/triclinic.gro" triclinic.pdb
grep -q '^CRYST1   21.000   21.000   21.000  60.00  60.00  90.00' triclinic.pdb || fail "convert: box $(head -n 3 triclinic.pdb)"
# Frames of a trajectory, with their velocities; the last one is the run's last frame.
succeeds convert run/base.h5md last.gro
same_files <(sed 1d last.gro) <(sed 1d run/base-final.gro)
succeeds convert run/base.h5md first.gro --frame 0
same_files <(cut -c1-62 first.gro | sed 1d) <(sed 1d run/base.gro)
refuses 'has 11 frames (0 to 10)' convert run/base.h5md no.gro --frame 11
for frame in -1 x '' 1e9; do
  refuses 'expected a number from 0, last or all' convert run/base.h5md no.gro "--frame=$frame"
done

# ---- files of several frames: convert, energy, info, minimize, and the start of a run ----
for ending in gro pdb xyz; do
  succeeds convert run/base.h5md all.$ending --frame all
  says stdout "all.$ending: 11 frames"
  for frame in 0 4 10; do
    succeeds convert run/base.h5md frame.$ending -f --frame $frame
    succeeds convert all.$ending again.$ending -f --frame $frame
    [ $ending = pdb ] && sed -i '/^MODEL\|^ENDMDL/d' again.pdb
    same_files frame.$ending again.$ending
    for path in frame.$ending all.$ending; do
      succeeds energy $path --json --frame "$([ $path = all.$ending ] && echo $frame || echo last)"
      sed '/"frame"/d' .stdout >$path.energy
    done
    same_files frame.$ending.energy all.$ending.energy
  done
  succeeds energy all.$ending --frame all
  [ "$(grep -c '^ *[0-9][0-9]* ' .stdout)" -eq 11 ] || fail "energy: not 11 rows: $(cat .stdout)"
  succeeds energy all.$ending
  says stderr "note: all.$ending has 11 frames; the first, frame 0, is taken"
  succeeds info all.$ending
  says stdout 'frames       11; the first one:'
  refuses 'has 11 frames (0 to 10); --frame 11 is not among them' energy all.$ending --frame 11
  succeeds convert all.$ending onward.$ending --frame all
  [ $ending = xyz ] || [ "$(grep -c '^.\{0,6\}  *1SOL\|^HETATM    1' onward.$ending)" -ne 0 ] || fail "onward.$ending"
  succeeds info onward.$ending --frame all
  [ "$(grep -c '^ *[0-9][0-9]* ' .stdout)" -eq 11 ] || fail "info: not 11 rows: $(cat .stdout)"
  head -n 1 .stdout | grep -q '^onward.*: structure$' || fail "info: no head above the rows: $(cat .stdout)"
done
# Rows are shown when all frames have been read.
{ cat frame.gro; echo; echo no number; } >cut.gro
for command in info energy; do refuses 'cut.gro:' $command cut.gro --frame all; done
succeeds convert run/base.h5md v.xyz
says stderr 'note: v.xyz: the velocities are lost, XYZ has none; write GRO or TRR to keep them'
succeeds convert run/base.h5md v.pdb
says stderr 'note: v.pdb: the velocities are lost, PDB has none'
says stderr 'bonds change by up to 0.00'
succeeds convert run/base.h5md v.gro
[ ! -s .stderr ] || fail "convert: $(cat .stderr)"
succeeds minimize all.gro --frame 4 -o fourth.gro -q
succeeds minimize all.gro --frame all -o minima.gro -q
[ "$(grep -c 'below the tolerance$' .stdout)" -eq 11 ] || fail "minimize: not 11 rows: $(cat .stdout)"
succeeds energy minima.gro --frame all --json
"${PYTHON:-python3}" -c 'import json, sys; rows = json.load(sys.stdin); assert [r["frame"] for r in rows] == list(range(11))' \
  <.stdout || fail 'energy --frame all --json: not an array of 11'
succeeds run base.ini -o frames --set system.structure=all.gro --set integrator.steps=1
says stderr 'note: all.gro has 11 frames; the first, frame 0, is taken'
refuses '--forces takes one frame' energy all.gro --frame all --forces f.csv
head -n 30 all.gro >torn.gro # frames of 24 lines
refuses 'torn.gro:31: the file ends here' energy torn.gro
says stderr '(in frame 1, counted from 0; --frame N takes one of those before it)'
succeeds energy torn.gro --frame 0
cat "$data/structures/c002_min.xyz" "$data/structures/c007_min.xyz" >sizes.xyz
succeeds energy sizes.xyz --frame all
[ "$(awk '/^ *[01] / { printf "%s ", $2 }' .stdout)" = '2 7 ' ] || fail "energy: $(cat .stdout)"

# ---- another model's geometry: refused in a box, with the option that rebuilds it ----
awk 'BEGIN { print "SPC"; print 6
  for (m = 0; m < 2; m++) for (a = 0; a < 3; a++)
    printf "%5d%-5s%5s%5d%8.3f%8.3f%8.3f\n", m + 1, "SOL", a ? "HW" a : "OW", 3 * m + a + 1,
      a == 0 ? 1 : a == 1 ? 1.0816 : 0.9184, a ? 1.0577 : 1, 1 + 0.4 * m
  print "3 3 3" }' >spc.gro
refuses 'rebuild the molecules first (rill energy: --rigid)' energy spc.gro --boundary periodic
succeeds energy spc.gro --boundary periodic --rigid
succeeds energy spc.gro --boundary vacuum
says stdout "deviates from the model's by 0.08"

# ---- overlaps across a face of the box: pushed apart, said, and minimised ----
printf '%s\n' x 6 '    1SOL     OW    1   0.005   1.000   1.000' '    1SOL    HW1    2   0.081   1.059   1.000' \
  '    1SOL    HW2    3  -0.071   1.059   1.000' '    2SOL     OW    4   1.993   1.000   1.000' \
  '    2SOL    HW1    5   2.069   1.059   1.000' '    2SOL    HW2    6   1.917   1.059   1.000' '2 2 2' >clash.gro
refuses 'molecules 1 and 2 overlap, with atoms 0.012 nm apart' energy clash.gro --boundary periodic
succeeds minimize clash.gro --boundary periodic -o apart.gro
says stderr 'note: clash.gro: molecules 1 and 2 overlap, with atoms 0.012 nm apart; before the minimisation 2 molecules'
says stdout ' -> -27.6'
says stdout 'below the tolerance'
succeeds minimize clash.gro --boundary vacuum -o free.gro
says stderr "note: clash.gro: the file's box is ignored, --boundary vacuum"
[ "$(tail -n 1 free.gro | tr -d ' 0.')" = '' ] || fail "minimize in vacuum: a box: $(tail -n 1 free.gro)"

# ---- info ----
succeeds info run/base.h5md
for line in 'H5MD trajectory, written by rill' '7 water, 21 atoms' 'frames       11' 'velocities   yes' 'none (vacuum)' \
  'first frame  step 0, 0 ps' 'last frame   step 500, 1 ps' 'friction = 0.2 /ps'; do says stdout "$line"; done
succeeds info "$data/variants/triclinic.gro"
says stdout '210 water, 630 atoms'
says stdout '(2.1, 0, 0)'
succeeds info two.pdb
says stdout '20 water, 60 atoms'
says stdout 'box          none'
succeeds info five.xyz
says stdout 'nearest      oxygens of molecules'
succeeds info run/base.csv
for line in 'rows         11' 'columns      43' 'time_ps                        ps                            0                  1'; do
  says stdout "$line"
done
succeeds info run/base-rdf.csv
says stdout 'rows         200'
head -c 900 run/base.csv >torn.csv
refuses 'torn.csv:' info torn.csv
# Cells that are no numbers: a column of names, and single ones among numbers.
printf '# units: , ps\nmethod,time,energy\nverlet,1,-3.5\nrattle, 2 ,x1\nshake,0x3,\n' >text.csv
succeeds info text.csv
says stdout '  text         in all cells of method'
says stdout '  text         in 2 of 3 cells of energy, and numbers in the others; the first text is "x1", in line 4'
[ "$(grep -c '^  text ' .stdout)" -eq 2 ] || fail "other columns have text, too: $(cat .stdout)"

# ---- list: every topic, as text and as JSON ----
if command -v python3 >/dev/null; then
  for topic in integrators systems thermostats constraints forces choices units combinations; do
    succeeds list $topic
    [ -s .stdout ] || fail "list $topic: nothing"
    succeeds list $topic --json
    python3 -c 'import json, sys; sys.exit(not len(json.load(sys.stdin)))' <.stdout || fail "list $topic --json"
  done
  python3 - "$RILL" <<'PYTHON' || fail 'list: what it says'
import json, subprocess, sys
def listed(*words):
    return json.loads(subprocess.run([sys.argv[1], "list", *words, "--json"], capture_output=True, check=True).stdout)
methods = {m["name"]: m for m in listed("integrators")}
names = set(methods) | {m["alias"] for m in methods.values()}
assert {"verlet", "rattle", "position-shake", "yoshida4"} <= names, names
assert methods["yoshida4"]["order"] == 4
assert methods["position-shake"]["former_name"] == "shake" and listed("integrators", "shake")[0]["name"] == "position-shake"
assert listed("integrators", "rattle")[0]["order"] == 2
assert [c["name"] for c in listed("constraints")] == ["settle", "mshake", "shake", "lgvi", "rotor"]
assert [c["name"] for c in listed("choices", "forces.coulomb")] == ["pme", "reaction-field", "cut", "all"]
keys = {c["section"] + "." + c["key"] for c in listed("choices")}
assert {"constraints.solver", "thermostat.method", "start.remove", "integrator.newton_start"} <= keys, keys
assert methods["galerkin"]["reads"] == ["degree", "quadrature", "tolerance", "max_iterations"], methods["galerkin"]
units = {u["unit"]: u for u in listed("units")}
assert units["kcal/mol"]["value"] == 4.184 and units["A"]["value"] == 0.1 and units["fs"]["value"] == 0.001
combinations = listed("combinations")
binds = {(c["method"], c["thermostat"]): c["binds"] for c in combinations if c["system"] == "water"}
assert binds["verlet", "none"] and binds["position-shake", "none"] and binds["yoshida4", "gla"] and binds["dvp", "gla"] and not binds["dvp", "baoab"] and not binds["zss", "none"]
penalised = {(c["method"], c["thermostat"]): c["binds"] for c in combinations if c["system"] == "water/penalised"}
assert penalised["zss-simplified", "baoab"] and penalised["newmark-onestep", "gla"] and not penalised["zss", "none"]
bodies = {(c["method"], c["thermostat"]): c["binds"] for c in combinations if c["system"] == "water/bodies"}
assert all(bodies[m, t] for m in ("verlet", "yoshida4", "yoshida8") for t in ("none", "gla")) and bodies["verlet", "baoab"]
assert not any(bodies[m, t] for m in ("zss-simplified", "zs", "position-shake", "dvp", "implicit-midpoint") for t in ("none", "gla", "baoab"))
assert all(c["reason"] for c in combinations if not c["binds"])
systems = {s["name"]: s for s in listed("systems")}
assert "stiffness" in [p["name"] for p in systems["double-pendulum"]["parameters"]], systems["double-pendulum"]
small = {c["system"] for c in combinations if c["system"].split("/")[0] != "water"}
def bound(system): return {(c["method"], c["thermostat"]) for c in combinations if c["system"] == system and c["binds"]}
for kind in ("", "/bodies", "/penalised"): assert bound("water" + kind) == bound("water/box" + kind), kind
assert {s.split("/")[0] for s in small} == set(systems) - {"water"}, small
assert all(sum(c["binds"] for c in combinations if c["system"] == s) >= 2 for s in small), small
PYTHON
fi
succeeds list choices start.remove
says stdout '  linear+angular    the total momentum, and'
refuses 'did you mean forces.coulomb?' list choices forces.coulom
succeeds list integrators rattle
says stdout 'rattle'

# ---- what the list of a system prints as default and unit is accepted in a deck ----
for system in $("$RILL" list systems | awk '/^[a-z]/ && $1 != "rill" && $1 != "water" { print $1 }'); do
  "$RILL" list systems "$system" >listing
  step=0.01
  grep -q 'SI units' listing && step='0.01 s'
  awk -v kind="$system" -v step="$step" '/^  \[/ { section = $1; key = $2; value = $0; sub(/[^=]*= /, "", value)
      text = "[system]\nkind = " kind "\n"
      if (section == "[penalty]" && formulation) text = text "formulation = penalised\n"
      if (section != "[system]") text = text section "\n"
      formulation = formulation || key == "formulation"
      next }
    section != "" { unit = ""; if (match($0, /numbers?, [^()]*(\(J\)[^()]*)?\)$/)) { unit = substr($0, RSTART, RLENGTH - 1); sub(/numbers?, /, "", unit) }
      numbers = value; if (unit != "" && index(value, unit) == 0) numbers = value " " unit
      file = sprintf("deck%02d.ini", ++n)
      printf "%s%s = %s\n[integrator]\nstep = %s\nsteps = 1\n", text, key, numbers, step >file; close(file); section = "" }' listing
  for deck in deck??.ini; do
    "$RILL" check "$deck" >/dev/null 2>.stderr
    ! grep -q -e '\[system\]' -e '\[penalty\]' .stderr || fail "list systems $system prints what is refused: $(cat "$deck" .stderr)"
  done
  rm deck??.ini
done

# ---- build: one molecule and more; the same seed, the same bytes; the known minimum of seven ----
for n in 1 7 31; do
  succeeds build water $n -o built$n.gro -q
  succeeds build water $n -o again$n.gro -q --threads 3
  same_files built$n.gro again$n.gro
  succeeds info built$n.gro
  says stdout "$n water"
done
# Trials: the lowest of them, the same for any number of threads, and how sure that is.
succeeds build water 8 -o eight.gro -q --trials 3
says stdout 'the lowest minimum of 3 trials of 960 minimisations each, found by'
succeeds build water 8 -o eight-threads.gro -q --trials 3 --threads 3
same_files eight.gro eight-threads.gro
succeeds build water 31 -o other.gro -q --seed 2
cmp -s built31.gro other.gro && fail 'build: another seed, the same cluster'
succeeds build water 2 -o dimer.pdb
says stdout '-6.54006 kcal/mol' # the known minimum
"$RILL" energy built7.gro --json | grep -q '"potential_kJ_mol": -242.3368' || fail "build: seven waters are not at -57.9199 kcal/mol"

# ---- minimize: from a disturbed start back to the known minimum; which criterion ended it, G17 ----
awk 'NR < 3 { print; next } NF == 3 { print; next }
  { m = int((NR - 3) / 3); printf "%s%9.4f%9.4f%9.4f\n", substr($0, 1, 20), $4 + 0.01 * sin(m), $5 + 0.01 * cos(3 * m), $6 }' \
  "$data/structures/c007_min.gro" >disturbed.gro
succeeds minimize disturbed.gro -o minimum.gro --tolerance 1e-4kJ/mol/nm
for line in 'iterations ' 'largest force ' 'kJ/mol/nm' 'rms ' 'ended because the largest force is below the tolerance'; do
  says stdout "$line"
done
"$RILL" energy minimum.gro --json | grep -q '"potential_kJ_mol": -242.33689' || fail "minimize: $(cat .stdout)"
succeeds minimize disturbed.gro -o tiny.gro --tolerance 1e-30kJ/mol/nm
says stdout 'round-off'
succeeds minimize disturbed.gro -o few.gro --iterations 3
says stdout 'iterations    3'
says stdout 'ended because'
# ---- a table with the line ends of other systems is the same table ----
sed 's/$/\r/' run/base.csv >crlf.csv
succeeds info run/base.csv
sed 1d .stdout >of-table
succeeds info crlf.csv
sed 1d .stdout >of-crlf
same_files of-table of-crlf

finish
