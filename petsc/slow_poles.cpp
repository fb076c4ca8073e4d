#include "petsc/slow_poles.h"

#include <slepceps.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"

namespace lgn::petsc {
namespace {

void check(PetscErrorCode code) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw Error(std::string("PETSc: ") + (text != nullptr ? text : "an unknown error"));
}

}  // namespace

std::vector<Complex> slowest_poles(const RowPartition& partition, const SparsePattern& pattern,
                                   const Vector& values, Index count) {
  const MPI_Comm comm = partition.ranks().comm();
  const auto [first, rows, begin, whole] = partition.own(pattern.n);
  const std::vector<Index> order = partition.order(), &global = partition.part().rows;
  const auto own = static_cast<PetscInt>(rows), all = static_cast<PetscInt>(whole);
  std::vector<PetscInt> inside(at(rows)), outside(at(rows));
  double largest = 0;
  for (Index i = 0; i < rows; ++i) {
    const Index state = order[at(first + i)];
    for (Index e = pattern.start[at(state)]; e < pattern.start[at(state) + 1]; ++e) {
      const Index column = global[at(pattern.column[at(e)])];
      ++(column >= begin && column < begin + rows ? inside : outside)[at(i)];
      largest = std::max(largest, std::abs(values[e]));
    }
  }
  largest = partition.largest(largest);
  Mat a = nullptr;
  check(MatCreateAIJ(comm, own, own, all, all, 0, inside.data(), 0, outside.data(), &a));
  for (Index i = 0; i < rows; ++i) {
    const Index state = order[at(first + i)];
    for (Index e = pattern.start[at(state)]; e < pattern.start[at(state) + 1]; ++e)
      check(MatSetValue(a, static_cast<PetscInt>(begin + i),
                        static_cast<PetscInt>(global[at(pattern.column[at(e)])]), values[e],
                        INSERT_VALUES));
  }
  check(MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY));
  EPS eps = nullptr;
  ST st = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(EPSCreate(comm, &eps));
  check(EPSSetOperators(eps, a, nullptr));
  check(EPSSetProblemType(eps, EPS_NHEP));
  // Of a pair both are found.
  const auto wanted = static_cast<PetscInt>(std::min<Index>(2 * count, partition.blocks().rows()));
  check(EPSSetDimensions(eps, wanted, PETSC_DEFAULT, PETSC_DEFAULT));
  check(EPSSetTarget(eps, 1e-6 * largest));
  check(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
  check(EPSSetTolerances(eps, 1e-12, 500));
  check(EPSGetST(eps, &st));
  check(STSetType(st, STSINVERT));
  check(STGetKSP(st, &ksp));
  check(KSPSetType(ksp, KSPPREONLY));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, PCLU));
  check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  check(EPSSolve(eps));
  PetscInt converged = 0;
  check(EPSGetConverged(eps, &converged));
  std::vector<Complex> poles;
  for (PetscInt k = 0; k < converged; ++k) {
    PetscScalar re = 0, im = 0;
    check(EPSGetEigenvalue(eps, k, &re, &im));
    if (im >= 0) poles.emplace_back(re, im);
  }
  check(EPSDestroy(&eps));
  check(MatDestroy(&a));
  std::sort(poles.begin(), poles.end(),
            [](Complex one, Complex other) { return std::abs(one) < std::abs(other); });
  if (std::ssize(poles) > count) poles.resize(at(count));
  return poles;
}

}  // namespace lgn::petsc
