#!/usr/bin/env bash
# gromacs.sh MODEL NANOSECONDS [FOLDER]: runs GROMACS for one model, and writes FOLDER/density.xvg (default:
# gromacs-MODEL); a run that was stopped resumes from its checkpoint.  RILL is the program that builds the start.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rill=$(command -v "${RILL:-rill}")
mkdir -p "${3:-gromacs-$1}"
cd "${3:-gromacs-$1}"
export OMP_NUM_THREADS=1 GMX_MAXBACKUP=-1
if [ ! -f npt.tpr ]; then
  "$rill" build water 900 --model "$1" --density 0.99g/cm3 --seed 1 -q -f -o built.gro
  case $1 in
    tip4p* | opc) "$rill" convert built.gro sites.gro --sites "$1" -f ;;
    *) cp built.gro sites.gro ;;
  esac
  "${PYTHON:-python3}" "$here/make.py" "$1" sites.gro "$2"
  gmx -quiet grompp -f npt.mdp -c start.gro -p water.top -o npt.tpr
fi
gmx -quiet mdrun -deffnm npt -ntmpi 1 -ntomp 1 -notunepme -cpi npt.cpt -cpt 5
echo Density | gmx -quiet energy -f npt.edr -o density.xvg
