#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/report/export/export_internal.h"
#include "lgn/report/text/markup.h"

namespace lgn::export_internal {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error("the model cannot be exported: " + what,
              "exports know the structures skew, sd, scaled-sd, psd, metric and full that vary, "
              "and the laws ltv-oscillator and ltv-chain");
}

/// What a script makes of the structure's name: the program's own of that name, which a structure
/// of a user's may share.
std::shared_ptr<const Structure> rebuilt(const Variation& variation, Index n) {
  if (variation.law) {
    auto law = find_varying_law(variation.law->law().name(), n);
    if (!law) refuse(fmt::format("a script cannot know the law \"{}\"", variation.law->name()));
    return std::make_shared<VaryingParametric>(std::move(*law));
  }
  const std::string name = variation.modulated->base().name();
  if (name.starts_with("parametric:") || name == "network" || name == "mechanical")
    refuse(fmt::format("a script cannot let the structure \"{}\" vary", name));
  std::shared_ptr<const ConstantStructure> base;
  try {
    base = find_structure(name, n);
  } catch (const Error&) {
    refuse(fmt::format("a script cannot know the structure \"{}\"", name));
  }
  return std::make_shared<ModulatedStructure>(base, variation.modulated->shared_basis(),
                                              variation.modulated->active(),
                                              variation.modulated->link());
}

void check_variation(const ModelVariation& of, const Variation& variation, Index n) {
  if (!variation.modulated && !variation.law)
    refuse(fmt::format("a script cannot know how \"{}\" varies", of.structure->name()));
  if (!of.theta.allFinite()) refuse("a parameter is not finite");
  const auto own = rebuilt(variation, n);
  if (own->parameters() != of.structure->parameters())
    refuse(fmt::format("\"{}\" is not the program's own", of.structure->name()));
  for (const double part : {0.0, 0.3, 0.7, 1.0}) {
    const double t = of.begin + part * (of.end - of.begin);
    if (own->generator(of.theta, t) != of.structure->generator(of.theta, t))
      refuse(fmt::format("\"{}\" is not the program's own", of.structure->name()));
  }
  if (variation.modulated) {
    const TimeBasis& basis = variation.modulated->basis();
    if (!dynamic_cast<const Harmonics*>(&basis) && !dynamic_cast<const FourierFeatures*>(&basis) &&
        !dynamic_cast<const SplineBasis*>(&basis))
      refuse(fmt::format("a script cannot know the functions of time \"{}\"", basis.name()));
  }
}

}  // namespace

std::string exact(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == text.npos) text += ".0";
  return text;
}

std::string listed(const Vector& values, std::string_view between) {
  std::string text;
  for (Index k = 0; k < values.size(); ++k) {
    if (k > 0) text += between;
    text += exact(values[k]);
  }
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

Variation check_exportable(const Model& model) {
  check_finite(model);
  if (!model.variation) return {};
  const Structure* structure = model.variation->structure.get();
  const Variation variation{dynamic_cast<const ModulatedStructure*>(structure),
                            dynamic_cast<const VaryingParametric*>(structure)};
  check_variation(*model.variation, variation, model.dimension());
  return variation;
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

Index place(Part part, Index n, Index first, Index i, Index j) {
  if (part == Part::lower)  // column by column
    return i < j ? 0 : first + j * n - j * (j - 1) / 2 + (i - j) + 1;
  if (i == j) return 0;
  const Index row = std::min(i, j), column = std::max(i, j);  // row by row
  const Index k = first + row * (n - 1) - row * (row - 1) / 2 + (column - row - 1) + 1;
  return i < j ? k : -k;
}

std::pair<Vector, Vector> poles(const Model& model) {
  Vector re(static_cast<Index>(model.modes.size())), im(re.size());
  for (Index k = 0; k < re.size(); ++k) {
    re[k] = model.modes[static_cast<std::size_t>(k)].pole.real();
    im[k] = model.modes[static_cast<std::size_t>(k)].pole.imag();
  }
  return {re, im};
}

double begin_of(const Model& model) {
  if (!model.variation) return 0;
  const Vector& times = model.variation->start_times;
  return times.size() > 0 ? times[0] : model.variation->begin;
}

std::string filled(std::string_view text, const Fillings& fillings) {
  std::string result;
  while (!text.empty()) {
    const auto at = std::min(text.find('@'), text.size());
    result += text.substr(0, at);
    text.remove_prefix(at);
    // What was put in is not looked at again: a channel's name may read like a mark.
    const auto found = std::find_if(fillings.begin(), fillings.end(), [&](const auto& filling) {
      const std::string_view name = filling.first;
      return text.substr(0, name.size() + 2) == fmt::format("@{}@", name);
    });
    if (found != fillings.end()) {
      result += found->second;
      text.remove_prefix(found->first.size() + 2);
    } else if (!text.empty()) {
      result += '@';
      text.remove_prefix(1);
    }
  }
  return result;
}

}  // namespace lgn::export_internal
