#include "lgn/identify/sparse/sparse_wiring.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/core/worker_threads.h"
#include "lgn/data/scales.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/sparse/sparse_noise.h"
#include "lgn/identify/sparse/state_windows.h"
#include "lgn/identify/wiring/pursuit.h"

namespace lgn {
namespace {

/// States of largest products that a row looks at, and how often what is left is screened.
constexpr Index screened = 24;
constexpr int most_rounds = 6;

/// The search at one width of windows.
class WiringSearch {
 public:
  WiringSearch(const std::vector<NetworkNode>& nodes, const EdgeRules& rules, const Vector& noise,
               StateWindows windows, WorkerThreads& threads)
      : nodes_(nodes),
        noise_(noise),
        windows_(std::move(windows)),
        threads_(threads),
        mechanical_(nodes.front().velocity != NetworkNode::none),
        price_(price_of_choice(windows_.independent, windows_.states.cols())),
        node_of_(at(windows_.states.cols()), 0),
        required_(nodes.size()),
        forbidden_(nodes.size()),
        rows_(nodes.size()),
        left_(windows_.count(), count()) {
    for (Index i = 0; i < count(); ++i) {
      node_of_[at(nodes_[at(i)].state)] = i;
      if (mechanical_) node_of_[at(nodes_[at(i)].velocity)] = i;
      left_.col(i) = windows_.derivatives.col(row(i));
      rows_[at(i)].candidates = own(i);
    }
    for (const auto& [i, j] : rules.required) {
      required_[at(i)].push_back(j);
      required_[at(j)].push_back(i);
    }
    for (const auto& [i, j] : rules.forbidden) {
      forbidden_[at(i)].insert(j);
      forbidden_[at(j)].insert(i);
    }
  }

  SparseWiring find(const std::function<void()>& before_each) {
    std::vector<Index> open;
    SparseWiring wiring;
    for (Index i = 0; i < count(); ++i) (silent(i) ? wiring.silent : open).push_back(i);
    for (int round = 0; round < most_rounds && !open.empty(); ++round) {
      before_each();
      const auto before = choices();
      std::vector<std::size_t> candidates;
      for (const RowChoice& r : rows_) candidates.push_back(round == 0 ? 0 : r.candidates.size());
      if (round == 0) {
        screen(open, screened);
        add_required();
        for (RowChoice& r : rows_) r.first = r.candidates;
      } else {
        look_again(open);
        screen(open, round == 1 ? screened : 2 * screened);
      }
      std::vector<Index> due;
      for (Index i = 0; i < count(); ++i)
        if (!silent(i) &&
            (!rows_[at(i)].explained || rows_[at(i)].candidates.size() != candidates[at(i)]))
          due.push_back(i);
      pursue(due);
      open.clear();
      for (Index i = 0; i < count(); ++i)
        if (!rows_[at(i)].explained && !silent(i)) open.push_back(i);
      if (choices() == before) break;
    }
    wiring.pairs = decide(wiring.doubtful);
    wiring.unexplained = std::ssize(open);
    return wiring;
  }

 private:
  Index count() const { return static_cast<Index>(nodes_.size()); }
  Index row(Index node) const {
    return mechanical_ ? nodes_[at(node)].velocity : nodes_[at(node)].state;
  }
  /// The states of a node.
  std::vector<Index> own(Index node) const {
    std::vector<Index> states{nodes_[at(node)].state};
    if (mechanical_) states.push_back(nodes_[at(node)].velocity);
    std::sort(states.begin(), states.end());
    return states;
  }

  /// Whether a node's balance moves no more than its noise.
  bool silent(Index node) const {
    constexpr double above = 2;
    const auto squares = [&](double size) {
      return size * size / static_cast<double>(windows_.count());
    };
    const double noise = above * noise_[row(node)] * noise_[row(node)];
    return squares(windows_.derivative_sizes[row(node)]) <= noise * windows_.noise_in_derivatives ||
           squares(windows_.state_sizes[row(node)]) <= noise * windows_.noise_in_states;
  }

  std::vector<std::vector<Index>> choices() const {
    std::vector<std::vector<Index>> result;
    for (const RowChoice& r : rows_) result.push_back(r.chosen);
    return result;
  }

  /// Adds to each of these nodes the states whose products with what is left of its derivative are largest.
  void screen(const std::vector<Index>& open, Index many) {
    for_products(
        windows_, std::ssize(open), [&](Index k) { return left_.col(open[at(k)]); },
        [&](Index k, const auto& products) { add(open[at(k)], largest(products, many)); },
        threads_);
  }

  /// Nodes look at those that look at them. Where more than noise is left, many states together may hide what is missing: then
  /// it is looked for in what those leave that others know well, and among those that move as a chosen one does.
  void look_again(const std::vector<Index>& open) {
    for (const Index i : open) rows_[at(i)].candidates = rows_[at(i)].first;
    add_those_that_chose();
    add_those_alike(open);
    for (const Index i : open) {
      std::vector<Index> known = rows_[at(i)].known_by_others;
      for (const Index s : own(i)) known.push_back(s);
      std::sort(known.begin(), known.end());
      known.erase(std::unique(known.begin(), known.end()), known.end());
      const Vector coefficients = windows_.solve(row(i), known).coefficients;
      left_.col(i) = windows_.derivatives.col(row(i));
      for (std::size_t k = 0; k < known.size(); ++k)
        left_.col(i) -=
            static_cast<float>(coefficients[static_cast<Index>(k)]) * windows_.states.col(known[k]);
    }
  }

  /// A state that was chosen may stand for one that moves alike.
  void add_those_alike(const std::vector<Index>& open) {
    constexpr Index alike = 4;
    constexpr float plainly = 0.7F;
    std::vector<Index> chosen;
    for (const Index i : open)
      if (few(rows_[at(i)]))
        chosen.insert(chosen.end(), rows_[at(i)].chosen.begin(), rows_[at(i)].chosen.end());
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    std::vector<std::vector<Index>> found(chosen.size());
    for_products(
        windows_, std::ssize(chosen), [&](Index k) { return windows_.states.col(chosen[at(k)]); },
        [&](Index k, const auto& products) {
          for (const Index s : largest(products, alike + 1))
            if (std::abs(products[s]) > plainly) found[at(k)].push_back(s);
        },
        threads_);
    for (const Index i : open) {
      if (!few(rows_[at(i)])) continue;
      for (const Index s : rows_[at(i)].chosen) add(i, found[at(place_of(chosen, s))]);
    }
  }

  /// Whether a row has chosen no more states than balances have: else chance is among them.
  static bool few(const RowChoice& r) {
    constexpr std::size_t most = 8;
    return r.chosen.size() <= most;
  }

  void add(Index node, const std::vector<Index>& states) {
    std::vector<Index>& all = rows_[at(node)].candidates;
    for (const Index s : states)
      if (!forbidden_[at(node)].contains(node_of_[at(s)])) all.push_back(s);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }

  void add_those_that_chose() {
    std::vector<std::vector<Index>> by(nodes_.size());
    for (RowChoice& r : rows_) r.known_by_others.clear();
    for (Index i = 0; i < count(); ++i) {
      if (!rows_[at(i)].explained && !few(rows_[at(i)])) continue;
      for (const Index s : rows_[at(i)].chosen) {
        const Index j = node_of_[at(s)];
        if (j == i) continue;
        for (const Index mine : own(i)) by[at(j)].push_back(mine);
        if (rows_[at(i)].explained) rows_[at(j)].known_by_others.push_back(partner(i, s));
      }
    }
    for (Index i = 0; i < count(); ++i) add(i, by[at(i)]);
  }

  void add_required() {
    for (Index i = 0; i < count(); ++i)
      for (const Index j : required_[at(i)]) add(i, own(j));
  }

  void pursue(const std::vector<Index>& due) {
    constexpr Index together = 512;
    for (Index first = 0; first < std::ssize(due); first += together) {
      const Index many = std::min(together, std::ssize(due) - first);
      stop_point(static_cast<double>(many * windows_.count()) *
                 static_cast<double>(screened * screened));
      threads_.over(many, 16, [&](Index begin, Index end) {
        // Parts of a loop do not throw: what was asked to stop does so between loops.
        const StopManner whole(stop_internal::Manner::not_at_all);
        for (Index k = begin; k < end; ++k) pursue(due[at(first + k)]);
      });
    }
  }

  void pursue(Index node) {
    RowChoice& r = rows_[at(node)];
    const StateWindows::Sums all = windows_.sums(row(node), r.candidates);
    const RowSums view{all.gram, all.products};
    Choice choice{std::vector<bool>(r.candidates.size(), true), {}, true};
    for (const Index j : required_[at(node)])
      choice.forced.push_back(place_of(r.candidates, nodes_[at(j)].state));
    const double windows = windows_.independent;
    const auto backwards = [&](std::vector<Index> chosen) {
      chosen = without_idle(view, std::move(chosen), choice.forced, windows, price_);
      std::sort(chosen.begin(), chosen.end());
      return chosen;
    };
    const auto take = [&](const std::vector<Index>& chosen) {
      r.coefficients = view.solve(chosen);
      r.unexplained = view.unexplained(chosen, r.coefficients);
      r.chosen.clear();
      for (const Index k : chosen) r.chosen.push_back(r.candidates[at(k)]);
      take_left(node);
    };
    std::vector<Index> best = backwards(choose(view, choice, windows, price_));
    const auto consider = [&](std::vector<Index> other) {
      if (view.criterion(other, windows, price_) < view.criterion(best, windows, price_))
        best = std::move(other);
    };
    // What others know well of this node is a good place to begin.
    if (!r.known_by_others.empty()) {
      Choice from = choice;
      for (const Index s : r.known_by_others) from.forced.push_back(place_of(r.candidates, s));
      std::sort(from.forced.begin(), from.forced.end());
      from.forced.erase(std::unique(from.forced.begin(), from.forced.end()), from.forced.end());
      consider(backwards(choose(view, from, windows, price_)));
    }
    take(best);
    // Where states cancel, none of them is missed alone: then from all of them back.
    constexpr double windows_per_state = 2;
    if (r.explained || static_cast<double>(r.candidates.size()) > windows / windows_per_state)
      return;
    std::vector<Index> every(r.candidates.size());
    std::iota(every.begin(), every.end(), Index{0});
    consider(backwards(std::move(every)));
    take(best);
  }

  static Index place_of(const std::vector<Index>& sorted, Index value) {
    return std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
  }

  /// What a row's choice leaves of its derivative, and whether that is noise.
  void take_left(Index node) {
    RowChoice& r = rows_[at(node)];
    Eigen::VectorXf left = windows_.derivatives.col(row(node));
    double noise = std::pow(noise_[row(node)], 2) * windows_.noise_in_derivatives;
    for (std::size_t k = 0; k < r.chosen.size(); ++k) {
      const Index s = r.chosen[k];
      const double c = r.coefficients[static_cast<Index>(k)];
      left -= static_cast<float>(c) * windows_.states.col(s);
      noise +=
          std::pow(c * windows_.derivative_sizes[row(node)] / windows_.state_sizes[s] * noise_[s],
                   2) *
          windows_.noise_in_states;
    }
    left_.col(node) = left;
    constexpr double usual = 1.2, chances = 4;
    const double expected = noise * static_cast<double>(windows_.count()) /
                            std::pow(windows_.derivative_sizes[row(node)], 2);
    const double bound = usual + chances * std::sqrt(2 / windows_.independent);
    r.explained = r.unexplained <= std::max(bound * expected, 1e-4);
  }

  /// Coefficient of a node's balance on a state that was not chosen, beside those that were, and what it explains.
  struct Test {
    double coefficient, gain;
  };
  Test test(Index node, Index state) const {
    const RowChoice& r = rows_[at(node)];
    std::vector<Index> with = r.chosen, without = r.chosen;
    const auto found = std::lower_bound(with.begin(), with.end(), state);
    if (found != with.end() && *found == state)
      without.erase(without.begin() + (found - with.begin()));
    else
      with.insert(found, state);
    const auto more = windows_.solve(row(node), with), less = windows_.solve(row(node), without);
    return {more.coefficients[place_of(with, state)],
            windows_.independent * std::log(less.unexplained / more.unexplained)};
  }

  /// The state of a node that stands in the other's balance where state s of the other stands in its own.
  Index partner(Index node, Index s) const {
    return s == nodes_[at(node_of_[at(s)])].state ? nodes_[at(node)].state
                                                  : nodes_[at(node)].velocity;
  }

  /// Whether two ends of a pair have the signs of an element: of a coupling or an exchange, a spring or a damper.
  bool signs(double forth, double back) const {
    return mechanical_ ? forth > 0 && back > 0 : forth * back < 0 || (forth > 0 && back > 0);
  }

  std::vector<ChannelPair> decide(Index& doubtful) const {
    std::set<ChannelPair> pairs;
    std::vector<std::pair<Index, Index>> one_sided;  ///< node and the state that it chose
    for (Index i = 0; i < count(); ++i) {
      for (const Index j : required_[at(i)]) pairs.insert(std::minmax(i, j));
      for (const Index s : rows_[at(i)].chosen) {
        const Index j = node_of_[at(s)];
        if (j == i) continue;
        const Index mine = partner(i, s);
        if (signs(rows_[at(i)].coefficient(s), rows_[at(j)].coefficient(mine)))
          pairs.insert(std::minmax(i, j));
        else
          one_sided.emplace_back(i, s);
      }
    }
    for (const auto& [i, s] : one_sided) {
      const Index j = node_of_[at(s)];
      if (pairs.contains(std::minmax(i, j))) continue;
      const Test here = test(i, s), there = test(j, partner(i, s));
      // Of a balance that is not understood there is nothing to learn against what the other end knows.
      if (rows_[at(i)].explained && !rows_[at(j)].explained && here.gain > 2 * price_) {
        pairs.insert(std::minmax(i, j));
        continue;
      }
      // Where much is left, chance has its part in what was chosen.
      const double least = rows_[at(i)].explained ? 0.5 * price_ : price_;
      if (signs(here.coefficient, there.coefficient) && there.gain > least &&
          here.gain + there.gain > 2 * price_)
        pairs.insert(std::minmax(i, j));
      else
        ++doubtful;
    }
    return {pairs.begin(), pairs.end()};
  }

  const std::vector<NetworkNode>& nodes_;
  const Vector& noise_;
  const StateWindows windows_;
  WorkerThreads& threads_;
  const bool mechanical_;
  const double price_;
  std::vector<Index> node_of_;  ///< of a state
  std::vector<std::vector<Index>> required_;
  std::vector<std::set<Index>> forbidden_;
  std::vector<RowChoice> rows_;
  Eigen::MatrixXf left_;  ///< of each node's derivative
};

}  // namespace

SparseWiring find_sparse_wiring(const Dataset& data, const std::vector<NetworkNode>& nodes,
                                const EdgeRules& rules, int threads,
                                const std::function<void()>& before_each) {
  WorkerThreads workers(threads);
  const Vector amplitudes = amplitudes_in(data, *one_part());
  const Vector noise =
      noise_by_interpolation(data, amplitudes, *one_part()).cwiseMax(explained * amplitude(data));
  std::optional<SparseWiring> best;
  for (const double steps : {8.0, 12.0, 16.0}) {
    SparseWiring found;
    try {
      const double width = steps * median_step(data);
      found = WiringSearch(nodes, rules, noise, windows_of(data, width), workers).find(before_each);
      found.window = width;
    } catch (const NotIdentified&) {
      // Runs may be too short for wider windows.
      if (!best) throw;
      continue;
    }
    const Index doubts = found.unexplained + found.doubtful;
    if (!best || doubts < best->unexplained + best->doubtful) best = std::move(found);
    if (doubts == 0) break;
  }
  return *best;
}

}  // namespace lgn
