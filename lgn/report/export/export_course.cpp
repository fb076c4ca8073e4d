#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/varying_law.h"
#include "lgn/report/export/export_internal.h"

namespace lgn::export_internal {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error("the model cannot be exported: " + what,
              "exports know the structures skew, sd, scaled-sd, psd, metric and full that vary, "
              "and the laws ltv-oscillator and ltv-chain");
}

/// Coefficients of polynomials in v, span by span, for courses that are cubic between knots.
Matrix cubic_coefficients(const TimeBasis& basis, const Vector& knots, const Matrix& coefficients) {
  constexpr Index terms = 4;
  const Index spans = knots.size() - 1;
  Matrix powers(terms, terms);  // of v at Chebyshev's points, a row each
  for (Index i = 0; i < terms; ++i)
    for (Index j = 0; j < terms; ++j)
      powers(i, j) = std::pow(std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) / terms),
                              static_cast<double>(j));
  const Matrix solved = powers.inverse().transpose();
  Matrix result(coefficients.rows(), terms * spans);
  for (Index k = 0; k < spans; ++k) {
    const Vector times = knots[k] + (powers.col(1).array() + 1) / 2 * (knots[k + 1] - knots[k]);
    result.middleCols(terms * k, terms) = coefficients * basis.values({}, times) * solved;
  }
  // What is constant stays constant in the file: rounding alone makes no slope.
  const Vector dust =
      4 * std::numeric_limits<double>::epsilon() * result.rowwise().lpNorm<Eigen::Infinity>();
  for (Index e = 0; e < result.rows(); ++e)
    result.row(e) = (result.row(e).array().abs() > dust[e]).select(result.row(e), 0.0);
  return result;
}

Course describe(const ModulatedStructure& structure, const Vector& theta) {
  Course course;
  const TimeBasis& basis = structure.basis();
  course.structure = structure.base().name();
  course.coefficients = structure.coefficients(theta);
  course.knots = basis.knots();
  if (course.knots.size() > 1) {
    course.functions = Course::Functions::cubics;
    course.coefficients = cubic_coefficients(basis, course.knots, course.coefficients);
  } else {
    course.frequencies = basis.waves(structure.omega(theta));
    course.origin = basis.origin();
    if (basis.size() != 1 + 2 * course.frequencies.size())
      refuse(fmt::format("a script cannot know the functions of time \"{}\"", basis.name()));
  }
  course.softplus = structure.link() == ModulatedStructure::Link::softplus;
  const Vector bounds = structure.base().lower_bounds();
  for (Index e = 0; e < bounds.size(); ++e)
    if (bounds[e] == 0) course.bounded.push_back(e);
  course.clipped = !course.softplus && !course.bounded.empty() && !structure.constant();
  return course;
}

/// The program's laws, ltv-oscillator and ltv-chain: A(t) = B + f(t) C with f(0) = 0.
Course describe(const VaryingParametric& structure, const Vector& theta) {
  Course course;
  const Vector p = structure.constants().values(theta);
  const bool wave = structure.law().name() == "ltv-oscillator";
  // Where f = 1: sin ωt, or tanh(t / τ).
  const double whole = wave ? std::numbers::pi / 2 / p[3] : std::numeric_limits<double>::infinity();
  const Matrix still = structure.law().generator(0, p);
  const Matrix moved = structure.law().generator(whole, p) - still;
  course.coefficients.setZero(still.size(), wave ? 3 : 2);
  course.coefficients.leftCols(1) = still.reshaped();
  course.coefficients.rightCols(1) = moved.reshaped();
  course.functions = wave ? Course::Functions::waves : Course::Functions::saturation;
  if (wave) course.frequencies = p.tail(1);
  course.tau = p[3];
  return course;
}

/// Throws Error unless A(t) is what the program's own structure of that name gives, which is what a
/// script knows.
void check(const Structure& own, const ModelVariation& variation) {
  const Structure& structure = *variation.structure;
  bool same = own.parameters() == structure.parameters();
  for (const double part : {0.0, 0.3, 0.7, 1.0}) {
    const double t = variation.begin + part * (variation.end - variation.begin);
    same = same && own.generator(variation.theta, t) == structure.generator(variation.theta, t);
  }
  if (!same) refuse(fmt::format("\"{}\" is not the program's own", structure.name()));
}

}  // namespace

Course describe_course(const ModelVariation& variation) {
  if (!variation.theta.allFinite()) refuse("a parameter is not finite");
  const Structure* structure = variation.structure.get();
  if (const ModulatedStructure* modulated = structure->modulated()) {
    static constexpr std::array known{"skew", "sd", "scaled-sd", "psd", "metric", "full"};
    const std::string base = modulated->base().name();
    if (std::find(known.begin(), known.end(), base) == known.end())
      refuse(fmt::format("a script cannot let the structure \"{}\" vary", base));
    check(ModulatedStructure(find_structure(base, structure->dimension()),
                             modulated->shared_basis(), modulated->active(), modulated->link()),
          variation);
    return describe(*modulated, variation.theta);
  }
  if (structure->law_constants() != nullptr) {
    auto own = find_varying_law(structure->law_name(), structure->dimension());
    if (!own) refuse(fmt::format("a script cannot know the law \"{}\"", structure->name()));
    const VaryingParametric law(std::move(*own));
    check(law, variation);
    return describe(law, variation.theta);
  }
  refuse(fmt::format("a script cannot know how \"{}\" varies", structure->name()));
}

}  // namespace lgn::export_internal
