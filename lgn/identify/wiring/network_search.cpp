#include "lgn/identify/wiring/network_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/constants_internal.h"
#include "lgn/core/median.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/regression/weak_form.h"
#include "lgn/identify/wiring/network_revision.h"
#include "lgn/identify/wiring/short_errors.h"

namespace lgn {
namespace {

constexpr int most_rounds = 8;
/// A residual beyond so many σ is an outlier to a robust fit.
constexpr double outlying = 3;

bool is_pair(const NetworkElement& e) { return e.to != NetworkElement::ground; }

bool holds(const std::vector<ChannelPair>& list, const ChannelPair& pair) {
  return std::find(list.begin(), list.end(), pair) != list.end();
}

bool in_order(const NetworkElement& a, const NetworkElement& b) {
  return std::tie(a.type, a.from, a.to) < std::tie(b.type, b.from, b.to);
}

const char* name(NetworkForm form) {
  return form == NetworkForm::one ? "one" : form == NetworkForm::free ? "free" : "known couplings";
}

/// Part of the signal below which what is left over is the error of a simulation, or of a model that
/// is nearly right, where it is not noise.
constexpr double little_left = 1e-2;

/// How much evidence an element needs, by what is left over.
class Bar {
 public:
  Bar(const FitResiduals& residuals, double nodes)
      : values_(residuals.count.sum()),
        nodes_(nodes),
        worth_(std::pow(correlation_factor(residuals.correlation(), residuals.neighbours()), -2)) {
    constexpr double independent = 0.5;
    left_ = worth_ > independent               ? Left::noise
            : residuals.nrmse() <= little_left ? Left::little
                                               : Left::much;
  }

  bool noise_only() const { return left_ == Left::noise; }
  /// Whether an element stays without which −2 log likelihood would rise by this much.
  bool stays(const NetworkElement& e, double rise) const {
    if (left_ == Left::noise) return worth_ * rise >= threshold(e);
    // It takes more than three times such an error to tell an element from it.
    if (left_ == Left::little) return rise >= 9 * values_;
    return rise >= threshold(e);
  }
  /// Whether one comes in with which it would fall by this much; one that was taken out needs more.
  bool comes(const NetworkElement& e, double fall, bool was_there) const {
    if (left_ == Left::little) return fall >= 0.5 * values_;
    return (was_there ? worth_ : 1.0) * fall >= threshold(e);
  }

 private:
  double threshold(const NetworkElement& e) const {
    return evidence_threshold(values_, is_pair(e) ? nodes_ * (nodes_ - 1) / 2 : nodes_);
  }

  double values_, nodes_;
  double worth_;  ///< of a residual, compared with an independent one
  enum class Left { noise, little, much } left_;
};

/// Kinds whose couplings are ±1: what drives one is balanced by the other.
bool conjugate(ChannelKind a, ChannelKind b) {
  using enum ChannelKind;
  const auto are = [&](ChannelKind one, ChannelKind other) {
    return (a == one && b == other) || (a == other && b == one);
  };
  return are(voltage, current) || are(velocity, force);
}

}  // namespace

NetworkSearch::NetworkSearch(const Dataset& data, std::vector<NetworkNode> nodes,
                             const NetworkOptions& network, const FitOptions& options)
    : data_(data),
      nodes_(std::move(nodes)),
      kinds_(network.kinds),
      rules_(rules_of_nodes(network.rules, nodes_)),
      options_(options) {}

bool NetworkSearch::couplings_known(const std::vector<NetworkElement>& elements) const {
  if (mechanical() || kinds_.empty()) return false;
  bool any = false;
  for (const auto& e : elements) {
    if (e.type != ElementType::coupling) continue;
    if (!may_couple(e.from, e.to)) return false;
    any = true;
  }
  return any;
}

bool NetworkSearch::by_likelihood() const {
  return options_.method == Method::likelihood ||
         (options_.method == Method::automatic && !too_large_for_likelihood(data_));
}

double NetworkSearch::start_error(const Dataset& data, const Wiring& wiring, bool storages) const {
  const NetworkStructure structure(nodes_, wiring.elements, storages);
  return short_errors(data, inputs())(structure.generator(structure.project(wiring.generator)));
}

NetworkFit NetworkSearch::fit_once(const Wiring& wiring, NetworkForm form) const {
  NetworkFit result;
  result.window = wiring.window;
  result.density = wiring.density;
  result.structure =
      std::make_shared<NetworkStructure>(nodes_, wiring.elements, form != NetworkForm::one);
  if (options_.method == Method::adam) {
    result.fit = estimate(data_, result.structure, options_);
    return result;
  }
  result.fit = with_values(result.structure, wiring.generator);
  return result;
}

NetworkFit NetworkSearch::fit(const Wiring& found, NetworkForm form) const {
  Wiring wiring = found;
  if (wiring.generator.size() == 0) wiring.generator = by_weak_form(wiring);
  for (auto& e : wiring.elements)
    if (form == NetworkForm::known_couplings && e.type == ElementType::coupling)
      e.sign = wiring.generator(nodes_[at(e.from)].state, nodes_[at(e.to)].state) < 0 ? -1 : 1;
  if (!by_likelihood()) return fit_once(wiring, form);
  NetworkFit result;
  // Of couplings that are ±1 a wrong one spoils everything: they come from a wiring that was revised
  // while they were free, and is not revised again.
  Progress progress{.revision = {.elements = wiring.elements, .generator = wiring.generator}};
  Matrix start = wiring.generator;
  int iterations = 0;
  // Where nothing is fitted yet the first round goes on; later ones may be stopped at any point.
  const auto fit_and_revise = [&](int round) {
    NetworkFit next;
    next.structure = std::make_shared<NetworkStructure>(nodes_, progress.revision.elements,
                                                        form != NetworkForm::one);
    FitOptions settings = options_.in_stage(fmt::format("{} {}", name(form), round + 1));
    if (round > 0) settings.max_iterations = std::min(60, settings.max_iterations);
    const auto regression = by_differences(next.structure);
    next.fit = regression ? *regression
                          : estimate(data_, next.structure, settings,
                                     {.theta = next.structure->project(start),
                                      .generators = {progress.revision.generator},
                                      .sizes = progress.revision.noise});
    iterations += next.fit.iterations;
    const FitResiduals residuals = find_residuals(next.fit, data_);
    if (!next.fit.stopped && undo(progress, residuals)) return true;
    result = std::move(next);
    progress.residuals = residuals;
    start = result.fit.generator();
    // Where nothing is left over, one look at the evidence tells all.
    if (regression && round > 0) return false;
    if (result.fit.stopped || round >= most_rounds || form == NetworkForm::known_couplings)
      return false;
    if (!unless_stopped([&] { progress.revision = revise(result, progress); })) throw Stopped();
    auto before = result.structure->elements();
    std::sort(before.begin(), before.end(), in_order);
    return progress.revision.elements != before;
  };
  try {
    bool more = fit_and_revise(0);
    for (int round = 1; more; ++round) {
      const bool to_the_end = unless_stopped([&] { more = fit_and_revise(round); });
      if (!to_the_end) throw Stopped();
    }
  } catch (const Stopped&) {
    if (!result.structure) throw;
    result.fit.stopped = true;
    result.fit.converged = false;
  }
  result.fit.iterations = iterations;
  result.window = wiring.window;
  const auto& elements = result.structure->elements();
  const auto pairs = std::count_if(elements.begin(), elements.end(), is_pair);
  const auto count = static_cast<double>(nodes_.size());
  if (count > 1) result.density = static_cast<double>(pairs) / (count * (count - 1) / 2);
  return result;
}

Matrix NetworkSearch::by_weak_form(const Wiring& wiring) const {
  return regress_on_wiring(options_.driven
                               ? driven_weak_form(data_, wiring.window, 3, options_.timing())
                               : weak_form(data_, wiring.window, 3),
                           nodes_, wiring.elements);
}

std::optional<Fit> NetworkSearch::by_differences(
    const std::shared_ptr<const NetworkStructure>& structure) const {
  std::optional<Fit> best;
  // Differences do not know what inputs do between samples.
  if (options_.driven) return best;
  double least = explained;
  for (const int half : {6, 5, 4}) {
    const Regression regression = central_differences(data_, half);
    if (regression.states.cols() == 0) continue;
    Fit found =
        with_values(structure, regress_on_wiring(regression, nodes_, structure->elements()));
    const double nrmse = find_residuals(found, data_).nrmse();
    if (!(nrmse < least)) return best;
    least = nrmse;
    best = std::move(found);
  }
  return best;
}

Fit NetworkSearch::with_values(const std::shared_ptr<const NetworkStructure>& structure,
                               const Matrix& generator) const {
  Fit found{structure, "closed-form", structure->project(generator)};
  found.initial_states =
      initial_states_of(*structure, found.theta, data_, options_.estimate_initial_states);
  found.converged = true;
  return found;
}

void NetworkSearch::polish(NetworkFit& fit) const {
  constexpr double nearly = 10;
  if (fit.fit.stopped || !by_likelihood()) return;
  const auto refine = [&] {
    const auto regression = by_differences(fit.structure);
    if (!regression) return;
    if (fit.fit.method != "mle") {
      FitOptions settings = options_.in_stage("polish");
      settings.max_iterations = 2;
      settings.rounds = 1;
      fit.fit = estimate(data_, fit.structure, settings, {.theta = regression->theta});
    }
    if (find_residuals(*regression, data_).nrmse() <
        nearly * find_residuals(fit.fit, data_).nrmse())
      fit.fit = *regression;
  };
  if (!unless_stopped(refine)) {
    fit.fit.stopped = true;
    fit.fit.converged = false;
  }
}

bool NetworkSearch::undo(Progress& progress, const FitResiduals& residuals) {
  Revision& revision = progress.revision;
  constexpr double half = 0.5, little_more = 100;
  if (revision.noise_only) return false;
  const double before = progress.residuals.sum_of_squares(), now = residuals.sum_of_squares();
  if (!revision.added.empty() && now > half * before) {
    std::erase_if(revision.elements, [&](const NetworkElement& e) {
      return std::find(revision.added.begin(), revision.added.end(), e) != revision.added.end();
    });
    revision.added.clear();
    progress.may_add = false;
    return true;
  }
  const bool still_little = progress.residuals.nrmse() <= little_left &&
                            residuals.nrmse() <= little_left && now < little_more * before;
  if (!revision.removed.empty() && half * now > before && !still_little) {
    for (const auto& e : revision.removed) {
      revision.elements.push_back(e);
      progress.kept.insert(key(e));
    }
    std::sort(revision.elements.begin(), revision.elements.end(), in_order);
    revision.removed.clear();
    return true;
  }
  return false;
}

Dataset NetworkSearch::without_outliers_of(const Fit& fit) const {
  if (!options_.robust() || fit.noise.size() == 0) return data_;
  std::vector<Trajectory> runs;
  for (std::size_t r = 0; r < data_.runs().size(); ++r) {
    const auto& run = data_.runs()[r];
    const Matrix residuals =
        run.states() -
        fit.propagate(fit.initial_states.col(static_cast<Index>(r)), run.times(), run.inputs());
    Matrix states = run.states();
    for (Index k = 0; k < states.cols(); ++k)
      for (Index c = 0; c < states.rows(); ++c)
        if (std::abs(residuals(c, k)) > outlying * fit.noise[c])
          states(c, k) = std::numeric_limits<double>::quiet_NaN();
    runs.emplace_back(run.label(), run.times(), std::move(states), run.inputs());
  }
  return Dataset(data_.channels(), std::move(runs), data_.inputs());
}

bool NetworkSearch::may_couple(Index i, Index j) const {
  return conjugate(kinds_[at(nodes_[at(i)].state)], kinds_[at(nodes_[at(j)].state)]);
}

bool NetworkSearch::given(const NetworkElement& e) const {
  if (e.type == ElementType::stiffness && !is_pair(e)) return true;
  const ChannelPair pair = std::minmax(e.from, e.to);
  return is_pair(e) && (holds(rules_.pattern, pair) || holds(rules_.required, pair));
}

std::vector<NetworkElement> NetworkSearch::candidates(const NetworkStructure& structure) const {
  using enum ElementType;
  std::set<Key> taken;
  bool exchanges = false;
  for (const auto& e : structure.elements()) {
    taken.insert(key(e));
    // A pair holds a coupling or an exchange, not both.
    if (e.type == exchange) taken.insert(key({coupling, e.from, e.to}));
    if (e.type == coupling) taken.insert(key({exchange, e.from, e.to}));
    exchanges = exchanges || e.type == exchange;
  }
  std::vector<ElementType> of_pairs{coupling}, of_nodes{loss};
  if (exchanges) of_pairs.push_back(exchange);
  if (mechanical()) of_pairs = of_nodes = {spring, damper};
  // Of K all elements have bounds, or none.
  if (std::any_of(structure.elements().begin(), structure.elements().end(),
                  [](const auto& e) { return e.type == stiffness; }))
    of_pairs = of_nodes = {stiffness, damper};
  std::vector<NetworkElement> result;
  const auto add = [&](const NetworkElement& e) {
    if (!taken.contains(key(e))) result.push_back(e);
  };
  const auto count = static_cast<Index>(nodes_.size());
  for (Index i = 0; i < count; ++i) {
    for (const ElementType type : of_nodes) add({type, i});
    for (Index j = i + 1; j < count && rules_.pattern.empty(); ++j) {
      if (holds(rules_.forbidden, {i, j})) continue;
      for (const ElementType type : of_pairs) add({type, i, j});
    }
  }
  return result;
}

Vector NetworkSearch::noise_of(const NetworkFit& fit, const FitResiduals& residuals) const {
  const double size = std::sqrt(residuals.power.sum() / residuals.count.sum());
  Vector noise = fit.fit.noise;
  if (noise.size() == 0)
    noise = (residuals.squares.array() / residuals.count.array().max(1.0)).sqrt();
  const Vector sizes = fit.structure->common_unit() ? Vector::Constant(noise.size(), size).eval()
                                                    : channel_amplitudes(data_);
  const Vector relative = noise.cwiseQuotient(sizes);
  const double middle = median({relative.begin(), relative.end()});
  return noise.cwiseMin(3 * middle * sizes).cwiseMax(explained * sizes);
}

NetworkSearch::Revision NetworkSearch::revise(const NetworkFit& fit, Progress& progress) const {
  auto& [last, residuals, once, kept, may_add] = progress;
  const NetworkStructure& structure = *fit.structure;
  const Vector noise = noise_of(fit, residuals);
  const Bar bar(residuals, static_cast<double>(nodes_.size()));
  const FittedNetwork fitted{structure, fit.fit.theta, noise,
                             problem_options(fit.fit, options_.estimate_initial_states)};
  NetworkEvidence evidence =
      find_evidence(without_outliers_of(fit.fit), fitted,
                    may_add && residuals.nrmse() > explained ? candidates(structure)
                                                             : std::vector<NetworkElement>());
  Revision result;
  result.noise = noise;
  result.noise_only = bar.noise_only();
  for (std::size_t e = 0; e < structure.elements().size(); ++e) {
    const NetworkElement& element = structure.elements()[e];
    const bool stays =
        bar.stays(element, evidence.present[e]) || given(element) || kept.contains(key(element));
    (stays ? result.elements : result.removed).push_back(element);
  }
  for (const auto& element : result.removed) once.insert(key(element));
  // Of candidates that touch the same node the best is enough for now.
  std::stable_sort(evidence.absent.begin(), evidence.absent.end(),
                   [](const auto& a, const auto& b) { return a.fall > b.fall; });
  std::set<Index> touched;
  std::vector<NetworkEvidence::Absent> chosen;
  for (const auto& candidate : evidence.absent) {
    const NetworkElement& element = candidate.element;
    const bool was_there = once.contains(key(element));
    if (!bar.comes(element, candidate.fall, was_there)) continue;
    if (touched.contains(element.from) || (is_pair(element) && touched.contains(element.to)))
      continue;
    touched.insert({element.from, is_pair(element) ? element.to : element.from});
    if (was_there) kept.insert(key(element));
    result.elements.push_back(element);
    result.added.push_back(element);
    chosen.push_back(candidate);
  }
  std::sort(result.elements.begin(), result.elements.end(), in_order);
  result.generator = generator_with(fitted, evidence, chosen);
  return result;
}

}  // namespace lgn
