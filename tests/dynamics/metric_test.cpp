#include "lgn/dynamics/metric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/dynamics/systems.h"
#include "tests/dynamics/structure_laws.h"

namespace lgn::testing {
namespace {

struct Case {
  std::string name;
  Matrix a;
};

Matrix shifted_left(Matrix a, double by) {
  a.diagonal().array() -= eigenvalues(a).real().maxCoeff() + by;
  return a;
}

/// Stable matrices of every kind that a Lyapunov or an eigenvector basis may find hard.
std::vector<Case> stable_matrices() {
  Random random(11);
  std::vector<Case> all;
  for (const Index n : {1, 2, 5, 12, 30})
    all.push_back({"random", shifted_left(random.normals(n, n), 0.05)});
  for (const double coupling : {1.0, 1e3, 1e6}) {
    Matrix a =
        coupling * random.normals(6, 6).triangularView<Eigen::StrictlyUpper>().toDenseMatrix();
    a.diagonal() << -1, -1.5, -2, -3, -5, -9;
    all.push_back({"non-normal", a});
    a.diagonal().setConstant(-1);
    all.push_back({"defective", a});
    a.diagonal() += 1e-7 * random.normals(6);
    all.push_back({"nearly defective", a});
  }
  for (const double slow : {1e-3, 1e-6}) {
    const Matrix mix = random.normals(4, 4);
    all.push_back(
        {"stiff", mix * Vector{{-slow, -1, -30, -1 / slow}}.asDiagonal() * mix.inverse()});
  }
  all.push_back({"undamped", oscillator(50).a});
  all.push_back({"hardly damped", rlc(50, 1e-9).a});
  all.push_back({"critically damped", rlc(50, 100).a});
  all.push_back({"undamped and damped", mass_spring(4, 1, 2500, 0).a});
  all.push_back({"mass and spring", mass_spring(6, 1e-3, 2500, 0.1).a});
  all.push_back({"microvolts and kiloamperes", Matrix{{0, 1e-9}, {-1e9, -0.1}}});
  all.push_back({"an integrator", Matrix{{0, 1}, {0, -1}}});
  all.push_back({"still", Matrix::Zero(3, 3)});
  return all;
}

/// How far rounding may lift the growth rate of the energy: products and sums of up to n terms, in
/// the eigenvectors, in Q and in A.
double growth_allowed(const Matrix& a, const Matrix& q) {
  return 10 * static_cast<double>(a.rows()) * epsilon * MetricRounding(a, q).in_energy_coordinates;
}

TEST(FindMetric, CertifiesStableMatrices) {
  for (const auto& [name, a] : stable_matrices()) {
    const auto q = find_metric(a);
    ASSERT_TRUE(q) << name << "\n" << a;
    EXPECT_TRUE(*q == q->transpose());
    EXPECT_EQ(q->llt().info(), Eigen::Success) << name;
    EXPECT_LE(energy_growth_rate(a, *q), growth_allowed(a, *q)) << name << "\n" << a;
    // n logarithms of a Cholesky factor, each good to ε times the condition of Q.
    const Matrix root = q->llt().matrixL();
    EXPECT_LE(std::abs(root.diagonal().array().log().mean()), 1e-8) << name;
  }
}

TEST(FindMetric, OfAnUndampedOscillatorIsItsEnergy) {
  // ½(ω²q² + p²), scaled to a determinant of one; two backward stable steps at n = 2.
  const auto q = find_metric(oscillator(50).a);
  ASSERT_TRUE(q);
  EXPECT_LE((*q - Matrix{{50, 0}, {0, 0.02}}).norm(), 20 * 2 * epsilon * 50);
}

TEST(FindMetric, LetsEachModeDecayAtItsOwnRate) {
  // Well conditioned eigenvectors: the slowest mode's energy decays at its own rate, so the growth
  // rate is exactly the largest Re λ.
  Random random(12);
  const Matrix mix = random.normals(5, 5) + 4 * Matrix::Identity(5, 5);
  const Matrix a = mix * Vector{{-0.25, -1, -2, -5, -9}}.asDiagonal() * mix.inverse();
  const auto q = find_metric(a);
  ASSERT_TRUE(q);
  EXPECT_NEAR(energy_growth_rate(a, *q), -0.25, growth_allowed(a, *q));
}

TEST(FindMetric, FindsNothingWhereNoEnergyStaysBounded) {
  EXPECT_FALSE(find_metric(Matrix{{0.01, 1}, {-1, 0.01}}));
  EXPECT_FALSE(find_metric(Matrix{{1e-9, 0}, {0, -1}}));
  EXPECT_FALSE(find_metric(Matrix{{0, 1}, {0, 0}}));  // x grows with t
  EXPECT_FALSE(find_metric(Matrix{{0, 1}, {1e-20, 0}}));
  EXPECT_THROW(find_metric(Matrix::Zero(2, 3)), Error);
  EXPECT_THROW(find_metric(Matrix::Constant(2, 2, std::nan(""))), Error);
  EXPECT_EQ(find_metric(Matrix(0, 0))->size(), 0);
}

TEST(Metric, HoldsEveryStableMatrix) {
  for (const auto& [name, a] : stable_matrices()) {
    const MetricStructure s(a.rows());
    const Vector theta = s.project(a);
    EXPECT_TRUE(projection_keeps_member(s, theta)) << name << "\n" << a;
    EXPECT_TRUE(guarantee_holds(s, theta)) << name;
    // As that law, but to A itself.
    EXPECT_LE((s.generator(theta) - a).norm(), 20 * static_cast<double>(a.rows()) * epsilon *
                                                   MetricRounding(a, *s.energy(theta)).in_channels)
        << name << "\n"
        << a;
  }
}

TEST(Metric, ProjectionMirrorsGrowingModes) {
  const MetricStructure s(2);
  const Matrix a{{0.01, 1}, {-1, 0.01}};
  const Matrix member = s.generator(s.project(a));
  // A rotation with growth is normal: Q = I, and the mirrored one decays as fast.
  EXPECT_LE((member - Matrix{{-0.01, 1}, {-1, -0.01}}).norm(), 20 * 2 * epsilon * a.norm());
}

TEST(Metric, ProjectionOfAnyMatrixIsStableAndNear) {
  Random random(13);
  for (const Index n : {1, 2, 4, 9})
    for (int k = 0; k < 5; ++k) {
      const MetricStructure s(n);
      const Matrix a = random.normals(n, n);
      const Vector theta = s.project(a);
      EXPECT_TRUE(guarantee_holds(s, theta));
      // Balancing scales entries of one size by a factor of about 2 at most, twice for a quotient.
      const double growth = eigenvalues(a).real().cwiseMax(0.0).norm();
      EXPECT_LE((s.generator(theta) - a).norm(), 4 * (2 * growth + 1e-7 * a.norm()));
    }
}

TEST(Metric, ProjectionOfADoubleIntegratorIsNear) {
  const MetricStructure s(2);
  const Matrix a{{0, 1}, {0, 0}};
  const Vector theta = s.project(a);
  EXPECT_TRUE(guarantee_holds(s, theta));
  EXPECT_LE((s.generator(theta) - a).norm(), 1e-2);  // √ε 100ᵏ with k ≤ 2, doubled
}

TEST(Metric, GuaranteeHoldsForHugeAndTinyRates) {
  Random random(14);
  for (const Index n : {2, 3, 7})
    for (const double rate : {1e-8, 1e-3, 1e3, 1e6}) {
      const MetricStructure s(n);
      Vector theta = random.normals(s.parameters());
      theta.head(s.parameters() - n * (n + 1) / 2) *= rate;
      ASSERT_TRUE(MetricRounding(s.generator(theta), *s.energy(theta)).resolved);
      EXPECT_TRUE(guarantee_holds(s, theta));
      EXPECT_TRUE(flow_keeps_guarantee(s, theta, random));
    }
}

TEST(Metric, NamedValuesRebuildTheGenerator) {
  const MetricStructure s(4);
  Random random(15);
  const Vector theta = random.normals(s.parameters());
  const auto values = s.named_values(theta);
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0].name + values[1].name + values[2].name, "JRQ");
  const Matrix &j = values[0].value, &r = values[1].value, &q = values[2].value;
  EXPECT_TRUE(j == -j.transpose() && r == r.transpose() && q == q.transpose());
  EXPECT_TRUE(q == *s.energy(theta));
  // Sums of four products may be added up in another order.
  EXPECT_LE((s.generator(theta) - (j - r) * q).norm(), 4 * epsilon * (j - r).norm() * q.norm());
}

TEST(Metric, TypicalParametersCarryTheUnitsOfTheChannels) {
  const MetricStructure s(2);
  // Sizes 20 and 0.05 around their mean 1: J12, L11, L21, L22, g1, G21, g2.
  const double log20 = std::log(20.0);
  const Vector expected{{1, 20, 0.05, 0.05, log20, 20, log20}};
  // Logarithms and their exponentials lose a few ε of log 20.
  EXPECT_LE((s.typical_parameters(Vector{{60, 0.15}}) - expected).norm(), 20 * epsilon * 40);
  EXPECT_TRUE(s.typical_parameters(Vector::Ones(2)) == Vector::Ones(7));
}

}  // namespace
}  // namespace lgn::testing
