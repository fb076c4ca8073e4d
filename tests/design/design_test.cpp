#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/design/design.h"
#include "lgn/design/expression.h"
#include "lgn/design/quadratic_program.h"
#include "lgn/design/quantities.h"
#include "lgn/model/model_file.h"
#include "tests/design/designed_systems.h"

namespace lgn {
namespace {

using Type = Network::Type;

TEST(QuadraticProgram, MeetsItsOptimalityConditions) {
  // min ½|x|² − x₁/2 − 2x₂ with x₁ + x₂ ≤ 1, x ≥ 0: x = (0, 1), multipliers (1, 1/2, 0).
  const QuadraticProgram problem{Matrix::Identity(2, 2), Vector{{-0.5, -2}},
                                 Matrix{{1, 1}, {-1, 0}, {0, -1}}, Vector{{1, 0, 0}}};
  const QuadraticSolution found = solve(problem);
  ASSERT_TRUE(found.converged);
  // Slacks times multipliers end at 3e-18; rounding in the last factorisations, of condition 1e9 and more, is 1e-12 of the multipliers.
  EXPECT_NEAR(found.x[0], 0, 1e-10);
  EXPECT_NEAR(found.x[1], 1, 1e-10);
  EXPECT_NEAR(found.multipliers[0], 1, 1e-10);
  EXPECT_NEAR(found.multipliers[1], 0.5, 1e-10);
  EXPECT_NEAR(found.multipliers[2], 0, 1e-10);
}

TEST(Design, AbsorberHasItsExactTuning) {
  for (const double mu : {0.05, 0.1, 0.25}) {
    DesignOptions options;
    options.free = {"k2", "c2"};
    options.minimise = "peak(q1/f1)";
    const Model found = design(absorber(mu, mu, 0.1 * mu), options);
    // Nishihara & Asami, J. Vib. Acoust. 124:576, 2002.
    const double f =
        2 / (1 + mu) *
        std::sqrt(2 * (16 + 23 * mu + 9 * mu * mu + 2 * (2 + mu) * std::sqrt(4 + 3 * mu)) /
                  (3 * (64 + 80 * mu + 27 * mu * mu)));
    EXPECT_NEAR(std::sqrt(after(found, "k1-2") / mu), f, 1e-5);
    // Den Hartog's values, by the fixed points, have a higher peak.
    const double tuning = 1 / (1 + mu), zeta = std::sqrt(3 * mu / (8 * std::pow(1 + mu, 3)));
    const NamedSystem hartog(absorber(mu, mu * tuning * tuning, 2 * zeta * mu));
    const Quantities there(hartog, hartog.start(), {}, hartog.start());
    double peak = 0;
    for (const Smooth& one : there.evaluate(*parse_expression("peak(q1/f1)", hartog)))
      peak = std::max(peak, one.value);
    EXPECT_LE(found.design->objective.after, peak);
    EXPECT_GT(found.design->objective.after, 0.999 * peak);  // the fixed points are good to 1e-3
  }
}

TEST(Design, LadderIsDampedAtTheLeastTotal) {
  DesignOptions options;
  options.free = {"R1", "R2", "R3"};
  options.bounds = {"R*=1e-3:10"};
  options.targets = {"zeta>=0.2"};
  options.minimise = "sum(R*)";
  const Model found = design(ladder_model(3, 0.1), options);
  EXPECT_LE(found.design->objective.after, 1.5912);
  for (const Mode& mode : found.modes)
    EXPECT_GE(mode.damping_ratio, 0.2 * (1 - 1e-9));  // what counts as met
  EXPECT_EQ(found.design->values[2].bound, DesignedValue::Bound::lower);
  EXPECT_TRUE(found.design->targets.front().binding);
  options.ties = {"R1=R2=R3"};
  EXPECT_NEAR(design(ladder_model(3, 0.1), options).design->objective.after, 2.1623, 1e-4);
}

TEST(Design, FrequenciesArePlacedWithLeastChange) {
  // Three unit masses between two walls; ω² of a chain of unit springs are 2 − 2 cos(kπ/4).
  Network network;
  Matrix a = Matrix::Zero(6, 6);
  for (Index k = 0; k < 3; ++k) {
    network.nodes.push_back({"q" + std::to_string(k + 1), ChannelKind::position, k, k + 3});
    network.elements.push_back({Type::storage, k, Network::ground, 1});
    network.elements.push_back({Type::damper, k, Network::ground, 0.01});
    a(k, k + 3) = 1;
    a(k + 3, k) = -2;
    a(k + 3, k + 3) = -0.01;
    if (k > 0) a(k + 2, k) = a(k + 3, k - 1) = 1;
  }
  network.elements.push_back({Type::spring, 0, Network::ground, 1});
  network.elements.push_back({Type::spring, 0, 1, 1});
  network.elements.push_back({Type::spring, 1, 2, 1});
  network.elements.push_back({Type::spring, 2, Network::ground, 1});
  const Model chain = network_model(network, {"q1", "q2", "q3", "v1", "v2", "v3"}, a);
  DesignOptions options;
  options.free = {"k*"};
  options.targets = {"f=0.126,0.229,0.349"};
  const Model found = design(chain, options);
  const std::vector<double> wanted{0.126, 0.229, 0.349};
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found.modes[2 * k].frequency_hz, wanted[k], 1e-8);
  // Stationary: the gradient of the change is in the span of those of the three frequencies, so that it vanishes along the one direction
  // that keeps them. Four values, three targets: any other choice on that line is a larger change.
  const NamedSystem system(found);
  const Vector p = system.start(), p0 = NamedSystem(chain).start();
  std::vector<Index> free = matching_values("k*", system);
  const Quantities at(system, p, free, p0);
  const auto frequencies = at.evaluate(*parse_expression("f", system));
  Matrix g(3, 4);
  for (Index k = 0; k < 3; ++k) g.row(k) = frequencies[static_cast<std::size_t>(k)].gradient;
  const Vector change = at.evaluate(*parse_expression("change", system)).front().gradient;
  const Vector rest = change - g.transpose() * (g * g.transpose()).ldlt().solve(g * change);
  EXPECT_LT(rest.norm(),
            1e-4 * change.norm());  // steps end at 1e-11, values of the change at their squares
}

TEST(Design, TargetsThatCannotBeMetAreRefusedWithTheClosest) {
  DesignOptions options;
  options.free = {"R*"};
  options.bounds = {"R*=1e-3:0.3"};
  options.targets = {"zeta>=0.2", "tau<=1000"};
  options.minimise = "sum(R*)";
  try {
    design(ladder_model(3, 0.1), options);
    FAIL() << "a design that cannot be";
  } catch (const NotIdentified& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("\"zeta>=0.2\""), std::string::npos) << text;
    EXPECT_EQ(text.find("tau"), std::string::npos) << text;
    EXPECT_NE(text.find("R1 = 0.3 (its upper bound)"), std::string::npos) << text;
  }
}

TEST(Design, DerivativesAreThoseOfDifferences) {
  const NamedSystem system(absorber(0.2, 0.15, 0.03));
  const Vector p = system.start();
  std::vector<Index> free;
  for (Index k = 0; k < p.size(); ++k) free.push_back(k);
  for (const char* text :
       {"zeta", "f", "tau", "re", "im", "peak(q1/f1)", "gain(q2/f1, 0.2)", "peak(v1/f2, 0.01..2)",
        "sum(k*)*m1/c2^2", "max(zeta)-2*k1", "band(q2/f1)", "overshoot(q1/f1)",
        "settling(q1/f1, 5%)", "lost(3, q1)", "lost(3, v2)"}) {
    const auto expression = parse_expression(text, system);
    const auto values = Quantities(system, p, free, p).evaluate(*expression);
    for (const Index k : free) {
      const double h = 1e-5 * p[k];
      Vector up = p, down = p;
      up[k] += h;
      down[k] -= h;
      const auto high = Quantities(system, up, free, p).evaluate(*expression);
      const auto low = Quantities(system, down, free, p).evaluate(*expression);
      ASSERT_EQ(high.size(), values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double size = std::abs(values[i].value) + std::abs(values[i].gradient[k]);
        // Differences err by h² f‴/6 and ε f/h: 1e-10 and 1e-11 of the size, with room for light damping's f‴.
        EXPECT_NEAR((high[i].value - low[i].value) / (2 * h) * p[k], values[i].gradient[k],
                    1e-6 * size)
            << text << " by " << system.values()[static_cast<std::size_t>(k)].name;
      }
    }
  }
}

TEST(Design, StartsRepeatForASeed) {
  DesignOptions options;
  options.free = {"R*"};
  options.targets = {"zeta>=0.1"};
  options.minimise = "sum(R*)";
  const Model a = design(ladder_model(2, 0.1), options), b = design(ladder_model(2, 0.1), options);
  EXPECT_EQ(a.a, b.a);
}

TEST(Design, DoublePolesAreNoObstacle) {
  // Two equal rings that do not touch: every pole is there twice, and stays so where R1 and R2 are tied by symmetry.
  Network network;
  Matrix a = Matrix::Zero(4, 4);
  const std::vector<std::string> channels{"v1", "i1", "v2", "i2"};
  for (Index k = 0; k < 4; ++k)
    network.nodes.push_back({channels[static_cast<std::size_t>(k)],
                             k % 2 == 0 ? ChannelKind::voltage : ChannelKind::current, k});
  for (const Index k : {0, 2}) {
    network.elements.push_back({Type::coupling, k, k + 1, -1, 0});
    network.elements.push_back({Type::loss, k + 1, Network::ground, 0.1});
    a(k, k + 1) = -1;
    a(k + 1, k) = 1;
    a(k + 1, k + 1) = -0.1;
  }
  DesignOptions options;
  options.free = {"R*"};
  options.targets = {"zeta>=0.3"};
  options.minimise = "sum(R*)";
  const Model found = design(network_model(network, channels, a), options);
  // ζ = R/2 of each.
  EXPECT_NEAR(after(found, "R1"), 0.6, 1e-8);
  EXPECT_NEAR(after(found, "R2"), 0.6, 1e-8);
}

TEST(Design, WordsThatMeanNothingAreRefusedAtTheirPlace) {
  const Model model = ladder_model(2, 0.1);
  const auto message = [&](const std::string& free, const std::string& target,
                           const std::string& bounds = {}) {
    DesignOptions options;
    options.free = {free};
    options.targets = {target};
    if (!bounds.empty()) options.bounds = {bounds};
    try {
      design(model, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(message("Q*", "zeta>=0.1"), "no value \"Q*\""));
  EXPECT_TRUE(has(message("R*", "zeta>=0.1*x"), "column 11"));
  EXPECT_TRUE(has(message("R*", "zeta"), "column 5"));
  EXPECT_TRUE(has(message("R*", "peak(v7/v1)<=1"), "no channel \"v7\""));
  EXPECT_TRUE(has(message("R*", "zeta>=0.1", "R*=0:1"), "must not hold zero"));
  EXPECT_TRUE(has(message("R*", "zeta>=0.1", "R*=2:1"), "above the upper one"));
  EXPECT_TRUE(has(message("R1:1..x", "zeta>=0.1"), "\"x\" is no number"));
  EXPECT_TRUE(has(message("s_v1-i1", "zeta>=0.1"), "no value"));  // known by Kirchhoff's law
  EXPECT_TRUE(has(message("R*", std::string(1000, '(')), "nested too deeply"));
}

TEST(Design, TheFileHoldsWhatChangedAndIsAModel) {
  DesignOptions options;
  options.free = {"R1"};
  options.targets = {"zeta>=0.05"};
  const Model found = design(ladder_model(2, 0.1), options);
  const std::string text = model_to_json(found);
  EXPECT_NE(text.find("\"design\": {"), std::string::npos);
  const Model again = model_from_json(text, "designed");
  EXPECT_EQ(again.a, found.a);
  EXPECT_EQ(again.method, "design");
  EXPECT_EQ(again.warnings.back().code, "designed");
  // What is saved again keeps how it was designed.
  EXPECT_EQ(model_to_json(again), text);
}

TEST(Design, HundredStatesSlow) {
  DesignOptions options;
  options.free = {"R*"};
  options.bounds = {"R*=1e-3:10"};
  options.targets = {"zeta>=0.02"};
  options.minimise = "sum(R*)";
  const Model found = design(ladder_model(50, 0.1), options);
  // Equal resistors need 50 · 0.1 · 0.02/0.025012 in all: ζ is proportional to them.
  EXPECT_LT(found.design->objective.after, 0.999 * 5 * 0.02 / 0.0250121);
  for (const Mode& mode : found.modes) EXPECT_GE(mode.damping_ratio, 0.02 * (1 - 1e-9));
}

}  // namespace
}  // namespace lgn
