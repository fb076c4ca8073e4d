#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <set>

#include "lgn/core/error.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/log_scale.h"
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

/// u(t) = C φ(t), and the structure that makes A of u.
struct Course {
  Matrix coefficients;
  std::vector<std::string> functions{"1.0"};  ///< φ, expressions in t
  Vector knots = {};
  std::string structure = "full";
  bool softplus = false;  ///< dampings are log(1 + exp(u)) rather than max(u, 0)
};

/// Courses that are cubic between knots and held outside: their values at the first knot, and what
/// each span adds to them, in powers of v, which goes from 0 to 1 there.
void make_cubic(const TimeBasis& basis, std::string_view power, Course& course) {
  const Matrix weights = course.coefficients;
  const auto at = [&](const Vector& times) -> Matrix { return weights * basis.values({}, times); };
  course.knots = basis.knots();
  const Index spans = course.knots.size() - 1;
  const Eigen::Array3d v{1.0 / 3, 2.0 / 3, 1.0};
  Eigen::Matrix3d powers;
  powers << v, v.square(), v.cube();
  course.coefficients.resize(weights.rows(), 1 + 3 * spans);
  course.coefficients.col(0) = at(course.knots.head(1));
  for (Index k = 0; k < spans; ++k) {
    const double begin = course.knots[k], length = course.knots[k + 1] - begin;
    const Vector first = at(course.knots.segment(k, 1));
    const Matrix added = at(begin + length * v).colwise() - first;
    course.coefficients.middleCols(1 + 3 * k, 3) = added * powers.transpose().inverse();
    course.functions.push_back(
        fmt::format("min(max((t - ({}))/{}, 0.0), 1.0)", exact(begin), exact(length)));
    const std::string text = course.functions.back();
    for (const int exponent : {2, 3})
      course.functions.push_back(fmt::format("{}{}{}", text, power, exponent));
  }
}

Course describe(const ModulatedStructure& structure, const Vector& theta, std::string_view power) {
  static const std::set<std::string> known{"skew", "sd", "scaled-sd", "psd", "metric", "full"};
  const TimeBasis& basis = structure.basis();
  const ConstantStructure& base = structure.base();
  Course course{structure.coefficients(theta)};
  course.structure = base.name();
  course.softplus = structure.link() == ModulatedStructure::Link::softplus;
  // A structure of that name need not be the program's.
  const auto own =
      known.contains(base.name()) ? find_structure(base.name(), base.dimension()) : nullptr;
  const Vector u = course.coefficients.rowwise().sum();
  if (!own || own->parameters() != u.size() || own->generator(u) != base.generator(u))
    refuse(fmt::format("a script cannot let the structure \"{}\" vary", course.structure));
  for (const double frequency : basis.waves(structure.omega(theta)))
    for (const char* wave : {"cos", "sin"})
      course.functions.push_back(
          fmt::format("{}({}*(t - ({})))", wave, exact(frequency), exact(basis.origin())));
  if (basis.knots().size() > 1)
    make_cubic(basis, power, course);
  else if (basis.size() != static_cast<Index>(course.functions.size()))
    refuse(fmt::format("a script cannot know the functions of time \"{}\"", basis.name()));
  return course;
}

/// The program's laws, ltv-oscillator and ltv-chain: A(t) = B + f(t) C with f(0) = 0.
Course describe_law(const ModelVariation& variation) {
  const Structure& structure = *variation.structure;
  const auto law = find_varying_law(structure.law_name(), structure.dimension());
  const Vector p = structure.law_constants()->values(variation.theta);
  const auto same_at = [&](double t) {
    return law->generator(t, p) == structure.generator(variation.theta, t);
  };
  if (!law || static_cast<Index>(law->constants().size()) != p.size() ||
      !same_at(variation.begin) || !same_at(variation.end))
    refuse(fmt::format("a script cannot know the law \"{}\"", structure.name()));
  const bool wave = law->name() == "ltv-oscillator";
  const std::string_view f = wave ? "sin({}*t)" : "tanh(t/{})";
  const double whole = wave ? std::numbers::pi / 2 / p[3] : std::numeric_limits<double>::infinity();
  const Matrix still = law->generator(0, p), moved = law->generator(whole, p) - still;  // f = 1
  Course course{Matrix(still.size(), 2), {"1.0", fmt::format(fmt::runtime(f), exact(p[3]))}};
  course.coefficients << still.reshaped(), moved.reshaped();
  return course;
}

Course describe(const ModelVariation& variation, std::string_view power) {
  const Structure& structure = *variation.structure;
  if (!variation.theta.allFinite()) refuse("a parameter is not finite");
  if (structure.modulated() != nullptr)
    return describe(*structure.modulated(), variation.theta, power);
  if (structure.law_constants() != nullptr) return describe_law(variation);
  refuse(fmt::format("a script cannot know how \"{}\" varies", structure.name()));
}

}  // namespace

void add_course(const ModelVariation& variation, const Language& language, Marks& marks) {
  const Course course = describe(variation, language.power);
  const std::string& structure = course.structure;
  const Index n = variation.structure->dimension(), pairs = n * (n - 1) / 2;
  const auto u = [&](Index k) {
    return fmt::format(fmt::runtime(language.entry), k + language.first_index);
  };
  const bool damped = structure == "sd" || structure == "scaled-sd";
  const auto damping = [&](Index i) {
    return fmt::format(fmt::runtime(course.softplus ? "-(max({0}, 0.0) + log(1.0 + exp(-abs({0}))))"
                                                    : "-max({0}, 0.0)"),
                       u(pairs + i));
  };
  const auto from_log = [](const std::string& log) {
    return fmt::format("exp(min(max({0}, -{1}), {1}))", log, exact(largest_log_scale));
  };
  // Skew, of which u has the upper triangle row by row, with dampings on the diagonal.
  const auto square = [&](Index i, Index j) -> std::string {
    if (structure == "full") return u(j * n + i);
    if (i == j) return damped ? damping(i) : "0.0";
    const Index row = std::min(i, j), column = std::max(i, j);
    return (i < j ? "" : "-") + u(row * n - row * (row + 1) / 2 + column - row - 1);
  };
  // Of which u, from `first` on, has the columns.
  const auto lower = [&](Index first, bool logarithmic_diagonal) {
    return language.matrix(n, n, [&, first, logarithmic_diagonal](Index i, Index j) -> std::string {
      if (i < j) return "0.0";
      const std::string entry = u(first + j * n - j * (j - 1) / 2 + i - j);
      return i == j && logarithmic_diagonal ? from_log(entry) : entry;
    });
  };
  marks["varying"];
  marks["functions"] = language.column(course.functions);
  marks["coefficients"] = language.matrix(course.coefficients);
  marks["knots"] = language.vector(course.knots);
  marks["square"] = language.matrix(n, n, square);
  if (structure == "psd" || structure == "metric") marks["lower"] = lower(pairs, false);
  if (structure == "metric") marks["root"] = lower(n * n, true);
  if (structure == "scaled-sd") {
    std::vector<std::string> scale{"1.0"};
    for (Index i = 1; i < n; ++i) scale.push_back(from_log(u(pairs + n + i - 1)));
    marks["scale"] = language.column(scale);
  }
  std::vector<Index> clipped;
  for (Index i = 0; damped && !course.softplus && i < n; ++i)
    clipped.push_back(pairs + i + language.first_index);
  marks["clipped"] = fmt::format("[{}]", fmt::join(clipped, ", "));
}

}  // namespace lgn::export_internal
