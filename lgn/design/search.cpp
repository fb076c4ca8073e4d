#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/number_text.h"
#include "lgn/design/search_internal.h"

namespace lgn {

bool better(const MinMaxResult& a, const MinMaxResult& b) {
  const double va = a.point.violation(), vb = b.point.violation();
  if (va > met || vb > met) return va < vb;
  return a.point.cost() < b.point.cost() - 1e-10 * (1 + std::abs(b.point.cost()));
}

Search::Search(const Model& model, const DesignOptions& options)
    : system_(model), free_(free_values(system_, options)), p0_(system_.start()) {
  if (!options.minimise.empty() && !options.maximise.empty())
    throw Error("one objective is either minimised or maximised", "give one of the two");
  maximise_ = !options.maximise.empty();
  text_ = maximise_ ? options.maximise : options.minimise.empty() ? "change" : options.minimise;
  objective_ = parse_expression(text_, system_);
  for (const std::string& text : options.targets) targets_.push_back(parse_target(text, system_));
  if (targets_.empty() && options.minimise.empty() && !maximise_)
    throw Error("nothing is wanted of the system", "give a target, or what to minimise");
  if (options.robust || !options.tolerances.empty()) {
    uncertain_ = UncertainValues(system_, options.tolerances);
    for (const Target& target : targets_)
      if (target.relation == Target::Relation::equal)
        throw Error(
            fmt::format("\"{}\" cannot hold with equality where values are uncertain", target.text),
            "write two targets, one with >= and one with <=");
  }
  // Changes are counted from where elements are; one that is not there yet, from where the search starts.
  const Vector first = chosen(free_.start);
  for (const Index k : free_.members)
    if (p0_[k] == 0) p0_[k] = first[k];
  // A change begins at zero but for rounding, and is a plain number already.
  const double size = std::abs(evaluate(free_.start).cost());
  if (size > 0 && std::isfinite(size) && objective_->kind != Expression::Kind::change)
    scale_ = size;
}

/// Objective and targets there; the sources of case `number` are their own.
MinMaxPoint Search::lists(const Quantities& at, std::size_t number) const {
  MinMaxPoint point;
  const auto count = static_cast<int>(targets_.size()), shift = count * static_cast<int>(number);
  point.objective = objective(*objective_, at, maximise_);
  for (int t = 0; t < count; ++t)
    add_target(targets_[static_cast<std::size_t>(t)], at, t + shift, point);
  for (Smooth& one : point.objective) {
    one.source = -1 - static_cast<int>(number);
    one = scaled(std::move(one), 1 / scale_);
  }
  return point;
}

MinMaxPoint Search::evaluate(const Vector& u, bool curved) const {
  const Vector p = chosen(u);
  const auto in_case = [&](const Vector& made, std::size_t number) {
    Quantities at(system_, made, free_.members, p0_, p);
    if (curved) at.find_curvatures();
    return lists(at, number);
  };
  MinMaxPoint point = in_case(p, 0);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    MinMaxPoint more = in_case(uncertain_.values(p, cases[k]), k + 1);
    const auto append = [](std::vector<Smooth>& to, std::vector<Smooth>& from) {
      std::move(from.begin(), from.end(), std::back_inserter(to));
    };
    append(point.objective, more.objective);
    append(point.below, more.below);
  }
  if (point.objective.empty())
    point.objective.push_back({0, Vector::Zero(std::ssize(free_.members)), -1});
  // Values that are tied move together.
  Matrix tied = Matrix::Zero(std::ssize(free_.members), free_.groups());
  for (std::size_t k = 0; k < free_.members.size(); ++k)
    tied(static_cast<Index>(k), free_.group[k]) = 1;
  for (auto* list : {&point.objective, &point.below, &point.zero})
    for (Smooth& one : *list) {
      one.gradient = (tied.transpose() * one.gradient).eval();
      if (one.curvature.size() > 0)
        one.curvature = (tied.transpose() * one.curvature * tied).eval();
    }
  return point;
}

MinMaxPoint Search::evaluate_case(const Vector& u, const Vector& z) const {
  const Vector p = chosen(u);
  return lists({system_, uncertain_.values(p, z), uncertain_.members(), p0_, p}, 0);
}

Quantities Search::without_derivatives(const Vector& u, const Vector& z) const {
  const Vector p = chosen(u);
  return {system_, uncertain_.values(p, z), {}, p0_, p};
}

Vector Search::start(int trial, Random& random) const {
  if (trial == 0) return free_.start;
  Vector u(free_.groups());
  for (Index k = 0; k < u.size(); ++k)
    u[k] = free_.low[k] + (free_.high[k] - free_.low[k]) * random.uniform();
  return u;
}

MinMaxResult Search::run(const Vector& start, const Vector& fixed) const {
  // Large systems end where cheap ones would polish the last digits; an eigendecomposition costs about 25 n³.
  const double n = static_cast<double>(states());
  MinMaxOptions options{static_cast<int>(std::clamp(3e8 / (n * n * n), 50.0, 300.0))};
  options.curved = [&](const Vector& u) { return evaluate(u, true); };
  Vector low = free_.low, high = free_.high;
  for (Index k = 0; k < fixed.size(); ++k)
    if (std::isfinite(fixed[k])) low[k] = high[k] = fixed[k];
  return minimise_max([&](const Vector& u) { return evaluate(u); }, start, low, high, options);
}

std::vector<DesignedValue> Search::values(const Vector& u) const {
  const Vector p = chosen(u), before = system_.start();
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

DesignedProperty Search::property(std::size_t target, const Vector& u,
                                  const MinMaxPoint& point) const {
  const Target& wanted = targets_[target];
  const auto there = [&](const Vector& where) {
    return decisive(wanted, {system_, chosen(where), free_.members, p0_});
  };
  const Smooth after = there(u);
  DesignedProperty result{wanted.text, there(free_.start).value, after.value};
  // Poles are given by their distance from what is wanted; what matters is how they move.
  result.sensitivities = wanted.left->kind == Expression::Kind::poles
                             ? after.gradient
                             : Vector(after.gradient / after.value);
  const auto own = [&](const Smooth& one) {
    return one.source % static_cast<int>(targets_.size()) == static_cast<int>(target) &&
           std::abs(one.value) < 1e-6;
  };
  result.binding = std::any_of(point.below.begin(), point.below.end(), own) ||
                   std::any_of(point.zero.begin(), point.zero.end(), own);
  return result;
}

Model Search::finish(const MinMaxResult& best) const {
  Model model = system_.model(chosen(best.u));
  DesignRecord record;
  record.values = values(best.u);
  for (std::size_t t = 0; t < targets_.size(); ++t)
    record.targets.push_back(property(t, best.u, best.point));
  const auto objective_at = [&](const Vector& u) {
    const Quantities at(system_, chosen(u), free_.members, p0_);
    const std::vector<Smooth> list = objective(*objective_, at, maximise_);
    Smooth worst{std::nan(""), Vector::Zero(std::ssize(free_.members))};
    for (const Smooth& one : list)
      if (!(one.value <= worst.value)) worst = one;
    return worst;
  };
  const Smooth last = objective_at(best.u);
  const double sign = maximise_ ? -1 : 1;
  record.objective = {(maximise_ ? "maximise " : "minimise ") + text_,
                      sign * objective_at(free_.start).value, sign * last.value, false,
                      last.value != 0 ? Vector(last.gradient / last.value) : Vector()};
  record.converged = best.converged;
  std::string changed;
  for (const DesignedValue& value : record.values)
    changed += fmt::format("{}{} from {} to {}", changed.empty() ? "" : ", ", value.name,
                           short_number(value.before), short_number(value.after));
  constexpr std::size_t most = 600;
  if (changed.size() > most) changed = counted(std::ssize(record.values), "value") + " changed";
  model.warnings.push_back(
      {"designed", "values were chosen, not measured: " + changed +
                       "; what data said of the old ones (errors, residuals) does not hold"});
  model.design = std::move(record);
  return model;
}

void Search::refuse(const MinMaxResult& closest, const std::string& of) const {
  std::string wanted, place;
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    double most = 0;
    for (const auto* list : {&closest.point.below, &closest.point.zero})
      for (const Smooth& one : *list)
        if (one.source % static_cast<int>(targets_.size()) == static_cast<int>(t))
          most = std::max(most, std::isnan(one.value)         ? 1.0
                                : list == &closest.point.zero ? std::abs(one.value)
                                                              : one.value);
    if (most <= met) continue;
    const DesignedProperty reached = property(t, closest.u, closest.point);
    const std::string there = !std::isnan(reached.after)
                                  ? "of which the closest reach " + short_number(reached.after)
                              : targets_[t].relation == Target::Relation::equal
                                  ? std::string("which asks for more modes than there are")
                                  : std::string("which has no value there");
    wanted += fmt::format("{}\"{}\", {}", wanted.empty() ? "" : ", nor ", targets_[t].text, there);
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
      fmt::format("no {} within the bounds meet {}{}, at {}", of, wanted,
                  cases.empty() ? "" : " with 95% over the errors of the values", place),
      held.empty()
          ? "ask for less, or free more values"
          : fmt::format("widen the bounds of {}, ask for less, or free more values", held));
}

}  // namespace lgn
