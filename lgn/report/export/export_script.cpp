#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/report/export/export_internal.h"
#include "lgn/report/text/markup.h"

namespace lgn::export_internal {
namespace {

/// A line with its marks replaced. What was put in is not looked at again: a channel's name may read
/// like a mark.
std::string filled(std::string_view line, const Marks& marks) {
  std::string result;
  for (auto at = line.find('@'); at != line.npos; at = line.find('@')) {
    const auto end = std::min(line.find('@', at + 1), line.size() - 1);
    const auto mark = marks.find(line.substr(at + 1, end - at - 1));
    const bool found = mark != marks.end();
    result.append(line.substr(0, at)).append(found ? mark->second : "@");
    line.remove_prefix((found ? end : at) + 1);
  }
  return result.append(line);
}

std::string filled_text(std::string_view text, const Marks& marks) {
  constexpr std::string_view condition = "@if ";
  std::string result;
  for (bool kept = true; !text.empty();) {
    std::string_view line = text.substr(0, text.find('\n') + 1);
    text.remove_prefix(line.size());
    bool holds = true;
    if (line.starts_with(condition)) {
      const auto end = line.find('@', 1);
      holds = marks.contains(line.substr(condition.size(), end - condition.size()));
      line.remove_prefix(end + 1);
      if (line == "\n") {
        kept = holds;
        continue;
      }
    }
    if (line == "@end@\n")
      kept = true;
    else if (kept && holds)
      result += filled(line, marks);
  }
  return result;
}

/// The lines of one Magnus step of length h from t, and the flow that it ends with.
void add_step(const MagnusScheme& scheme, const Language& language, Marks& marks) {
  const auto sum = [](const MagnusScheme::Combination& weights) {
    std::vector<std::string> terms;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] != 0) terms.push_back(fmt::format("{}*r{}", exact(weights[i]), i + 1));
    return fmt::format("{}", fmt::join(terms, " + "));
  };
  std::vector<std::string> lines, factors;
  for (const double node : scheme.nodes)
    lines.push_back(fmt::format("r{} = h*generator(t + {}*h)", lines.size() + 1, exact(node)));
  for (const auto& [left, right] : scheme.commutators)
    lines.push_back(
        fmt::format("r{} = commutator({}, {})", lines.size() + 1, sum(left), sum(right)));
  for (const auto& exponent : scheme.exponents)
    factors.insert(factors.begin(), fmt::format("expm({})", sum(exponent)));
  marks["step"] = fmt::format("{}", fmt::join(lines, language.next_line));
  marks["flow"] = fmt::format("{}", fmt::join(factors, language.product));
}

/// B, D, and how inputs act; the parts of formulas that have them.
void add_inputs(const Model& model, const Language& language, Marks& marks) {
  const auto& [timing, b, d] = model.drive;
  const bool driven = model.drive.active(), fed = d.size() > 0;
  marks["plus_input"] = driven ? " + B u" : "";
  marks["plus_feedthrough"] = fed ? " + D u" : "";
  marks["shown"] = fed ? ", y = x + D u" : "";
  marks["plus_fed"] = fed ? " + at_times @ D.T" : "";
  if (!driven) {
    marks["free"];
    return;
  }
  std::vector<std::string> inputs;
  for (const auto& name : model.inputs) inputs.push_back(language.quoted(name));
  marks.insert({{"B", language.matrix(b)},
                {"inputs", fmt::format("{}", fmt::join(inputs, ", "))},
                {"input_count", fmt::format("{}", b.cols())},
                {"hold", language.quoted(hold_name(timing.hold))},
                {"delay", exact(timing.delay)}});
  if (fed) marks["D"] = language.matrix(d);
}

}  // namespace

std::string Language::vector(const Vector& values) const {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(exact(value));
  return fmt::format("{}{}{}", open, fmt::join(texts, ", "), close);
}

std::string Language::column(const std::vector<std::string>& expressions) const {
  return fmt::format("{}{}{}", open, fmt::join(expressions, next_row), close);
}

std::string Language::matrix(Index rows, Index columns,
                             const std::function<std::string(Index, Index)>& entry_at) const {
  if (rows * columns == 0) return fmt::format(fmt::runtime(empty), rows, columns);
  std::vector<std::string> texts;
  for (Index i = 0; i < rows; ++i) {
    std::string row;
    for (Index j = 0; j < columns; ++j) row += (j > 0 ? ", " : "") + entry_at(i, j);
    texts.push_back(fmt::format("{}{}{}", row_open, row, row_close));
  }
  return column(texts);
}

std::string Language::matrix(const Matrix& values) const {
  return matrix(values.rows(), values.cols(),
                [&](Index i, Index j) { return exact(values(i, j)); });
}

void check_finite(const Model& model) {
  if (!model.a.allFinite()) throw Error("the model cannot be exported: A is not finite");
  if (!model.c.allFinite()) throw Error("the model cannot be exported: C is not finite");
  if (!model.drive.b.allFinite() || !model.drive.d.allFinite())
    throw Error("the model cannot be exported: B or D is not finite");
  if (!model.starts.allFinite())
    throw Error("the model cannot be exported: an initial state is not finite");
}

void check_linear(const Model& model) {
  check_finite(model);
  if (model.nonlinear)
    throw Error("a nonlinear law cannot be exported as this: A is but its linearisation",
                "it can be as " + setting("format", "python") + ", octave, modelica or latex");
}

std::string exact(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == text.npos) text += ".0";
  return text;
}

std::pair<Vector, Vector> poles(const Model& model) {
  Vector re(static_cast<Index>(model.modes.size())), im(re.size());
  for (Index k = 0; k < re.size(); ++k) {
    re[k] = model.modes[static_cast<std::size_t>(k)].pole.real();
    im[k] = model.modes[static_cast<std::size_t>(k)].pole.imag();
  }
  return {re, im};
}

std::string one_line(const std::string& text) {
  std::string line = clean_text(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return line;
}

std::string rendered(std::string_view text, const Model& model, const Language& language,
                     Marks marks) {
  check_finite(model);
  const auto [re, im] = poles(model);
  const Index n = model.dimension();
  const std::string title =
      one_line(fmt::format("{} state{} of structure {}, found by lgn {}", n, n == 1 ? "" : "s",
                           model.structure, model.version));
  std::vector<std::string> channels;
  for (const auto& name : model.channels) channels.push_back(language.quoted(name));
  marks.insert({{"title", language.quoted(title)},
                {"comment", title},
                {"n", fmt::format("{}", n)},
                {"channel_count", fmt::format("{}", model.outputs())},
                {"A", language.matrix(model.a)},
                {"channels", fmt::format("{}", fmt::join(channels, ", "))},
                {"starts", language.matrix(model.starts)},
                {"poles_re", language.vector(re)},
                {"poles_im", language.vector(im)},
                {"unit", language.quoted(model.time_unit)}});
  const bool offset = model.offset.size() > 0;
  if (offset) marks["offset"] = language.vector(model.offset);
  if (model.hidden()) {
    marks["C"] = language.matrix(model.c);
  } else {
    marks["measured"];
    marks[offset ? "shifted" : "centred"];
  }
  marks["plus_offset"] = offset ? " + offset" : "";
  add_inputs(model, language, marks);
  if (model.variation) {
    const MagnusOptions steps = model.variation->steps();
    add_course(*model.variation, language, marks);
    add_step(find_magnus_scheme(steps.method), language, marks);
    marks.insert({{"method", std::string(steps.method)}, {"longest", exact(steps.longest)}});
  } else {
    marks["constant"];
    if (!model.drive.active()) marks["unforced"];
  }
  return filled_text(text, marks);
}

}  // namespace lgn::export_internal
