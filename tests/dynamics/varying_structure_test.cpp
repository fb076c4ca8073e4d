#include <memory>
#include <numbers>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/network.h"
#include "lgn/dynamics/varying_law.h"
#include "tests/dynamics/varying_laws.h"

namespace lgn::testing {
namespace {

using Link = ModulatedStructure::Link;
using Active = std::vector<std::vector<Index>>;

struct VaryingCase {
  std::string name;
  std::shared_ptr<const Structure> structure;
};

std::shared_ptr<const TimeBasis> varying_basis_of(const std::string& name) {
  if (name == "Spline") return std::make_shared<SplineBasis>(6, 0, 4);
  if (name == "Harmonics") return std::make_shared<Harmonics>(2, 0.5);
  return std::make_shared<FourierFeatures>(Vector{{0.4, 1.1, 3}}, 0.5);
}

/// Every entry with functions of its own: the constant, one other, both, the last two. A damping has
/// its constant always, so that it can stay away from zero, where it has no derivative.
Active partly(const ConstantStructure& base, Index functions) {
  const std::vector<Active::value_type> kinds{
      {0}, {0, 1}, {2}, {functions - 2, functions - 1}, {0, functions - 1}};
  const Vector bounds = base.lower_bounds();
  Active active;
  for (Index e = 0; e < base.parameters(); ++e) {
    auto kind = kinds[static_cast<std::size_t>(e) % kinds.size()];
    if (std::isfinite(bounds[e]) && kind.front() != 0) kind.insert(kind.begin(), 0);
    active.push_back(kind);
  }
  return active;
}

/// The paper's model: S − D of two states, 25 frequencies, softplus.
ModulatedStructure paper_model() {
  Random random(1);
  return {find_structure("sd", 2),
          std::make_shared<FourierFeatures>(FourierFeatures::draw(25, 0.1, 10, random)),
          {},
          Link::softplus};
}

/// The example of varying_law.h.
VaryingLaw swing_law() {
  using Range = Constant::Range;
  return {
      "swing", 2, {{"g", Range::positive, 9.8}, {"rate"}}, [](double t, const auto& p, auto& a) {
        a << 0, 1, -p[0], p[1] * t;
      }};
}

/// Another of one's own: three rotations whose axis turns.
VaryingLaw spinning_law() {
  VaryingLaw law("spinning", 3, {{"rate"}, {"turn", Constant::Range::positive}},
                 [](double t, const auto& p, auto& a) {
                   using std::cos, std::sin;
                   const auto c = p[0] * cos(p[1] * t), s = p[0] * sin(p[1] * t);
                   a << 0, c, s, -c, 0, 1, -s, -1, 0;
                 });
  law.promise({true, true, true}, [](const Vector&) { return Matrix::Identity(3, 3); });
  return law.repeats([](const Vector& p) { return 2 * std::numbers::pi / p[1]; });
}

std::vector<VaryingCase> cases() {
  std::vector<VaryingCase> all;
  for (const std::string base : {"skew", "sd", "psd", "full"})
    for (const std::string basis : {"Fourier", "Harmonics", "Spline"})
      for (const Link link : {Link::clip, Link::softplus}) {
        const std::string name = base + basis + (link == Link::clip ? "Clip" : "Softplus");
        for (const Index n : link == Link::clip ? std::vector<Index>{1, 2} : std::vector<Index>{3})
          all.push_back({name + std::to_string(n),
                         std::make_shared<ModulatedStructure>(
                             find_structure(base, n), varying_basis_of(basis), Active{}, link)});
        const auto four = find_structure(base, 4);
        all.push_back({name + "Partly", std::make_shared<ModulatedStructure>(
                                            four, varying_basis_of(basis),
                                            partly(*four, varying_basis_of(basis)->size()), link)});
      }
  all.push_back({"PaperModel", std::make_shared<ModulatedStructure>(paper_model())});
  // Bases whose energy has a metric of parameters, and one whose energy has none.
  for (const std::string base : {"scaled-sd", "metric"})
    all.push_back({base == "metric" ? "Metric" : "ScaledSd",
                   std::make_shared<ModulatedStructure>(find_structure(base, 3),
                                                        varying_basis_of("Harmonics"))});
  const auto scaled = find_structure("scaled-sd", 3);
  const Active constants(static_cast<std::size_t>(scaled->parameters()), {0});
  all.push_back({"ScaledSdConstant", std::make_shared<ModulatedStructure>(
                                         scaled, varying_basis_of("Fourier"), constants)});
  using enum ElementType;
  const std::vector<NetworkElement> wires{
      {coupling, 0, 1}, {exchange, 1, 2}, {exchange, 0, 2}, {loss, 2}};
  all.push_back({"Network", std::make_shared<ModulatedStructure>(
                                std::make_shared<NetworkStructure>(single_states(3), wires, false),
                                varying_basis_of("Spline"))});
  all.push_back({"Oscillator", std::make_shared<VaryingParametric>(ltv_oscillator_law())});
  all.push_back({"Swing", std::make_shared<VaryingParametric>(swing_law())});
  all.push_back({"Spinning", std::make_shared<VaryingParametric>(spinning_law())});
  return all;
}

class VaryingStructureLaw : public ::testing::TestWithParam<VaryingCase> {
 protected:
  const Structure& structure() const { return *GetParam().structure; }
  /// Not in order, one of them twice, two outside the splines' interval.
  const Vector times{{0.3, -1, 2.5, 4.5, 2.5, 0, 4, 1.7}};
  Random random{77};
};

TEST_P(VaryingStructureLaw, PullbackIsTheTransposeOfTheDerivative) {
  for (int k = 0; k < 5; ++k)
    EXPECT_TRUE(
        varying_pullback_is_derivative(structure(), calm(structure(), random), times, random));
}

TEST_P(VaryingStructureLaw, PullbackIsTheSumOverTimes) {
  for (const double scale : {0.0, 1e-8, 1.0, 1e3})
    EXPECT_TRUE(varying_pullback_is_sum_over_times(
        structure(), scale * random.normals(structure().parameters()), times, random));
}

TEST_P(VaryingStructureLaw, EnergyNeverGrowsWhateverTheParameters) {
  EXPECT_TRUE(
      varying_energy_never_grows(structure(), Vector::Zero(structure().parameters()), times));
  for (const double scale : {1e-8, 1.0, 30.0, 1e6})
    for (int k = 0; k < 20; ++k) {
      const Vector at = 10 * random.normals(5);
      const Vector theta = scale * random.normals(structure().parameters());
      EXPECT_TRUE(varying_energy_never_grows(structure(), theta, at)) << scale;
    }
}

TEST_P(VaryingStructureLaw, TimesAreIndependentOfOneAnother) {
  const Vector theta = calm(structure(), random);
  const Matrix all = generators_at(structure(), theta, times);
  const Index n = structure().dimension();
  ASSERT_EQ(all.cols(), n * times.size());
  // Sums of up to 51 functions may be taken in another order for several times than for one.
  for (Index k = 0; k < times.size(); ++k)
    EXPECT_LE((all.middleCols(k * n, n) - structure().generator(theta, times[k])).norm(),
              51 * epsilon * (1 + all.norm()));
}

TEST_P(VaryingStructureLaw, DescriptionsFit) {
  for (const double scale : {0.0, 1.0, 1e6})
    EXPECT_TRUE(
        varying_descriptions_fit(structure(), scale * random.normals(structure().parameters())));
}

INSTANTIATE_TEST_SUITE_P(All, VaryingStructureLaw, ::testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(VaryingStructureLaws, CatchAFalsePromise) {
  VaryingLaw swing = swing_law();  // −g beside 1, and a rate of either sign
  swing.promise({.stable = true, .dissipative = true},
                [](const Vector&) { return Matrix::Identity(2, 2); });
  const VaryingParametric liar(std::move(swing));
  EXPECT_FALSE(varying_energy_never_grows(liar, Vector{{3, 1}}, Vector{{1.0}}));
}

TEST(ModulatedStructure, OfThePaperHas153Parameters) {
  EXPECT_EQ(paper_model().parameters(), 153);
  EXPECT_EQ(paper_model().name(), "ltv-sd");
}

TEST(ModulatedStructure, CoefficientsComeBackAsParameters) {
  Random random(5);
  for (const VaryingCase& one : cases()) {
    const auto* structure = dynamic_cast<const ModulatedStructure*>(one.structure.get());
    if (!structure) continue;
    const Vector theta = random.normals(structure->parameters());
    const Matrix coefficients = structure->coefficients(theta);
    EXPECT_TRUE(structure->theta_of(structure->omega(theta), coefficients) == theta) << one.name;
    for (Index e = 0; e < structure->entries(); ++e)
      for (Index f = 0; f < structure->basis().size(); ++f) {
        const Index place = structure->place(e, f);
        EXPECT_EQ(coefficients(e, f), place < 0 ? 0.0 : theta[place]) << one.name << e << " " << f;
      }
  }
}

TEST(VaryingParametric, OscillatorIsTheFormulaOfThePaper) {
  const VaryingParametric structure(ltv_oscillator_law());
  const Vector p{{1.3, 0.3, -0.5, 1.1}}, theta = structure.constants().parameters(p);
  const double t = 2.2, gamma = 0.3 * (1 - 0.5 * std::sin(1.1 * t));
  const Matrix expected{{0, 1}, {-1.3, -gamma}};
  // A constant and its parameter are good to a few ε of each other.
  EXPECT_LE((structure.generator(theta, t) - expected).norm(), 16 * epsilon);
  EXPECT_TRUE(varying_repeats(structure, theta, Vector::LinSpaced(9, 0, 8)));
  EXPECT_TRUE(structure.extrapolates());
}

TEST(VaryingParametric, LawsAreFoundByName) {
  EXPECT_EQ(find_varying_law("ltv-oscillator", 2)->name(), "ltv-oscillator");
  EXPECT_FALSE(find_varying_law("rlc", 2).has_value());
  EXPECT_THROW(find_varying_law("ltv-oscillator", 3), Error);
}

TEST(VaryingParametric, ALawOfOnesOwnTakesAFewLines) {
  const VaryingParametric structure(swing_law());
  EXPECT_EQ(structure.parameter_names(), (std::vector<std::string>{"g", "rate"}));
  const Vector theta = structure.constants().parameters(Vector{{4, -0.5}});
  EXPECT_LE((structure.generator(theta, 3) - Matrix{{0, 1}, {-4, -1.5}}).norm(), 16 * epsilon);
  EXPECT_FALSE(structure.period(theta).has_value());
  EXPECT_FALSE(structure.energy(theta).has_value());
}

}  // namespace
}  // namespace lgn::testing
