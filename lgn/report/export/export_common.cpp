#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lgn/core/error.h"
#include "lgn/report/export/export_internal.h"
#include "lgn/report/text/markup.h"

namespace lgn::export_internal {
namespace {

using Names = std::set<std::string, std::less<>>;

/// A line with its marks replaced.
std::string filled(std::string_view line, const Fillings& fillings) {
  std::string result;
  while (!line.empty()) {
    const auto at = std::min(line.find('@'), line.size());
    result += line.substr(0, at);
    line.remove_prefix(at);
    // What was put in is not looked at again: a channel's name may read like a mark.
    const auto found = std::find_if(fillings.begin(), fillings.end(), [&](const auto& filling) {
      return line.starts_with(fmt::format("@{}@", filling.first));
    });
    if (found != fillings.end()) {
      result += found->second;
      line.remove_prefix(found->first.size() + 2);
    } else if (!line.empty()) {
      result += '@';
      line.remove_prefix(1);
    }
  }
  return result;
}

bool any_holds(std::string_view words, const Names& holds) {
  while (!words.empty()) {
    const auto length = std::min(words.find(' '), words.size());
    if (holds.contains(words.substr(0, length))) return true;
    words.remove_prefix(std::min(length + 1, words.size()));
  }
  return false;
}

std::string filled(std::string_view text, const Fillings& fillings, const Names& holds) {
  constexpr std::string_view condition = "@if ";
  std::string result;
  std::vector<bool> kept{true};  // at each depth of conditions
  while (!text.empty()) {
    const auto length = text.find('\n') + 1;
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(length);
    const auto end = line.find('@', 1);
    if (line == "@end@\n") {
      kept.pop_back();
    } else if (!line.starts_with(condition)) {
      if (kept.back()) result += filled(line, fillings);
    } else {
      const auto words = line.substr(condition.size(), end - condition.size());
      const bool keep = kept.back() && any_holds(words, holds);
      if (line.substr(end) == "@\n")
        kept.push_back(keep);
      else if (keep)
        result += filled(line.substr(end + 1), fillings);
    }
  }
  return result;
}

void add_steps(const MagnusOptions& steps, const Syntax& syntax, Fillings& fillings) {
  const MagnusScheme& scheme = find_magnus_scheme(steps.method);
  const auto nodes = static_cast<Index>(scheme.nodes.size()),
             commutators = static_cast<Index>(scheme.commutators.size());
  const auto row = [&](const MagnusScheme::Combination& weights) {
    return Eigen::Map<const Eigen::RowVectorXd>(weights.data(), nodes + commutators);
  };
  Matrix left(commutators, nodes + commutators), right(left.rows(), left.cols()),
      exponents(scheme.exponents.size(), left.cols());
  for (Index k = 0; k < commutators; ++k) {
    left.row(k) = row(scheme.commutators[static_cast<std::size_t>(k)].left);
    right.row(k) = row(scheme.commutators[static_cast<std::size_t>(k)].right);
  }
  for (Index k = 0; k < exponents.rows(); ++k)
    exponents.row(k) = row(scheme.exponents[static_cast<std::size_t>(k)]);
  fillings.insert(fillings.end(),
                  {{"method", std::string(steps.method)},
                   {"longest", exact(steps.longest)},
                   {"nodes", syntax.vector(Eigen::Map<const Vector>(scheme.nodes.data(), nodes))},
                   {"left", syntax.matrix(left)},
                   {"right", syntax.matrix(right)},
                   {"exponents", syntax.matrix(exponents)}});
}

void add_course(const ModelVariation& variation, const Syntax& syntax, Fillings& fillings,
                Names& holds) {
  using Functions = Course::Functions;
  const Course course = describe_course(variation);
  const bool cubics = course.functions == Functions::cubics;
  holds.insert({course.structure, cubics                                      ? "cubics"
                                  : course.functions == Functions::saturation ? "saturation"
                                                                              : "waves"});
  if (course.softplus && !course.bounded.empty()) holds.insert("softplus");
  if (course.clipped) holds.insert("clip");
  if (course.clipped || cubics) holds.insert("corners");
  std::string bounded;
  for (const Index e : course.bounded)
    bounded += fmt::format("{}{}", bounded.empty() ? "" : ", ", e + syntax.first_index);
  fillings.insert(fillings.end(), {{"frequencies", syntax.vector(course.frequencies)},
                                   {"origin", exact(course.origin)},
                                   {"knots", syntax.vector(course.knots)},
                                   {"tau", exact(course.tau)},
                                   {"coefficients", syntax.matrix(course.coefficients)},
                                   {"bounded", bounded}});
}

}  // namespace

std::string exact(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == text.npos) text += ".0";
  return text;
}

std::string listed(const Vector& values) {
  std::string text;
  for (Index k = 0; k < values.size(); ++k) text += (k > 0 ? ", " : "") + exact(values[k]);
  return text;
}

std::string listed(const Matrix& rows, std::string_view open, std::string_view close,
                   std::string_view between) {
  std::string text;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (i > 0) text += between;
    text.append(open).append(listed(Vector(rows.row(i)))).append(close);
  }
  return text;
}

void check_finite(const Model& model) {
  if (!model.a.allFinite()) throw Error("the model cannot be exported: A is not finite");
  if (!model.starts.allFinite()) throw Error("the model cannot be exported: a start is not finite");
}

std::string one_line(const std::string& text) {
  std::string line = clean_text(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return line;
}

std::string title(const Model& model) {
  const Index n = model.dimension();
  return one_line(fmt::format("{} state{} of structure {}, found by lgn {}", n, n == 1 ? "" : "s",
                              model.structure, model.version));
}

std::pair<Vector, Vector> poles(const Model& model) {
  Vector re(static_cast<Index>(model.modes.size())), im(re.size());
  for (Index k = 0; k < re.size(); ++k) {
    re[k] = model.modes[static_cast<std::size_t>(k)].pole.real();
    im[k] = model.modes[static_cast<std::size_t>(k)].pole.imag();
  }
  return {re, im};
}

std::string rendered(std::string_view text, const Model& model, const Syntax& syntax,
                     Fillings own) {
  check_finite(model);
  const bool varies = model.variation.has_value();
  const auto [re, im] = poles(model);
  std::string channels;
  for (const auto& name : model.channels)
    channels += (channels.empty() ? "" : ", ") + syntax.text(name);
  Names holds{varies ? "varying" : "constant"};
  own.insert(own.end(),
             {{"title", syntax.text(title(model))},
              {"what", varies ? "A(t) x" : "A x"},
              {"n", fmt::format("{}", model.dimension())},
              {"A", syntax.matrix(model.a)},
              {"channels", channels},
              {"starts", syntax.matrix(model.starts)},
              {"poles_re", syntax.vector(re)},
              {"poles_im", syntax.vector(im)},
              {"unit", syntax.text(model.time_unit)},
              {"start_times", syntax.vector(varies ? model.variation->start_times : Vector())},
              {"begin", exact(varies ? model.variation->begin : 0.0)},
              {"step", exact(model.data.step)}});
  if (varies) {
    add_course(*model.variation, syntax, own, holds);
    add_steps(model.variation->steps(), syntax, own);
  }
  return filled(text, own, holds);
}

}  // namespace lgn::export_internal
