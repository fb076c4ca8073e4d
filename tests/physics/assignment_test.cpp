#include "lgn/physics/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "lgn/core/error.h"
#include "lgn/core/random.h"

namespace lgn {
namespace {

double total(const Matrix& cost, const std::vector<Index>& column) {
  double sum = 0;
  for (Index i = 0; i < cost.rows(); ++i) sum += cost(i, column[static_cast<std::size_t>(i)]);
  return sum;
}

/// The least total over all ways to give every row a column of its own.
double least_total(const Matrix& cost) {
  std::vector<Index> columns(static_cast<std::size_t>(cost.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  double least = std::numeric_limits<double>::infinity();
  do least = std::min(least, total(cost, columns));
  while (std::next_permutation(columns.begin(), columns.end()));
  return least;
}

void expect_optimal(const Matrix& cost) {
  const auto column = assign(cost);
  ASSERT_EQ(static_cast<Index>(column.size()), cost.rows());
  EXPECT_EQ(std::set<Index>(column.begin(), column.end()).size(), column.size());
  for (const Index j : column) EXPECT_TRUE(j >= 0 && j < cost.cols());
  // Both sums add at most six terms of this size.
  const double rounding = 1e-14 * std::max(1.0, cost.cwiseAbs().maxCoeff());
  EXPECT_NEAR(total(cost, column), least_total(cost), rounding) << cost;
}

TEST(Assignment, IsOptimalForRandomCosts) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const auto size = [&](Index most) {
      return 1 + static_cast<Index>(static_cast<double>(most) * random.uniform());
    };
    const Index cols = size(6), rows = size(cols);
    expect_optimal(random.normals(rows, cols));
    expect_optimal(random.normals(rows, cols).cwiseAbs() * 1e6);
    // Small whole numbers: many ties.
    expect_optimal((3 * random.normals(rows, cols)).array().round().matrix());
  }
}

TEST(Assignment, OfEqualCostsIsAPermutation) {
  expect_optimal(Matrix::Zero(5, 5));
  expect_optimal(Matrix::Constant(3, 5, 2.5));
}

TEST(Assignment, OfNothing) { EXPECT_TRUE(assign(Matrix(0, 0)).empty()); }

TEST(Assignment, RefusesWhatItCannotSolve) {
  EXPECT_THROW(assign(Matrix::Zero(3, 2)), Error);
  EXPECT_THROW(assign(Matrix::Constant(2, 2, std::numeric_limits<double>::infinity())), Error);
  EXPECT_THROW(assign(Matrix::Constant(2, 2, std::numeric_limits<double>::quiet_NaN())), Error);
}

TEST(Assignment, OfManyIsFastAndOptimal) {
  // A shuffled diagonal: row i belongs to column 7 i mod n, at cost 0, everything else costs more.
  const Index n = 200;
  Random random(2);
  Matrix cost = random.normals(n, n).cwiseAbs().array() + 1;
  for (Index i = 0; i < n; ++i) cost(i, 7 * i % n) = 0;
  const auto column = assign(cost);
  for (Index i = 0; i < n; ++i) EXPECT_EQ(column[static_cast<std::size_t>(i)], 7 * i % n);
}

TEST(Eigenvalues, AreMatchedByDistance) {
  const ComplexVector truth{{Complex(-1, 2), Complex(-1, -2), Complex(-3, 0)}};
  const ComplexVector found{{Complex(-3.1, 0), Complex(-1, 2.2), Complex(-1, -2.2)}};
  const auto match = match_eigenvalues(truth, found);
  EXPECT_EQ(match.partner, (std::vector<Index>{1, 2, 0}));
  EXPECT_NEAR(match.distance[0], 0.2, 1e-15);
  EXPECT_NEAR(match.distance[2], 0.1, 1e-15);
}

TEST(Eigenvalues, SortedByRealPartWouldBeMatchedWorse) {
  // Two oscillations with nearly the same damping: a small error swaps their order.
  const ComplexVector truth{{Complex(-0.100, 1), Complex(-0.101, 5)}};
  const ComplexVector found{{Complex(-0.102, 1), Complex(-0.101, 5)}};
  const auto by_real = [](const Complex& a, const Complex& b) { return a.real() < b.real(); };
  ComplexVector sorted_truth = truth, sorted_found = found;
  std::sort(sorted_truth.begin(), sorted_truth.end(), by_real);
  std::sort(sorted_found.begin(), sorted_found.end(), by_real);
  const double sorted = (sorted_truth - sorted_found).cwiseAbs().sum();
  const double matched = match_eigenvalues(truth, found).distance.sum();
  EXPECT_NEAR(matched, 0.002, 1e-15);
  EXPECT_GT(sorted, 1000 * matched);
}

TEST(Eigenvalues, MayBeMatchedToMoreThanThereAre) {
  const ComplexVector truth{{Complex(-2, 0)}};
  const ComplexVector found{{Complex(-9, 0), Complex(-2.5, 0), Complex(0, 0)}};
  const auto match = match_eigenvalues(truth, found);
  EXPECT_EQ(match.partner, std::vector<Index>{1});
  EXPECT_EQ(match.distance[0], 0.5);
}

}  // namespace
}  // namespace lgn
