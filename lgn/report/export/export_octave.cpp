#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/flow/taylor_scheme.h"
#include "lgn/report/export/export.h"
#include "lgn/report/export/export_internal.h"
#include "lgn/report/export/export_octave_internal.h"

namespace lgn {
namespace {

using namespace export_internal;

/// Text as an expression in ASCII: characters of Octave are bytes, those of MATLAB UTF-16, and both
/// convert from UTF-8.
std::string quoted(const std::string& text) {
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  std::string result;
  if (plain) {
    for (const char c : text) result.append(c == '\'' ? 2 : 1, c);
    return "'" + result + "'";
  }
  for (const char c : array_internal::valid_utf8(text))
    result += fmt::format("{}{}", result.empty() ? "" : " ", static_cast<unsigned char>(c));
  return fmt::format("native2unicode(uint8([{}]), 'UTF-8')", result);
}

std::string rows(const Matrix& matrix) { return listed(matrix, "", "", "; ...\n  "); }
/// A matrix of any size, n × 0 included.
std::string array(const Matrix& matrix) {
  if (matrix.size() == 0) return fmt::format("zeros({}, {})", matrix.rows(), matrix.cols());
  return fmt::format("[{}]", rows(matrix));
}
std::string row(const Vector& values) { return fmt::format("[{}]", listed(values)); }

template <std::size_t N>
std::string weights(const std::array<double, N>& combination, std::size_t count) {
  return row(Eigen::Map<const Vector>(combination.data(), static_cast<Index>(count)));
}

/// The fields left and right: factors as sums of the first registers, one more in each.
template <class Products>
std::string factors(const Products& products, std::size_t registers) {
  std::string left, right;
  for (std::size_t k = 0; k < products.size(); ++k) {
    left += (k == 0 ? "" : ", ") + weights(products[k].left, registers + k);
    right += (k == 0 ? "" : ", ") + weights(products[k].right, registers + k);
  }
  return fmt::format("'left', {{{{{}}}}}, ...\n    'right', {{{{{}}}}}", left, right);
}

std::string taylor() {
  std::string text;
  for (const TaylorScheme& scheme : taylor_schemes())
    text += fmt::format("{}struct('degree', {}, 'radius', {}, ...\n    {}, ...\n    'result', {})",
                        text.empty() ? "" : ", ...\n  ", scheme.degree, exact(scheme.radius),
                        factors(scheme.products, 2),
                        weights(scheme.result, 2 + scheme.products.size()));
  return text;
}

std::string magnus(std::string_view name) {
  const MagnusScheme& scheme = find_magnus_scheme(name);
  const std::size_t nodes = scheme.nodes.size();
  std::string exponents;
  for (std::size_t e = 0; e < scheme.exponents.size(); ++e)
    exponents +=
        (e == 0 ? "" : ", ") + weights(scheme.exponents[e], nodes + scheme.commutators.size());
  return fmt::format(
      "struct('order', {}, 'nodes', {}, ...\n    {}, ...\n    'exponents', {{{{{}}}}})",
      scheme.order, row(Eigen::Map<const Vector>(scheme.nodes.data(), static_cast<Index>(nodes))),
      factors(scheme.commutators, nodes), exponents);
}

std::string modulated(const ModulatedStructure& structure, const Vector& theta) {
  std::string text;
  if (const auto* spline = dynamic_cast<const SplineBasis*>(&structure.basis())) {
    text += fmt::format("course.splines = {};\ncourse.begin = {};\ncourse.end_ = {};\n",
                        spline->count(), exact(spline->begin()), exact(spline->end()));
  } else {
    const auto* fixed = dynamic_cast<const FourierFeatures*>(&structure.basis());
    const double origin =
        fixed ? fixed->origin() : dynamic_cast<const Harmonics&>(structure.basis()).origin();
    text += fmt::format("course.frequencies = {};  % rad per unit of time\ncourse.origin = {};\n",
                        row(fixed ? fixed->frequencies() : structure.omega(theta)), exact(origin));
  }
  text += fmt::format("course.coefficients = {};  % a row per entry, a column per function\n",
                      array(structure.coefficients(theta)));
  std::string bounded;
  const Vector bounds = structure.base().lower_bounds();
  for (Index e = 0; e < bounds.size(); ++e)
    if (bounds[e] == 0 && structure.link() == ModulatedStructure::Link::softplus)
      bounded += fmt::format("{}{}", bounded.empty() ? "" : " ", e + 1);
  return text + fmt::format("course.softplus = [{}];\n", bounded);
}

std::string law(const VaryingParametric& structure, const Vector& theta) {
  const Vector p = structure.constants().values(theta);
  const auto names = structure.parameter_names();
  std::string text;
  for (Index k = 0; k < p.size(); ++k)
    text += fmt::format("course.{} = {};\n", names[static_cast<std::size_t>(k)], exact(p[k]));
  return text;
}

/// The fields of a model whose generator varies.
std::string varying(const ModelVariation& variation, const Variation& as) {
  const Guarantee promise = variation.structure->guarantee();
  std::string energy = "[]";
  if (promise.dissipative && !promise.conservative)
    energy = array(variation.structure->energy(variation.theta).value());
  return fmt::format("course.n = {};\n", variation.structure->dimension()) +
         (as.law ? law(*as.law, variation.theta) : modulated(*as.modulated, variation.theta)) +
         filled(octave_varying, {{"energy", energy},
                                 {"tolerance", exact(variation.magnus.tolerance)},
                                 {"most", fmt::format("{}", variation.magnus.most_substeps)},
                                 {"method", magnus(variation.magnus.method)},
                                 {"free", magnus("4-commutator-free")},
                                 {"midpoint", magnus("2")}});
}

/// The functions of such a model.
std::string varying_functions(const Variation& as) {
  if (as.law) return std::string(octave_law(as.law->law().name())) + std::string(octave_magnus);
  const bool spline = dynamic_cast<const SplineBasis*>(&as.modulated->basis()) != nullptr;
  const std::string body(octave_body(as.modulated->base().name()));
  return std::string(spline ? octave_splines : octave_waves) +
         filled(octave_modulated, {{"body", body}}) + std::string(octave_magnus);
}

}  // namespace

bool is_function_name(const std::string& name) {
  constexpr std::size_t longest = 63;
  // Words of both languages, and functions of the script that it would hide.
  static constexpr std::array taken{"break",
                                    "case",
                                    "catch",
                                    "classdef",
                                    "continue",
                                    "else",
                                    "elseif",
                                    "end",
                                    "end_try_catch",
                                    "for",
                                    "function",
                                    "global",
                                    "if",
                                    "otherwise",
                                    "parfor",
                                    "persistent",
                                    "return",
                                    "spmd",
                                    "switch",
                                    "try",
                                    "while",
                                    "do",
                                    "until",
                                    "endif",
                                    "endfor",
                                    "endfunction",
                                    "endwhile",
                                    "endswitch",
                                    "unwind_protect",
                                    "unwind_protect_cleanup",
                                    "end_unwind_protect",
                                    "endparfor",
                                    "states_at",
                                    "count_halvings",
                                    "matrix_exponential",
                                    "flow_maps",
                                    "basis_at",
                                    "generator_at",
                                    "magnus_step",
                                    "mixed",
                                    "equal_steps",
                                    "difference_of",
                                    "count_steps",
                                    "energy_decays",
                                    "decaying_step"};
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  return !name.empty() && name.size() <= longest && letter(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || c == '_' || (c >= '0' && c <= '9'); }) &&
         std::find(taken.begin(), taken.end(), name) == taken.end();
}

std::string octave_script(const Model& model, const std::string& name) {
  if (!is_function_name(name))
    throw Error(fmt::format("\"{}\" cannot be the name of a MATLAB function", one_line(name)),
                "use letters, digits and _, a letter first, and no word of the language");
  const Variation as = check_exportable(model);
  const bool varies = model.variation.has_value();
  std::string channels;
  for (const auto& channel : model.channels)
    channels += (channels.empty() ? "" : ", ") + quoted(channel);
  const auto [re, im] = poles(model);
  return filled(octave_head, {{"name", name},
                              {"title", title(model)},
                              {"what", varies ? "A(t) x" : "A x"},
                              {"A", rows(model.a)},
                              {"mean", varies ? "  % the mean of A(t)" : ""},
                              {"channels", channels},
                              {"starts", array(model.starts)},
                              {"poles_re", listed(re)},
                              {"poles_im", listed(im)},
                              {"taylor", taylor()},
                              {"unit", quoted(model.time_unit)},
                              {"varying", varies ? varying(*model.variation, as) : ""}}) +
         (varies ? varying_functions(as) : std::string(octave_constant));
}

}  // namespace lgn
