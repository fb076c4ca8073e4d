#include "lgn/flow/magnus_scheme.h"

#include <fmt/format.h>

#include "lgn/core/error.h"

namespace lgn {
namespace {

using Exponent = MagnusScheme::Combination;
using Commutator = MagnusScheme::Commutator;

constexpr double sqrt3 = 1.7320508075688772935, sqrt15 = 3.8729833462074168852;

constexpr double midpoint_nodes[]{0.5};
constexpr Exponent midpoint_exponents[]{Exponent{1}};

constexpr double gauss2_nodes[]{0.5 - sqrt3 / 6, 0.5 + sqrt3 / 6};
constexpr Commutator gauss2_commutators[]{Commutator{{1}, {0, 1}}};
constexpr Exponent gauss2_exponents[]{Exponent{0.5, 0.5, -sqrt3 / 12}};

constexpr double simpson_nodes[]{0.0, 0.5, 1.0};
constexpr Commutator simpson_commutators[]{Commutator{{1}, {0, 0, 1}}};
constexpr Exponent simpson_exponents[]{Exponent{1.0 / 6, 4.0 / 6, 1.0 / 6, -1.0 / 12}};
constexpr Exponent printed_exponents[]{Exponent{0, 1, 0, 1.0 / 12}};

// With α₁ = R₁, α₂ = √15/3 (R₂ − R₀), α₃ = 10/3 (R₂ − 2R₁ + R₀):
// R₃ = [α₁, α₂], R₄ = [α₁, 2α₃ + R₃], R₅ = [−20α₁ − α₃ + R₃, α₂ − R₄/60], Ω = α₁ + α₃/12 + R₅/240.
constexpr double a2 = sqrt15 / 3, a3 = 10.0 / 3;
constexpr double gauss3_nodes[]{0.5 - sqrt15 / 10, 0.5, 0.5 + sqrt15 / 10};
constexpr Commutator gauss3_commutators[]{
    Commutator{{0, 1}, {-a2, 0, a2}},
    Commutator{{0, 1}, {2 * a3, -4 * a3, 2 * a3, 1}},
    Commutator{{-a3, -20 + 2 * a3, -a3, 1}, {-a2, 0, a2, 0, -1.0 / 60}},
};
constexpr Exponent gauss3_exponents[]{Exponent{a3 / 12, 1 - 2 * a3 / 12, a3 / 12, 0, 0, 1.0 / 240}};

constexpr double early = (3 + 2 * sqrt3) / 12, late = (3 - 2 * sqrt3) / 12;
constexpr Exponent mixed_exponents[]{Exponent{early, late}, Exponent{late, early}};

constexpr MagnusScheme magnus_table[]{
    MagnusScheme{"2", 2, midpoint_nodes, {}, midpoint_exponents},
    MagnusScheme{"4", 4, gauss2_nodes, gauss2_commutators, gauss2_exponents},
    MagnusScheme{"4-simpson", 4, simpson_nodes, simpson_commutators, simpson_exponents},
    MagnusScheme{"6", 6, gauss3_nodes, gauss3_commutators, gauss3_exponents},
    MagnusScheme{"4-commutator-free", 4, gauss2_nodes, {}, mixed_exponents},
    MagnusScheme{"printed", 2, simpson_nodes, simpson_commutators, printed_exponents},
};

/// ∫A is integrated with weights that sum to one, and the middle of the step is their centre.
constexpr bool is_consistent(const MagnusScheme& scheme) {
  double sum = 0, centre = 0;
  for (const Exponent& exponent : scheme.exponents)
    for (std::size_t i = 0; i < scheme.nodes.size(); ++i) {
      sum += exponent[i];
      centre += exponent[i] * scheme.nodes[i];
    }
  const double error = (sum - 1) * (sum - 1) + (centre - 0.5) * (centre - 0.5);
  return error < 1e-30;
}
static_assert([] {
  for (const MagnusScheme& scheme : magnus_table)
    if (!is_consistent(scheme) ||
        scheme.nodes.size() + scheme.commutators.size() > MagnusScheme::registers)
      return false;
  return true;
}());

}  // namespace

std::span<const MagnusScheme> magnus_schemes() { return magnus_table; }

const MagnusScheme& find_magnus_scheme(std::string_view name) {
  for (const MagnusScheme& scheme : magnus_table)
    if (scheme.name == name) return scheme;
  throw Error(fmt::format("unknown Magnus method \"{}\"", name),
              "methods are 2, 4, 4-simpson, 6, 4-commutator-free and printed");
}

}  // namespace lgn
