#include "lgn/physics/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/random.h"
#include "lgn/dynamics/structures.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

/// The ladder of three sections, and what was seen of it.
struct Fixture {
  System system = ladder(Vector{{0.1, 0.2, 0.3}}, Vector::Ones(3), Vector::Ones(3));
  std::shared_ptr<const SdStructure> structure = std::make_shared<const SdStructure>(6);
  Dataset data;
  Vector theta, noise;
  Matrix starts;

  explicit Fixture(double end, double relative_noise, bool damped = true)
      : data(sample_runs(system, {.runs = 2, .end = end, .noise = relative_noise, .seed = 51})) {
    if (damped) system.a.diagonal().array() -= 0.2;  // away from the bound d ≥ 0
    theta = structure->project(system.a);
    starts = Random(52).normals(6, 2);
    noise = Vector::Constant(6, relative_noise);
  }
  ComplexMatrix poles(const Dataset& samples, const BootstrapOptions& options) const {
    const Fit fit{structure, "mle", theta, starts};
    return matched_poles([&](const Vector& t) { return structure->generator(t); }, theta,
                         bootstrap(fit, samples, noise, options));
  }
  Information information() const {
    // The model's own data: information belongs to its trajectories.
    std::vector<Trajectory> runs;
    for (std::size_t r = 0; r < data.runs().size(); ++r) {
      System own = system;
      const auto& run = data.runs()[r];
      const Vector start = starts.col(static_cast<Index>(r));
      const double end = run.times()[run.samples() - 1] + 0.05;
      runs.push_back(sample_runs(own, {.runs = 1, .end = end, .start = start}).runs()[0]);
    }
    return find_information(system.a, structure->directions(theta), Dataset(data.channels(), runs),
                            noise);
  }
};

TEST(Bootstrap, DoesNotDependOnTheNumberOfThreads) {
  const Fixture f(5, 0.05);
  BootstrapOptions options{.repeats = 9, .seed = 4, .threads = 1};
  const ComplexMatrix one = f.poles(f.data, options);
  for (const int threads : {2, 30}) {
    options.threads = threads;
    EXPECT_TRUE(one == f.poles(f.data, options));
  }
  options.seed = 5;
  EXPECT_FALSE(one == f.poles(f.data, options));
  // Fit b does not depend on how many there are.
  options = {.repeats = 4, .seed = 4, .threads = 1};
  EXPECT_TRUE(one.leftCols(4) == f.poles(f.data, options));
}

TEST(Bootstrap, AgreesWithTheInformationMatrixSlow) {
  const Fixture f(15, 0.05);
  const auto expected = pole_covariances(f.system.a, f.information());
  const Index repeats = 400;
  const ComplexMatrix poles = f.poles(f.data, {.repeats = repeats, .seed = 6, .threads = 2});
  const auto found = covariances_of(poles);
  const ComplexVector truth = eigenvalues(f.system.a);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    for (Index part = 0; part < 2; ++part) {
      const double sd = std::sqrt(found[k](part, part)), se = std::sqrt(expected[k](part, part));
      // A standard deviation of 400 repeats has a relative error of 1/√800; four of them.
      EXPECT_NEAR(sd / se, 1, 4 / std::sqrt(2.0 * repeats)) << k << " " << part;
      // The mean is off by chance, se/√400, and by the curvature of the poles in θ, which is of
      // second order in the noise.
      const Complex mean = poles.row(static_cast<Index>(k)).mean() - truth[static_cast<Index>(k)];
      EXPECT_LE(std::abs(part == 0 ? mean.real() : mean.imag()), 4 * se / 20 + 0.1 * se)
          << k << " " << part;
    }
}

TEST(Bootstrap, KeepsGaps) {
  // With two of three samples missing, errors grow by about √3.
  const Fixture f(15, 0.01);
  std::vector<Trajectory> runs;
  for (const auto& run : f.data.runs()) {
    Matrix states = run.states();
    for (Index k = 0; k < states.cols(); ++k)
      if (k % 3 != 0) states.col(k).setConstant(std::nan(""));
    runs.emplace_back(run.label(), run.times(), states);
  }
  const Dataset gaps(f.data.channels(), runs);
  const Index repeats = 60;
  const BootstrapOptions options{.repeats = repeats, .seed = 7, .threads = 1};
  const auto whole = covariances_of(f.poles(f.data, options));
  const auto holes = covariances_of(f.poles(gaps, options));
  for (std::size_t k = 0; k < whole.size(); ++k) {
    // Standard deviations of 60 repeats have a relative error of 1/√120 each.
    const double ratio = std::sqrt(holes[k].trace() / whole[k].trace());
    EXPECT_NEAR(ratio / std::sqrt(3), 1, 4 * std::sqrt(2.0 / (2 * repeats))) << k;
  }
}

TEST(Bootstrap, KnownStartsLeaveLessUncertain) {
  const Fixture f(5, 0.01);
  BootstrapOptions options{.repeats = 60, .seed = 8, .threads = 1};
  const auto fitted = covariances_of(f.poles(f.data, options));
  options.estimate_initial_states = false;
  const auto known = covariances_of(f.poles(f.data, options));
  double less = 0, more = 0;
  for (std::size_t k = 0; k < known.size(); ++k) {
    less += known[k].trace();
    more += fitted[k].trace();
  }
  EXPECT_LT(less, more);
}

TEST(Bootstrap, SeesTheBound) {
  // d = 0 in every other channel: half of the fits put it on the bound, and no pole moves right of
  // the axis, which a linearisation would not know.
  const Fixture f(5, 0.05, false);
  const ComplexMatrix poles = f.poles(f.data, {.repeats = 40, .seed = 9, .threads = 1});
  EXPECT_LE(poles.real().maxCoeff(), 100 * epsilon * norm1(f.system.a));
}

TEST(CovariancesOf, AreThoseOfTheColumns) {
  const Complex i(0, 1);
  const ComplexMatrix poles{{1.0 + 2.0 * i, 3.0 + 6.0 * i, 2.0 + 1.0 * i}, {-1.0, -1.0, -1.0}};
  const auto covariances = covariances_of(poles);
  ASSERT_EQ(covariances.size(), 2u);
  // Means 2 and 3: deviations −1, 1, 0 and −1, 3, −2, over N − 1 = 2.
  EXPECT_TRUE(covariances[0].isApprox(Eigen::Matrix2d{{1, 2}, {2, 7}}, 8 * epsilon));
  EXPECT_TRUE(covariances[1] == Eigen::Matrix2d::Zero());
}

}  // namespace
}  // namespace lgn
