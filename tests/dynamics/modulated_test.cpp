#include "lgn/dynamics/modulated.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/dynamics/find_structure.h"
#include "tests/dynamics/varying_laws.h"

namespace lgn::testing {
namespace {

using Link = ModulatedStructure::Link;
using Active = std::vector<std::vector<Index>>;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const TimeBasis> basis_of(const std::string& name) {
  if (name == "Spline") return std::make_shared<SplineBasis>(6, 0, 4);
  if (name == "Harmonics") return std::make_shared<Harmonics>(2, 0.5);
  return std::make_shared<FourierFeatures>(Vector{{0.4, 1.1, 3}}, 0.5);
}

TEST(ModulatedStructure, EntriesFollowTheSumOfTheirFunctions) {
  Random random(6);
  const ModulatedStructure structure(find_structure("full", 2), basis_of("Harmonics"));
  const Vector theta = random.normals(structure.parameters());
  const Matrix c = structure.coefficients(theta);
  const double t = 1.3, since = t - 0.5;
  Vector u = c.col(0);
  for (Index j = 0; j < 2; ++j)
    u += std::cos(theta[j] * since) * c.col(1 + 2 * j) +
         std::sin(theta[j] * since) * c.col(2 + 2 * j);
  // Five products per entry.
  EXPECT_LE((structure.generator(theta, t).reshaped() - u).norm(), 10 * epsilon * theta.norm());
}

TEST(ModulatedStructure, SoftplusMakesDampingsAndClippingCutsThem) {
  const auto fourier = basis_of("Fourier");
  for (const double u : {-800.0, -2.0, 0.0, 3.0, 800.0}) {
    const Active constant(1, {0});
    const auto damping = [&](Link link) {
      const ModulatedStructure one(find_structure("sd", 1), fourier, constant, link);
      return -one.generator(Vector::Constant(1, u), 0.7)(0, 0);
    };
    EXPECT_EQ(damping(Link::clip), std::max(u, 0.0));
    const double exact = u > 50 ? u : std::log(1 + std::exp(u));
    // 1 + exp(u) is rounded by ε.
    EXPECT_NEAR(damping(Link::softplus), exact, 2 * epsilon * (1 + exact));
  }
}

TEST(ModulatedStructure, DampingBelowItsBoundHasNoDerivative) {
  const ModulatedStructure clipped(find_structure("sd", 1), basis_of("Harmonics"));
  const auto at = clipped.sample(Vector{{0.3, 2}});
  const Vector below{{1, 2, -3, 0.1, 0.2, 0.3, 0.4}};
  EXPECT_TRUE(at->course(below)->pullback(Matrix::Ones(1, 2)).isZero(0));
  EXPECT_FALSE(at->course(-below)->pullback(Matrix::Ones(1, 2)).isZero(0));
}

TEST(ModulatedStructure, CourseValuesAndBaseParametersAreInverse) {
  const Vector base{{-1, 1e-9, 2}}, none{{-1, 0, 2}};  // s12, d1, d2
  const ModulatedStructure model(find_structure("sd", 2), basis_of("Fourier"), {}, Link::softplus);
  // exp(u) of u near −20 is good to 20 ε, and softplus amplifies nothing.
  EXPECT_TRUE(model.base_parameters(model.course_values(base)).isApprox(base, 40 * epsilon));
  // A damping of zero is 1e-12 then, the smallest that course_values makes.
  EXPECT_NEAR(model.base_parameters(model.course_values(none))[1], 0, 1.1e-12);
  const ModulatedStructure clipped(find_structure("sd", 2), basis_of("Spline"));
  EXPECT_TRUE(clipped.base_parameters(clipped.course_values(none)) == none);
}

TEST(ModulatedStructure, BoundsHoldForConstantsAndSplinesOfDampings) {
  const auto bounds = [](const std::string& basis, Link link) {
    return ModulatedStructure(find_structure("sd", 1), basis_of(basis), {}, link).lower_bounds();
  };
  Vector fourier = Vector::Constant(7, -infinity);
  EXPECT_TRUE(bounds("Fourier", Link::softplus) == fourier);
  fourier[0] = 0;
  EXPECT_TRUE(bounds("Fourier", Link::clip) == fourier);
  EXPECT_TRUE(bounds("Spline", Link::clip) == Vector::Zero(6));
  // A frequency is positive.
  EXPECT_GT(bounds("Harmonics", Link::softplus).head(2).minCoeff(), 0);
}

TEST(ModulatedStructure, PromisesNothingWhereTheEnergyWouldVary) {
  const auto base = find_structure("scaled-sd", 2);
  EXPECT_FALSE(ModulatedStructure(base, basis_of("Spline")).guarantee().dissipative);
  const ModulatedStructure constant(base, basis_of("Spline"),
                                    Active(static_cast<std::size_t>(base->parameters()), {0}));
  EXPECT_TRUE(constant.guarantee().dissipative);
  EXPECT_TRUE(constant.extrapolates());
}

TEST(ModulatedStructure, RefusesFunctionsThatDoNotFit) {
  const auto make = [](Active active) {
    return ModulatedStructure(find_structure("sd", 2), basis_of("Harmonics"), std::move(active));
  };
  EXPECT_NO_THROW(make({{0}, {0, 4}, {3}}));
  EXPECT_THROW(make({{0}, {0}}), Error);             // two entries of three
  EXPECT_THROW(make({{0}, {0}, {0}, {0}}), Error);   // four of three
  EXPECT_THROW(make({{0}, {}, {0}}), Error);         // none
  EXPECT_THROW(make({{0}, {0, 5}, {0}}), Error);     // not in the basis
  EXPECT_THROW(make({{0}, {-1, 0}, {0}}), Error);    // nor this
  EXPECT_THROW(make({{0}, {1, 0}, {0}}), Error);     // descending
  EXPECT_THROW(make({{0}, {0, 1, 1}, {0}}), Error);  // twice
}

TEST(ModulatedStructure, RepeatsWithItsBasis) {
  Random random(8);
  const ModulatedStructure structure(find_structure("psd", 2), std::make_shared<Harmonics>(2));
  Vector theta = random.normals(structure.parameters());
  theta.head(2) << 1.7, 5.1;
  EXPECT_TRUE(varying_repeats(structure, theta, Vector::LinSpaced(9, 0, 8)));
  theta[1] = 4;
  EXPECT_FALSE(structure.period(theta).has_value());
}

TEST(ModulatedStructure, WithoutEntriesDoesNotAnnoyTheLinearAlgebra) {
  // One skew state: no entries, two frequencies. BLAS complains about matrices without rows.
  const ModulatedStructure structure(find_structure("skew", 1), basis_of("Harmonics"));
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const auto course = structure.sample(Vector{{0.3, 2}})->course(Vector{{1, 2}});
  EXPECT_TRUE(course->pullback(Matrix::Ones(1, 2)).isZero(0));
  EXPECT_TRUE(course->pullback_at(1, Matrix::Ones(1, 2)).isZero(0));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

/// A user's basis: 1, t and cos ωt, of which only the last has a parameter.
class Drift final : public TimeBasis {
 public:
  std::string name() const override { return "drift"; }
  Index size() const override { return 3; }
  std::string function_name(Index f) const override { return f == 0 ? "" : f == 1 ? "t" : "cos"; }
  Matrix values(const Vector& omega, const Vector& t) const override {
    Matrix result = Matrix::Ones(3, t.size());
    result.row(1) = t;
    result.row(2) = (omega[0] * t).array().cos();
    return result;
  }
  std::vector<std::vector<Index>> groups() const override { return {{1}, {2}}; }
  Index parameters() const override { return 1; }
  Index owner(Index f) const override { return f == 2 ? 0 : -1; }
  Matrix slopes(const Vector& omega, const Vector& t) const override {
    Matrix result = Matrix::Zero(3, t.size());
    result.row(2) = -t.array() * (omega[0] * t).array().sin();
    return result;
  }
};

TEST(ModulatedStructure, TakesABasisWhereSomeFunctionsHaveNoParameter) {
  Random random(9);
  const ModulatedStructure structure(find_structure("full", 2), std::make_shared<Drift>());
  const Vector times = Vector::LinSpaced(5, 0, 4), theta = calm(structure, random);
  EXPECT_TRUE(varying_pullback_is_derivative(structure, theta, times, random));
  EXPECT_TRUE(varying_pullback_is_sum_over_times(structure, theta, times, random));
}

}  // namespace
}  // namespace lgn::testing
