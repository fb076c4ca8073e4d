#include "lgn/identify/wiring/wiring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/flow/time_steps.h"
#include "lgn/identify/regression/weak_form.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/wiring/pursuit.h"
#include "lgn/identify/wiring/short_errors.h"

namespace lgn {
namespace {

/// Independent windows without which nothing can be decided.
constexpr double fewest_windows = 20;

/// Sums of products of states and derivatives, every channel in units of its size: all that greedy
/// selection needs. What these lose to rounding is far below the part that may be left over.
class Sums {
 public:
  explicit Sums(const Regression& regression)
      : states_(regression.states.rowwise().norm().cwiseMax(1e-300)),
        derivatives_(regression.derivatives.rowwise().norm().cwiseMax(1e-300)) {
    const Matrix x = states_.cwiseInverse().asDiagonal() * regression.states;
    const Matrix y = derivatives_.cwiseInverse().asDiagonal() * regression.derivatives;
    gram_ = x * x.transpose();
    products_ = x * y.transpose();
  }

  /// What least squares of derivative `row` needs.
  RowSums of(Index row) const { return {gram_, products_.col(row)}; }
  Vector solve(Index row, const std::vector<Index>& chosen) const { return of(row).solve(chosen); }
  double unexplained(Index row, const std::vector<Index>& chosen,
                     const Vector& coefficients) const {
    return of(row).unexplained(chosen, coefficients);
  }
  /// A coefficient in the units of the channels.
  double in_channels(Index row, Index state, double coefficient) const {
    return coefficient * derivatives_[row] / states_[state];
  }

 private:
  Vector states_, derivatives_;
  Matrix gram_, products_;
};

/// The search at one width of windows.
class Search {
 public:
  Search(const std::vector<NetworkNode>& nodes, const EdgeRules& rules, Index states)
      : nodes_(nodes),
        rules_(rules),
        mechanical_(nodes.front().velocity != NetworkNode::none),
        states_(states) {}

  Wiring find(const Regression& regression, double windows) const {
    const Sums sums(regression);
    const auto count = static_cast<Index>(nodes_.size());
    Matrix seen = Matrix::Zero(states_, states_);
    Vector unexplained(count);
    const double price = price_of_choice(windows, states_);
    for (Index i = 0; i < count; ++i) {
      const auto chosen = choose(sums.of(row(i)), choice_of(i), windows, price);
      const Vector coefficients = sums.solve(row(i), chosen);
      unexplained[i] = sums.unexplained(row(i), chosen, coefficients);
      for (std::size_t k = 0; k < chosen.size(); ++k)
        seen(row(i), chosen[k]) = coefficients[static_cast<Index>(k)];
    }
    Wiring wiring;
    std::set<ChannelPair> pairs;
    for (Index i = 0; i < count; ++i)
      for (Index j = i + 1; j < count; ++j) {
        for (const ElementType type : pair_types())
          if (mutual(seen, i, j, type)) {
            wiring.elements.push_back({type, i, j});
            pairs.insert({i, j});
          }
        if (mechanical_ && seen(row(i), nodes_[at(j)].state) < 0 &&
            seen(row(j), nodes_[at(i)].state) < 0)
          wiring.opposed.emplace_back(i, j);
        if (bound({i, j}) && !pairs.contains({i, j})) {
          wiring.elements.push_back({pair_types().front(), i, j});
          pairs.insert({i, j});
        }
      }
    add_one_sided(sums, seen, unexplained, wiring.elements, pairs);
    const double possible = static_cast<double>(count * (count - 1)) / 2;
    wiring.density = possible > 0 ? static_cast<double>(pairs.size()) / possible : 0;
    for (Index i = 0; i < count; ++i)
      if (mechanical_) {
        wiring.elements.push_back({ElementType::spring, i});
        wiring.elements.push_back({ElementType::damper, i});
      } else {
        wiring.elements.push_back({ElementType::loss, i});
      }
    wiring.generator = regress(sums, wiring.elements);
    return wiring;
  }

  /// Row by row on the pattern.
  Matrix regress(const Sums& sums, const std::vector<NetworkElement>& elements) const;

 private:
  Index row(Index node) const {
    return mechanical_ ? nodes_[at(node)].velocity : nodes_[at(node)].state;
  }
  Index column(Index node, ElementType type) const {
    return type == ElementType::damper ? nodes_[at(node)].velocity : nodes_[at(node)].state;
  }
  std::vector<ElementType> pair_types() const {
    if (mechanical_) return {ElementType::spring, ElementType::damper};
    return {ElementType::coupling, ElementType::exchange};
  }
  bool bound(const ChannelPair& pair) const {
    const auto in = [&](const std::vector<ChannelPair>& list) {
      return std::find(list.begin(), list.end(), pair) != list.end();
    };
    return in(rules_.pattern) || in(rules_.required);
  }
  bool forbidden(Index i, Index j) const {
    const ChannelPair pair = std::minmax(i, j);
    const auto& list = rules_.forbidden;
    if (!rules_.pattern.empty() && !bound(pair)) return true;
    return std::find(list.begin(), list.end(), pair) != list.end();
  }

  Choice choice_of(Index node) const {
    Choice choice{std::vector<bool>(at(states_), true), {}};
    for (Index j = 0; j < static_cast<Index>(nodes_.size()); ++j) {
      if (j == node) continue;
      const bool must = bound(std::minmax(node, j)), may = !forbidden(node, j);
      for (const ElementType type : pair_types()) choice.allowed[at(column(j, type))] = may;
      if (must) choice.forced.push_back(column(j, pair_types().front()));
    }
    return choice;
  }

  /// Whether both ends chose each other with the signs that the element has.
  bool mutual(const Matrix& seen, Index i, Index j, ElementType type) const {
    const double forth = seen(row(i), column(j, type)), back = seen(row(j), column(i, type));
    if (type == ElementType::coupling) return (forth > 0 && back < 0) || (forth < 0 && back > 0);
    return forth > 0 && back > 0;
  }

  /// Two ends of a node that move alike are one to it, and it chooses only one of them. So a pair
  /// that one end alone has chosen is kept, too, where most of that end would be left unexplained.
  void add_one_sided(const Sums& sums, const Matrix& seen, const Vector& unexplained,
                     std::vector<NetworkElement>& elements, std::set<ChannelPair>& pairs) const {
    constexpr double plainly = 2;
    const auto pattern = pattern_of(elements);
    for (Index i = 0; i < static_cast<Index>(nodes_.size()); ++i) {
      std::set<Index> own = pattern[at(row(i))];
      for (const ElementType type : pair_types()) own.insert(column(i, type));
      const std::vector<Index> chosen(own.begin(), own.end());
      const double left = sums.unexplained(row(i), chosen, sums.solve(row(i), chosen));
      if (left < plainly * unexplained[i]) continue;
      for (Index j = 0; j < static_cast<Index>(nodes_.size()); ++j) {
        const ElementType type = pair_types().front();
        const double forth = j == i ? 0.0 : seen(row(i), column(j, type));
        if (forth == 0 || (mechanical_ && forth < 0)) continue;
        if (pairs.insert(std::minmax(i, j)).second)
          elements.push_back({type, std::min(i, j), std::max(i, j)});
      }
    }
  }

  /// The states in the balance of each row.
  std::vector<std::set<Index>> pattern_of(const std::vector<NetworkElement>& elements) const {
    std::vector<std::set<Index>> pattern(at(states_));
    for (const auto& e : elements) {
      pattern[at(row(e.from))].insert(column(e.from, e.type));
      if (e.to == NetworkElement::ground) continue;
      pattern[at(row(e.from))].insert(column(e.to, e.type));
      pattern[at(row(e.to))].insert({column(e.from, e.type), column(e.to, e.type)});
    }
    return pattern;
  }

  const std::vector<NetworkNode>& nodes_;
  const EdgeRules& rules_;
  bool mechanical_;
  Index states_;
};

Matrix Search::regress(const Sums& sums, const std::vector<NetworkElement>& elements) const {
  const auto pattern = pattern_of(elements);
  Matrix a = Matrix::Zero(states_, states_);
  for (Index i = 0; i < static_cast<Index>(nodes_.size()); ++i) {
    const Index r = row(i);
    const std::vector<Index> chosen(pattern[at(r)].begin(), pattern[at(r)].end());
    const Vector coefficients = sums.solve(r, chosen);
    for (std::size_t k = 0; k < chosen.size(); ++k)
      a(r, chosen[k]) = sums.in_channels(r, chosen[k], coefficients[static_cast<Index>(k)]);
    if (mechanical_) a(nodes_[at(i)].state, nodes_[at(i)].velocity) = 1;
  }
  return a;
}

void check_rules(const EdgeRules& rules, std::size_t nodes) {
  if (nodes > 1 && rules.pattern.empty() && rules.forbidden.size() == nodes * (nodes - 1) / 2)
    throw Error("every pair is forbidden, so that nothing can couple",
                "allow some, or use " + setting("structure", "sd"));
}

/// Windows from six steps to one and a half periods of the data, and at least two.
std::vector<double> widths(const Dataset& data) {
  const double step = median_step(data);
  const double widest = std::max(10 * step, 3 * std::numbers::pi / typical_rate(data));
  std::vector<double> result;
  for (double steps = 6; steps * step <= 1.01 * widest; steps *= std::sqrt(2.0))
    result.push_back(std::round(steps) * step);
  return result;
}

/// Degrees of interpolation to try: the highest on an even grid without gaps, where it does no harm;
/// elsewhere it may swing between samples.
std::vector<int> orders(const Dataset& data) {
  const bool complete = data.present() == data.samples() * data.dimension();
  const bool even = std::all_of(data.runs().begin(), data.runs().end(), [](const auto& run) {
    return run.samples() > 7 && find_steps(run.times()).length.size() == 1;
  });
  if (complete && even) return {7};
  return {1, 3, 7};
}

}  // namespace

std::vector<NetworkElement> with_either_sign(const Wiring& wiring) {
  std::vector<NetworkElement> elements = wiring.elements;
  for (auto& e : elements)
    if (e.type == ElementType::spring) e.type = ElementType::stiffness;
  for (const auto& [i, j] : wiring.opposed) {
    const NetworkElement pushing{ElementType::stiffness, i, j};
    // A pair that rules ask for is there already.
    if (std::find(elements.begin(), elements.end(), pushing) == elements.end())
      elements.push_back(pushing);
  }
  return elements;
}

EdgeRules rules_of_nodes(const EdgeRules& rules, const std::vector<NetworkNode>& nodes) {
  const auto node_of = [&](Index channel) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].state == channel || nodes[i].velocity == channel) return static_cast<Index>(i);
    throw Error("a rule names a channel that is in no node");
  };
  const auto translate = [&](const std::vector<ChannelPair>& pairs) {
    std::set<ChannelPair> result;
    for (const auto& [one, other] : pairs) {
      const Index i = node_of(one), j = node_of(other);
      if (i != j) result.insert(std::minmax(i, j));
    }
    return std::vector<ChannelPair>(result.begin(), result.end());
  };
  return {translate(rules.pattern), translate(rules.required), translate(rules.forbidden)};
}

Matrix regress_on_wiring(const Regression& regression, const std::vector<NetworkNode>& nodes,
                         const std::vector<NetworkElement>& elements) {
  return Search(nodes, {}, regression.states.rows()).regress(Sums(regression), elements);
}

Wiring find_wiring(const Dataset& data, const std::vector<NetworkNode>& nodes,
                   const EdgeRules& rules, const std::optional<InputTiming>& inputs) {
  check_rules(rules, nodes.size());
  const auto pairs = nodes.size() * (nodes.size() - 1) / 2;
  const Search search(nodes, rules, data.dimension());
  const auto error_of = short_errors(data, inputs);
  const auto values = static_cast<double>(data.present());
  Wiring best;
  double least = std::numeric_limits<double>::infinity(), most_windows = 0;
  for (const double width : widths(data))
    for (const int order : orders(data)) {
      stop_point();
      const Regression regression =
          inputs ? driven_weak_form(data, width, order, *inputs) : weak_form(data, width, order);
      // Derivatives of neighbouring windows are nearly independent a quarter of a width apart.
      const double spacing = std::max(width / 8, median_step(data));
      const double windows =
          static_cast<double>(regression.states.cols()) * std::min(1.0, 4 * spacing / width);
      most_windows = std::max(most_windows, windows);
      // A wiring that is given needs no evidence, only equations enough for its values.
      if (windows < fewest_windows && (rules.pattern.empty() || windows < 1)) continue;
      Wiring wiring = search.find(regression, windows);
      const double error = error_of(wiring.generator);
      const double criterion = 2 * values * std::log(std::max(error, explained)) +
                               static_cast<double>(wiring.elements.size()) * std::log(values);
      if (!(criterion < least)) continue;
      least = criterion;
      wiring.window = width;
      best = std::move(wiring);
    }
  if (best.generator.size() == 0)
    throw NotIdentified(
        fmt::format("{} samples in {} run{} hold {:.0f} independent windows, too few to decide "
                    "which of {} pairs couple",
                    data.samples(), data.runs().size(), data.runs().size() == 1 ? "" : "s",
                    most_windows, pairs),
        "measure longer, in more runs or with smaller steps, or give the topology: " +
            setting("edges"));
  return best;
}

}  // namespace lgn
