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

/// u(t) = C φ(t), φ being 1 and what functions make of the vector v(t), and the structure that makes A
/// of u.
struct Course {
  Matrix coefficients;
  std::string v = {};  ///< an expression in t; with a length, the times at which v begins to rise
  std::string length = {};                  ///< the time that v takes from 0 to 1
  std::vector<std::string> functions = {};  ///< expressions in v
  Vector knots = {};
  std::string structure = "full";
  bool softplus = false;  ///< dampings are log(1 + exp(u)) rather than max(u, 0)
};

std::string angles(const Vector& frequencies, double origin, const Language& language) {
  return fmt::format("{}*(t - ({}))", language.vector(frequencies), exact(origin));
}

/// Courses that are cubic between knots and held outside: their values at the first knot, and what
/// each span adds to them, in powers of v, which goes from 0 to 1 there.
void make_cubic(const TimeBasis& basis, const Language& language, Course& course) {
  const Matrix weights = course.coefficients;
  const auto at = [&](const Vector& times) -> Matrix { return weights * basis.values({}, times); };
  course.knots = basis.knots();
  const Index spans = course.knots.size() - 1;
  const double length = (course.knots[spans] - course.knots[0]) / static_cast<double>(spans);
  const Eigen::Array3d v{1.0 / 3, 2.0 / 3, 1.0};
  Eigen::Matrix3d powers;
  powers << v, v.square(), v.cube();
  course.coefficients.resize(weights.rows(), 1 + 3 * spans);
  course.coefficients.col(0) = at(course.knots.head(1));
  for (Index k = 0; k < spans; ++k) {
    const Vector first = at(course.knots.segment(k, 1));
    const Matrix added = at(course.knots[k] + length * v).colwise() - first;
    course.coefficients(Eigen::all, Eigen::seqN(1 + k, 3, spans)) =
        added * powers.transpose().inverse();
  }
  course.v = language.vector(course.knots.head(spans));
  course.length = exact(length);
  course.functions = {"v", fmt::format("v{}2", language.power),
                      fmt::format("v{}3", language.power)};
}

Course describe(const ModulatedStructure& structure, const Vector& theta,
                const Language& language) {
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
  const Vector frequencies = basis.waves(structure.omega(theta));
  if (basis.knots().size() > 1) {
    make_cubic(basis, language, course);
  } else if (basis.size() == 1 + 2 * frequencies.size()) {
    course.v = angles(frequencies, basis.origin(), language);
    course.functions = {"cos(v)", "sin(v)"};
    const Matrix pairs = course.coefficients.rightCols(basis.size() - 1);
    for (Index k = 0; k < frequencies.size(); ++k) {
      course.coefficients.col(1 + k) = pairs.col(2 * k);
      course.coefficients.col(1 + frequencies.size() + k) = pairs.col(2 * k + 1);
    }
  } else {
    refuse(fmt::format("a script cannot know the functions of time \"{}\"", basis.name()));
  }
  return course;
}

/// The program's laws, ltv-oscillator and ltv-chain: A(t) = B + f(t) C with f(0) = 0.
Course describe_law(const ModelVariation& variation, const Language& language) {
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
  const double whole = wave ? std::numbers::pi / 2 / p[3] : std::numeric_limits<double>::infinity();
  const Matrix still = law->generator(0, p), moved = law->generator(whole, p) - still;  // f = 1
  Course course{Matrix(still.size(), 2)};
  course.coefficients << still.reshaped(), moved.reshaped();
  course.v = wave ? angles(p.tail(1), 0, language) : language.column({"t/" + exact(p[3])});
  course.functions = {wave ? "sin(v)" : "tanh(v)"};
  return course;
}

Course describe(const ModelVariation& variation, const Language& language) {
  const Structure& structure = *variation.structure;
  if (!variation.theta.allFinite()) refuse("a parameter is not finite");
  if (structure.modulated() != nullptr)
    return describe(*structure.modulated(), variation.theta, language);
  if (structure.law_constants() != nullptr) return describe_law(variation, language);
  refuse(fmt::format("a script cannot know how \"{}\" varies", structure.name()));
}

}  // namespace

void add_course(const ModelVariation& variation, const Language& language, Marks& marks) {
  const Course course = describe(variation, language);
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
  marks[course.length.empty() ? "v" : "ramps"] = course.v;
  marks["length"] = course.length;
  marks["functions"] = fmt::format("{}", fmt::join(course.functions, language.next_row));
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
