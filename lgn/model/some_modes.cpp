#include "lgn/model/some_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/sparse_eigenpairs.h"
#include "lgn/model/plan_parsing_internal.h"

namespace lgn {
namespace {

/// Standard errors of the mode of the model whose pole is this one; the two are computed apart.
void take_errors(Mode& mode, const std::vector<Mode>& known) {
  constexpr double same = 1e-6;
  for (const Mode& other : known)
    if (std::abs(other.pole - mode.pole) <= same * std::abs(mode.pole)) {
      mode.se = other.se;
      mode.identifiable = other.identifiable;
      mode.reason = other.reason;
    }
}

std::vector<Mode> computed(const Model& model, double omega, Index count) {
  const SparseGenerator a = model.sparse->generator();
  const Eigensystem found = eigenpairs_near(a.places(), a.values(), omega, count);
  std::vector<Mode> modes;
  for (Index k = 0; k < found.values.size(); ++k) {
    Mode mode = mode_at(found.values[k], model.guarantee, model.time_unit);
    set_vectors(mode, found.right.col(k), found.left.col(k));
    modes.push_back(std::move(mode));
  }
  return modes;
}

}  // namespace

double angular_frequency(const Model& model, const std::string& text) {
  const std::string help =
      fmt::format("such as {} or {}; without a unit it is in {}", setting("near", "5Hz"),
                  setting("near", "5"), frequency_unit(model));
  const auto number = plan_internal::quantity_of(text);
  const double turn = 2 * std::numbers::pi;
  if (!number || !number->unit.empty())
    return turn * plan_internal::rate_of(text, model.time_unit, "frequency", help);
  if (!(number->value >= 0)) throw Error(fmt::format("\"{}\" is no frequency", text), help);
  return turn * number->value * seconds_in(model.time_unit).value_or(1.0);
}

std::vector<Mode> some_modes(const Model& model, Index count, double omega) {
  if (count < 1) throw Error(setting("count") + " must be positive");
  const Complex point(0, omega);
  std::vector<Mode> modes;
  if (model.sparse) {
    modes = computed(model, omega, count);
  } else {
    // Of a pair its upper pole.
    std::copy_if(model.modes.begin(), model.modes.end(), std::back_inserter(modes),
                 [](const Mode& mode) { return mode.pole.imag() >= 0; });
    std::stable_sort(modes.begin(), modes.end(), [&](const Mode& a, const Mode& b) {
      return std::abs(a.pole - point) < std::abs(b.pole - point);
    });
    modes.resize(std::min(modes.size(), static_cast<std::size_t>(count)));
  }
  if (model.sparse)
    for (Mode& mode : modes) take_errors(mode, model.modes);
  return with_conjugates(modes);
}

}  // namespace lgn
