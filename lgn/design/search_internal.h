#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgn/core/random.h"
#include "lgn/design/design.h"
#include "lgn/design/expression.h"
#include "lgn/design/free_values_internal.h"
#include "lgn/design/min_max.h"
#include "lgn/design/quantities.h"
#include "lgn/design/uncertain_values.h"

namespace lgn {

/// Relative violation of a target that counts as none: far below what elements are made to, far above rounding.
inline constexpr double met = 1e-9;

/// What is wanted of a system, as a min-max problem in u = log|value|, at the values themselves and in other cases of what is uncertain.
class Search {
 public:
  Search(const Model& model, const DesignOptions& options);

  /// Objective and targets at u, and again in each of the worst cases so far; with the curvatures that are known, or without.
  MinMaxPoint evaluate(const Vector& u, bool curved = false) const;
  /// The same in one case alone, with derivatives by log|p| of the values that are uncertain.
  MinMaxPoint evaluate_case(const Vector& u, const Vector& z) const;
  /// The values alone, in one case.
  Quantities without_derivatives(const Vector& u, const Vector& z) const;

  /// A start of its own for each trial, the first where the model is.
  Vector start(int trial, Random& random) const;
  /// From one start; entries of `fixed` that are numbers stay there.
  MinMaxResult run(const Vector& start, const Vector& fixed = {}) const;

  /// What is designed, as a model with its record.
  Model finish(const MinMaxResult& best) const;
  /// Throws NotIdentified with the closest values and the targets that stand in the way; `of` says what they are.
  [[noreturn]] void refuse(const MinMaxResult& closest, const std::string& of = "values") const;

  const NamedSystem& system() const { return system_; }
  const FreeValues& free() const { return free_; }
  const UncertainValues& uncertain() const { return uncertain_; }
  const std::vector<Target>& targets() const { return targets_; }
  bool maximised() const { return maximise_; }
  double scale() const { return scale_; }
  Index states() const { return system_.original().dimension(); }

  /// Cases of what is uncertain in which everything must hold.
  std::vector<Vector> cases = {};

 private:
  MinMaxPoint lists(const Quantities& at, std::size_t number) const;
  Vector chosen(const Vector& u) const { return free_.values(system_.start(), u); }
  std::vector<DesignedValue> values(const Vector& u) const;
  DesignedProperty property(std::size_t target, const Vector& u, const MinMaxPoint& point) const;

  NamedSystem system_;
  FreeValues free_;
  UncertainValues uncertain_;
  Vector p0_;
  bool maximise_ = false;
  std::string text_;
  std::shared_ptr<const Expression> objective_;
  std::vector<Target> targets_;
  double scale_ = 1;
};

/// Of two results the one to keep: less violated, or as good and cheaper.
bool better(const MinMaxResult& a, const MinMaxResult& b);

}  // namespace lgn
