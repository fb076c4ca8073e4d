#include <fmt/format.h>

#include <array>

#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/flow/taylor_scheme.h"
#include "lgn/report/export/export.h"
#include "lgn/report/export/export_internal.h"
#include "lgn/report/export/export_python_internal.h"

namespace lgn {
namespace {

using namespace export_internal;

/// A string literal in ASCII.
std::string quoted(const std::string& text) {
  std::string literal = "\"";
  for (const std::uint32_t c : array_internal::code_points(text)) {
    if (c == '"' || c == '\\') literal += '\\';
    if (c >= ' ' && c < 0x7f)
      literal += static_cast<char>(c);
    else
      literal += c < 0x10000 ? fmt::format("\\u{:04x}", c) : fmt::format("\\U{:08x}", c);
  }
  return literal + "\"";
}

std::string array(const Vector& values) {
  return fmt::format("np.array([{}], dtype=float)", listed(values));
}
/// A matrix of any size, 0 × n included.
std::string array(const Matrix& rows) {
  if (rows.rows() == 0) return fmt::format("np.zeros((0, {}))", rows.cols());
  return fmt::format("np.array([\n    {}])", listed(rows, "[", "]", ",\n    "));
}

template <std::size_t N>
std::string weights(const std::array<double, N>& combination, std::size_t count) {
  const auto length = static_cast<Index>(count);
  return fmt::format("[{}]", listed(Vector(Eigen::Map<const Vector>(combination.data(), length))));
}

/// Factors as sums of the first registers, one more in each.
template <class Products>
std::string factors(const Products& products, std::size_t registers) {
  std::string text;
  for (std::size_t k = 0; k < products.size(); ++k)
    text += fmt::format("{}({}, {})", k == 0 ? "" : ", ", weights(products[k].left, registers + k),
                        weights(products[k].right, registers + k));
  return text;
}

std::string taylor() {
  std::string text;
  for (const TaylorScheme& scheme : taylor_schemes())
    text += fmt::format("{}({}, {}, [{}],\n     {})", text.empty() ? "" : ",\n    ", scheme.degree,
                        exact(scheme.radius), factors(scheme.products, 2),
                        weights(scheme.result, 2 + scheme.products.size()));
  return text;
}

/// Nodes, pairs of commutators and exponents.
std::string scheme(std::string_view name) {
  const MagnusScheme& scheme = find_magnus_scheme(name);
  const std::size_t nodes = scheme.nodes.size();
  std::string exponents;
  for (std::size_t e = 0; e < scheme.exponents.size(); ++e)
    exponents +=
        (e == 0 ? "" : ", ") + weights(scheme.exponents[e], nodes + scheme.commutators.size());
  return fmt::format(
      "({}, [{}],\n    [{}], [{}])", scheme.order,
      listed(Vector(Eigen::Map<const Vector>(scheme.nodes.data(), static_cast<Index>(nodes)))),
      factors(scheme.commutators, nodes), exponents);
}

std::string basis(const ModulatedStructure& structure, const Vector& theta) {
  if (const auto* spline = dynamic_cast<const SplineBasis*>(&structure.basis()))
    return filled(python_splines, {{"count", fmt::format("{}", spline->count())},
                                   {"begin", exact(spline->begin())},
                                   {"end", exact(spline->end())}});
  const auto* fixed = dynamic_cast<const FourierFeatures*>(&structure.basis());
  const double origin =
      fixed ? fixed->origin() : dynamic_cast<const Harmonics&>(structure.basis()).origin();
  return filled(python_waves,
                {{"frequencies", array(fixed ? fixed->frequencies() : structure.omega(theta))},
                 {"origin", exact(origin)}});
}

/// u(t), and A from it.
std::string modulated(const ModulatedStructure& structure, const Vector& theta) {
  const std::string base = structure.base().name();
  std::string bounded;
  const Vector bounds = structure.base().lower_bounds();
  if (structure.link() == ModulatedStructure::Link::softplus)
    for (Index e = 0; e < bounds.size(); ++e)
      if (bounds[e] == 0) bounded += fmt::format("{}{}", bounded.empty() ? "" : ", ", e);
  const Index n = structure.dimension();
  return basis(structure, theta) +
         filled(
             python_modulated,
             {{"coefficients", array(structure.coefficients(theta))},
              {"softplus", bounded.empty() ? "" : filled(python_softplus, {{"bounded", bounded}})},
              {"pairs", fmt::format("{}", n * (n - 1) / 2)},
              {"body", std::string(python_body(base))}});
}

std::string law(const VaryingParametric& structure, const Vector& theta) {
  const Vector p = structure.constants().values(theta);
  const auto names = structure.parameter_names();
  std::string constants;
  for (Index k = 0; k < p.size(); ++k)
    constants += fmt::format("{} = {}\n", names[static_cast<std::size_t>(k)], exact(p[k]));
  return "\n" + constants + std::string(python_law(structure.law().name()));
}

std::string varying(const ModelVariation& variation, const Variation& as) {
  const Guarantee promise = variation.structure->guarantee();
  std::string energy = "None";
  if (promise.dissipative && !promise.conservative)
    energy = array(variation.structure->energy(variation.theta).value());
  return (as.law ? law(*as.law, variation.theta) : modulated(*as.modulated, variation.theta)) +
         filled(python_magnus, {{"method", scheme(variation.magnus.method)},
                                {"free", scheme("4-commutator-free")},
                                {"midpoint", scheme("2")},
                                {"tolerance", exact(variation.magnus.tolerance)},
                                {"most", fmt::format("{}", variation.magnus.most_substeps)},
                                {"energy", energy}});
}

}  // namespace

std::string python_script(const Model& model) {
  const Variation as = check_exportable(model);
  std::string channels;
  for (const auto& name : model.channels) channels += (channels.empty() ? "" : ", ") + quoted(name);
  const auto [re, im] = poles(model);
  const Vector start_times = model.variation ? model.variation->start_times : Vector();
  return filled(python_head, {{"title", quoted(title(model))},
                              {"what", as.law || as.modulated ? "A(t) x" : "A x"},
                              {"mean", as.law || as.modulated ? "  # the mean of A(t)" : ""},
                              {"A", array(model.a)},
                              {"channels", channels},
                              {"starts", array(Matrix(model.starts.transpose()))},
                              {"poles_re", listed(re)},
                              {"poles_im", listed(im)},
                              {"unit", quoted(model.time_unit)},
                              {"start_times", array(start_times)},
                              {"begin", exact(model.variation ? model.variation->begin : 0.0)},
                              {"step", exact(model.data.step)}}) +
         filled(python_exponential, {{"taylor", taylor()}}) +
         (model.variation ? varying(*model.variation, as) : std::string(python_constant)) +
         std::string(python_program);
}

}  // namespace lgn
