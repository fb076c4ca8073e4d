#!/bin/sh
# A network of 10^6 states on 4 nodes of 16 ranks. Submit it with: sbatch examples/slurm.sh big.h5 edges.csv
# Killed at the end of its time, it goes on from fit.state when it is submitted again, on any number of ranks.
#SBATCH --job-name=lgn
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=16
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=2G
#SBATCH --time=02:00:00
set -eu
data=${1:?usage: sbatch slurm.sh DATA.h5 EDGES.csv} edges=${2:?usage: sbatch slurm.sh DATA.h5 EDGES.csv}

# One thread a rank: ranks are what shares the rows.
export OPENBLAS_NUM_THREADS=1
# srun starts the ranks where OpenMPI was built for Slurm; else mpirun finds what Slurm has allotted.
if command -v srun >/dev/null; then start="srun --mpi=pmix"; else start="mpirun --oversubscribe"; fi
exec $start lgn fit "$data" --structure network --edges "$edges" --engine petsc \
  --checkpoint fit.state -o model.json
