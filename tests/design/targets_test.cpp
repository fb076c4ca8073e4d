#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/design/quantities.h"
#include "lgn/flow/exponential.h"
#include "tests/design/designed_systems.h"

namespace lgn {
namespace {

Model rlc(double omega2, double gamma) {
  Model model;
  model.structure = "parametric:rlc";
  model.channels = {"q", "p"};
  model.a = rlc_law().generator(Vector{{omega2, gamma}});
  model.parameters = {{"omega2", Matrix::Constant(1, 1, omega2), NamedValue::Shape::scalar},
                      {"gamma", Matrix::Constant(1, 1, gamma), NamedValue::Shape::scalar}};
  model.starts = Vector{{1, 0}};
  model.guarantee = {true, true, false};
  model.modes = find_modes(model.a, model.guarantee);
  return model;
}

double value_of(const Model& model, const std::string& text) {
  const NamedSystem system(model);
  const Quantities at(system, system.start(), {}, system.start());
  double most = -1e300;
  for (const Smooth& one : at.evaluate(*parse_expression(text, system)))
    most = std::max(most, one.value);
  return most;
}

// Searches end at steps of 1e-11 and count targets as met to 1e-9 of them.
constexpr double reached = 1e-8;

TEST(DesignTargets, PolesOfALawArePlaced) {
  DesignOptions options;
  options.free = {"omega2", "gamma"};
  options.targets = {"poles=-0.2+1i"};
  const Model found = design(rlc(1, 0.1), options);
  // (λ + 0.2)² + 1 = λ² + 0.4 λ + 1.04
  EXPECT_NEAR(after(found, "omega2"), 1.04, reached);
  EXPECT_NEAR(after(found, "gamma"), 0.4, reached);
  EXPECT_LT(found.design->targets.front().after, reached);
  options.targets = {"poles=-1,-4"};  // two real ones
  const Model real = design(rlc(1, 0.1), options);
  EXPECT_NEAR(after(real, "omega2"), 4, 1e-7);
  EXPECT_NEAR(after(real, "gamma"), 5, 1e-7);
}

TEST(DesignTargets, OvershootIsThatOfItsDampingRatio) {
  DesignOptions options;
  options.free = {"c1"};
  options.targets = {"overshoot(q1/f1)<=10%"};
  options.minimise = "c1";
  const Model found = design(single_mass(4, 0.1), options);
  // exp(−π ζ/√(1 − ζ²)) = 0.1, c = 2 ζ √(k m)
  const double log = std::log(10.0), zeta = log / std::hypot(log, std::numbers::pi);
  EXPECT_NEAR(after(found, "c1"), 4 * zeta, reached);
  EXPECT_NEAR(found.design->targets.front().after, 0.1, reached);
  EXPECT_NEAR(found.design->targets.front().before,
              std::exp(-std::numbers::pi * 0.025 / std::sqrt(1 - 0.025 * 0.025)), reached);
}

TEST(DesignTargets, SettlingIsThatOfTheResponse) {
  // Of ẋ = −x + u no more than ε is left from −log ε on; a heavy damper makes the mass that, but for its first instants.
  EXPECT_NEAR(value_of(single_mass(1e4, 1e4), "settling(q1/f1, 1%)"), -std::log(0.01), 1e-3);
  DesignOptions options;
  options.free = {"c1"};
  options.targets = {"settling(q1/f1)<=8"};
  options.minimise = "c1";
  const Model found = design(single_mass(1, 0.05), options);
  const double settled = value_of(found, "settling(q1/f1)");
  EXPECT_LE(settled, 8 * (1 + 1e-6));
  // A little less damping leaves the band later than wanted.
  EXPECT_GT(value_of(single_mass(1, 0.999 * after(found, "c1")), "settling(q1/f1)"), 8);
}

TEST(DesignTargets, BandIsWhereTheResponseFalls) {
  DesignOptions options;
  options.free = {"k1"};
  options.targets = {"band(q1/f1)=0.5"};
  const Model found = design(single_mass(1, 1), options);
  const double w = std::numbers::pi, k = after(found, "k1");
  // |H|² = 1/((k − ω²)² + ω²) is half of 1/k² there.
  EXPECT_NEAR((k - w * w) * (k - w * w) + w * w, 2 * k * k, 1e-6 * k * k);
}

TEST(DesignTargets, EnergyLostIsThatOfTheFreeMotion) {
  const Model model = single_mass(3, 0.2);
  const Vector x = exponential(2.5 * model.a) * Vector{{1, 0}};
  const double lost = 1 - (3 * x[0] * x[0] + x[1] * x[1]) / 3;
  EXPECT_NEAR(value_of(model, "lost(2.5, q1)"), lost, 1e-13);
  DesignOptions options;
  options.free = {"gamma"};
  options.targets = {"lost(4)>=90%"};  // from the model's own initial state
  const Model found = design(rlc(1, 0.1), options);
  const Vector y = exponential(4 * found.a) * Vector{{1, 0}};
  EXPECT_NEAR(y.squaredNorm(), 0.1, reached);
}

TEST(DesignTargets, TheFastestDecayIsThatOfADoublePole) {
  // Poles of λ² + γ λ + 1 meet at γ = 2, where they are defective and their slopes have no bound.
  DesignOptions options;
  options.free = {"gamma"};
  options.minimise = "tau";
  const Model found = design(rlc(1, 0.1), options);
  EXPECT_NEAR(after(found, "gamma"), 2, 1e-6);
  options.minimise = "change";
  options.targets = {"tau<=2"};
  EXPECT_NEAR(after(design(rlc(1, 0.1), options), "gamma"), 1, reached);  // τ = 2/γ
}

TEST(DesignTargets, PolesThatPartAreSeenFromAllSides) {
  // Equal masses on equal springs and no spring between them: poles are double, and springs to the ground part them each its own
  // way. Both shall have ω ≥ 1.2 at the least sum.
  Network network;
  network.nodes = {{"q1", ChannelKind::position, 0, 2}, {"q2", ChannelKind::position, 1, 3}};
  Matrix a = Matrix::Zero(4, 4);
  for (Index k = 0; k < 2; ++k) {
    network.elements.push_back({Network::Type::storage, k, Network::ground, 1});
    network.elements.push_back({Network::Type::spring, k, Network::ground, 1});
    network.elements.push_back({Network::Type::damper, k, Network::ground, 0.1});
    a(k, k + 2) = 1;
    a(k + 2, k) = -1;
    a(k + 2, k + 2) = -0.1;
  }
  network.elements.push_back({Network::Type::spring, 0, 1, 1e-9});
  a.block(2, 0, 2, 2) += Matrix{{-1e-9, 1e-9}, {1e-9, -1e-9}};
  DesignOptions options;
  options.free = {"k1", "k2", "k1-2:1e-10..10"};
  options.targets = {"f>=" + std::to_string(1.2 / (2 * std::numbers::pi))};
  options.minimise = "k1+k2+k1-2";
  const Model found = design(network_model(network, {"q1", "q2", "v1", "v2"}, a), options);
  // |λ|² = k of each, since det(λ² + 0.1 λ + k) has that product; the spring between helps one mode alone.
  EXPECT_NEAR(after(found, "k1"), 1.44, 2e-5);  // the target has six decimals
  EXPECT_NEAR(after(found, "k2"), 1.44, 2e-5);
}

TEST(DesignTargets, InputsActOnTheBalanceOfANode) {
  // ẋ of a voltage is (u − i)/C: with half the capacitance a current moves it twice as fast.
  Model model = ladder_model(2, 0.5);
  model.inputs = {"u"};
  model.record = "driven";
  model.drive.b = Vector::Unit(4, 0);
  DesignOptions options;
  options.free = {"C1", "R*"};
  options.targets = {"peak(v1/u, 0.01..1)<=1"};
  const Model found = design(model, options);
  EXPECT_NEAR(found.drive.b(0, 0), 1 / after(found, "C1"), 1e-14);
  EXPECT_NEAR(found.design->targets.front().after, 1, reached);
  EXPECT_EQ(found.inputs, model.inputs);
}

TEST(DesignTargets, WordsAreChecked) {
  const auto message = [](const std::string& target) {
    DesignOptions options;
    options.free = {"c1"};
    options.targets = {target};
    try {
      design(single_mass(1, 0.1), options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(message("poles>=1"), "before ="));
  EXPECT_TRUE(has(message("poles=-1+2"), "\"i\" is missing"));
  EXPECT_TRUE(has(message("lost(0)>=0.5"), "above zero"));
  EXPECT_TRUE(has(message("lost(1, x)>=0.5"), "no state \"x\""));
  EXPECT_TRUE(has(message("lost(1)>=0.5"), "hold no energy"));
  EXPECT_TRUE(has(message("settling(q1/f1, 3)<=1"), "a part of its final value"));
  EXPECT_TRUE(has(message("overshoot(q1)<=1"), "an output"));
}

}  // namespace
}  // namespace lgn
