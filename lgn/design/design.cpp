#include "lgn/design/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/number_text.h"
#include "lgn/core/random.h"
#include "lgn/core/stop.h"
#include "lgn/design/expression.h"
#include "lgn/design/free_values_internal.h"
#include "lgn/design/min_max.h"
#include "lgn/design/quantities.h"

namespace lgn {
namespace {

/// Relative violation of a target that counts as none: far below what elements are made to, far above rounding.
constexpr double met = 1e-9;

/// The search: what is wanted of a system, as a min-max problem in log|value|.
class Search {
 public:
  Search(const Model& model, const DesignOptions& options)
      : system_(model), free_(free_values(system_, options)), p0_(system_.start()) {
    if (!options.minimise.empty() && !options.maximise.empty())
      throw Error("one objective is either minimised or maximised", "give one of the two");
    maximise_ = !options.maximise.empty();
    text_ = maximise_ ? options.maximise : options.minimise.empty() ? "change" : options.minimise;
    objective_ = parse_expression(text_, system_);
    for (const std::string& text : options.targets) targets_.push_back(parse_target(text, system_));
    if (targets_.empty() && options.minimise.empty() && !maximise_)
      throw Error("nothing is wanted of the system", "give a target, or what to minimise");
    // Changes are counted from where elements are; one that is not there yet, from where the search starts.
    const Vector first = free_.values(p0_, free_.start);
    for (const Index k : free_.members)
      if (p0_[k] == 0) p0_[k] = first[k];
    scale_ = 1;
    if (const double size = std::abs(evaluate(free_.start).cost()); size > 0 && std::isfinite(size))
      scale_ = size;
  }

  MinMaxPoint evaluate(const Vector& u) const {
    const Quantities at = quantities(u);
    MinMaxPoint point;
    point.objective = objective(*objective_, at, maximise_);
    for (std::size_t t = 0; t < targets_.size(); ++t)
      add_target(targets_[t], at, static_cast<int>(t), point);
    if (point.objective.empty()) point.objective.push_back({0, Vector::Zero(members()), -1});
    const Vector p = free_.values(system_.start(), u);
    const auto by_logarithm = [&](std::vector<Smooth>& list, double factor) {
      for (Smooth& one : list) {
        Vector g = Vector::Zero(free_.groups());
        for (std::size_t k = 0; k < free_.members.size(); ++k)
          g[free_.group[k]] += factor * one.gradient[static_cast<Index>(k)] * p[free_.members[k]];
        one.gradient = std::move(g);
        one.value *= factor;
      }
    };
    by_logarithm(point.objective, 1 / scale_);
    by_logarithm(point.below, 1);
    by_logarithm(point.zero, 1);
    return point;
  }

  Quantities quantities(const Vector& u) const {
    return {system_, free_.values(system_.start(), u), free_.members, p0_};
  }

  /// A start of its own for each trial, the first where the model is.
  Vector start(int trial, Random& random) const {
    if (trial == 0) return free_.start;
    Vector u(free_.groups());
    for (Index k = 0; k < u.size(); ++k)
      u[k] = free_.low[k] + (free_.high[k] - free_.low[k]) * random.uniform();
    return u;
  }

  MinMaxResult run(const Vector& start) const {
    // Large systems end where cheap ones would polish the last digits; an eigendecomposition costs about 25 n³.
    const double n = static_cast<double>(states());
    const MinMaxOptions options{static_cast<int>(std::clamp(1e8 / (n * n * n), 50.0, 300.0))};
    return minimise_max([&](const Vector& u) { return evaluate(u); }, start, free_.low, free_.high,
                        options);
  }

  Index states() const { return system_.original().dimension(); }
  Index members() const { return std::ssize(free_.members); }

  Design finish(const MinMaxResult& best) const;
  [[noreturn]] void refuse(const MinMaxResult& closest) const;

 private:
  std::vector<DesignedValue> values(const Vector& u) const;
  DesignedProperty property(const Target& target, std::size_t t, const Vector& u) const;

  NamedSystem system_;
  FreeValues free_;
  Vector p0_;
  bool maximise_ = false;
  std::string text_;
  std::shared_ptr<const Expression> objective_;
  std::vector<Target> targets_;
  double scale_ = 1;
};

std::vector<DesignedValue> Search::values(const Vector& u) const {
  const Vector p = free_.values(system_.start(), u), before = system_.start();
  std::vector<DesignedValue> list;
  for (std::size_t k = 0; k < free_.members.size(); ++k) {
    const Index g = free_.group[k], i = free_.members[k];
    const auto& named = system_.values()[static_cast<std::size_t>(i)];
    using Bound = DesignedValue::Bound;
    const double near = 1e-7;
    Bound bound = u[g] - free_.low[g] < near    ? Bound::lower
                  : free_.high[g] - u[g] < near ? Bound::upper
                                                : Bound::none;
    double low = free_.sign[g] * std::exp(free_.low[g]),
           high = free_.sign[g] * std::exp(free_.high[g]);
    if (low > high) {
      std::swap(low, high);
      if (bound != Bound::none) bound = bound == Bound::lower ? Bound::upper : Bound::lower;
    }
    list.push_back({named.name, named.quantity, before[i], p[i], low, high, bound});
  }
  return list;
}

/// Of the numbers that a target is about, the one that is worst off.
const Smooth* worst(const std::vector<Smooth>& list, int source) {
  const Smooth* found = nullptr;
  for (const Smooth& one : list)
    if (one.source == source && (found == nullptr || one.value > found->value)) found = &one;
  return found;
}

DesignedProperty Search::property(const Target& target, std::size_t t, const Vector& u) const {
  DesignedProperty result{target.text, std::nan(""), std::nan("")};
  const int source = static_cast<int>(t);
  const auto value = [&](const Vector& where, bool last) {
    const MinMaxPoint point = evaluate(where);
    const auto& list = target.relation == Target::Relation::equal ? point.zero : point.below;
    std::vector<Smooth> sizes = list;
    if (target.relation == Target::Relation::equal)
      for (Smooth& one : sizes) one.value = std::abs(one.value);
    const Smooth* one = worst(sizes, source);
    if (one == nullptr) return std::nan("");
    const Quantities at = quantities(where);
    double number = std::nan(""), nearest = std::numeric_limits<double>::infinity();
    for (const Smooth& candidate : at.evaluate(*target.left))
      if (const double distance = std::abs(candidate.label - one->label); distance < nearest) {
        nearest = distance;
        number = candidate.value;
        if (last) {
          const Vector p = free_.values(system_.start(), where);
          result.sensitivities = candidate.gradient;
          for (std::size_t k = 0; k < free_.members.size(); ++k)
            result.sensitivities[static_cast<Index>(k)] *= p[free_.members[k]] / candidate.value;
        }
      }
    if (last) result.binding = std::abs(one->value) < 1e-6;
    return number;
  };
  result.before = value(free_.start, false);
  result.after = value(u, true);
  return result;
}

Design Search::finish(const MinMaxResult& best) const {
  Design design;
  design.model = system_.model(free_.values(system_.start(), best.u));
  design.values = values(best.u);
  for (std::size_t t = 0; t < targets_.size(); ++t)
    design.targets.push_back(property(targets_[t], t, best.u));
  const double sign = maximise_ ? -scale_ : scale_;
  design.objective = {(maximise_ ? "maximise " : "minimise ") + text_,
                      sign * evaluate(free_.start).cost(), sign * best.point.cost()};
  design.converged = best.converged;
  std::string changed;
  for (const DesignedValue& value : design.values)
    changed += fmt::format("{}{} from {} to {}", changed.empty() ? "" : ", ", value.name,
                           short_number(value.before), short_number(value.after));
  constexpr std::size_t most = 600;
  if (changed.size() > most) changed = counted(std::ssize(design.values), "value") + " changed";
  design.model.warnings.push_back(
      {"designed", "values were chosen, not measured: " + changed +
                       "; what data said of the old ones (errors, residuals) does not hold"});
  return design;
}

void Search::refuse(const MinMaxResult& closest) const {
  std::string wanted, place;
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    double most = 0;
    for (const auto* list : {&closest.point.below, &closest.point.zero})
      for (const Smooth& one : *list)
        if (one.source == static_cast<int>(t))
          most = std::max(most, list == &closest.point.zero ? std::abs(one.value) : one.value);
    if (most <= met) continue;
    const DesignedProperty reached = property(targets_[t], t, closest.u);
    wanted += fmt::format("{}\"{}\", of which the closest reach {}", wanted.empty() ? "" : ", nor ",
                          targets_[t].text, short_number(reached.after));
  }
  std::size_t listed = 0;
  std::string held;
  for (const DesignedValue& value : values(closest.u)) {
    using Bound = DesignedValue::Bound;
    if (value.bound != Bound::none) held += (held.empty() ? "" : ", ") + value.name;
    if (++listed > 12) continue;
    place +=
        fmt::format("{}{} = {}{}", place.empty() ? "" : ", ", value.name, short_number(value.after),
                    value.bound == Bound::lower   ? " (its lower bound)"
                    : value.bound == Bound::upper ? " (its upper bound)"
                                                  : "");
  }
  if (listed > 12) place += ", …";
  throw NotIdentified(
      fmt::format("no values within the bounds meet {}, at {}", wanted, place),
      held.empty()
          ? "ask for less, or free more values"
          : fmt::format("widen the bounds of {}, ask for less, or free more values", held));
}

}  // namespace

Design design(const Model& model, const DesignOptions& options) {
  if (options.starts < 0) throw Error("the number of starts is negative");
  const Search search(model, options);
  // Eight, or as many as cost what eight of thirty states do.
  const double affordable = 8 * std::pow(30.0 / static_cast<double>(search.states()), 3);
  const int starts =
      options.starts > 0 ? options.starts : std::clamp(static_cast<int>(affordable), 1, 8);
  Random random(options.seed);
  std::optional<MinMaxResult> best;
  int iterations = 0, done = 0;
  const auto better = [](const MinMaxResult& a, const MinMaxResult& b) {
    const double va = a.point.violation(), vb = b.point.violation();
    if (va > met || vb > met) return va < vb;
    return a.point.cost() < b.point.cost() - 1e-10 * (1 + std::abs(b.point.cost()));
  };
  const auto attempt = [&](int trial) {
    MinMaxResult found = search.run(search.start(trial, random));
    iterations += found.iterations;
    ++done;
    if (std::isfinite(found.point.cost()) && (!best || better(found, *best)))
      best = std::move(found);
  };
  attempt(0);
  // Later ones can be done without; where the first met no target, it takes them to say that none does.
  unless_stopped([&] {
    for (int trial = 1; trial < std::max(starts, best && best->point.violation() > met ? 4 : 1);
         ++trial)
      attempt(trial);
  });
  if (!best) throw NotIdentified("what is wanted has no value at any start", "check the bounds");
  if (best->point.violation() > met) search.refuse(*best);
  Design result = to_the_end([&] { return search.finish(*best); });
  result.iterations = iterations;
  result.starts = done;
  return result;
}

}  // namespace lgn
