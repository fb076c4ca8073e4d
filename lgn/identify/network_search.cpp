#include "lgn/identify/network_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/median.h"
#include "lgn/data/scales.h"
#include "lgn/identify/network_revision.h"
#include "lgn/identify/short_predictions.h"

namespace lgn {
namespace {

constexpr int most_rounds = 8;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

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
                             const NetworkOptions& network, const EstimateOptions& options)
    : data_(data),
      nodes_(std::move(nodes)),
      kinds_(network.kinds),
      rules_(rules_of_nodes(network.rules, nodes_)),
      options_(options) {}

bool NetworkSearch::lawful(const std::vector<NetworkElement>& elements) const {
  if (mechanical() || kinds_.empty()) return false;
  bool any = false;
  for (const auto& e : elements) {
    if (e.type != ElementType::coupling) continue;
    if (!may_couple(e.from, e.to)) return false;
    any = true;
  }
  return any;
}

bool NetworkSearch::one_will_do(const Wiring& wiring) const {
  constexpr double nearly = 1.3;
  const ShortPredictions predictions(data_, telling_samples(data_));
  const auto error = [&](bool storages) {
    const NetworkStructure structure(nodes_, wiring.elements, storages);
    return predictions.error(structure.generator(structure.project(wiring.generator)));
  };
  return error(false) < nearly * error(true) + explained;
}

NetworkFit NetworkSearch::fit_once(const Wiring& wiring, NetworkForm form) const {
  NetworkFit result;
  result.window = wiring.window;
  result.density = wiring.density;
  result.structure =
      std::make_shared<NetworkStructure>(nodes_, wiring.elements, form != NetworkForm::one);
  if (options_.method == "adam") {
    result.estimate = estimate(data_, result.structure, options_);
    return result;
  }
  Estimate& found = result.estimate;
  found.structure = result.structure;
  found.method = "closed-form";
  found.theta = result.structure->project(wiring.generator);
  found.generator = result.structure->generator(found.theta);
  found.starts = starts_of(found.generator, data_, options_.likelihood.estimate_starts);
  found.converged = true;
  return result;
}

NetworkFit NetworkSearch::fit(const Wiring& found, NetworkForm form) const {
  Wiring wiring = found;
  for (auto& e : wiring.elements)
    if (form == NetworkForm::known_couplings && e.type == ElementType::coupling)
      e.sign = wiring.generator(nodes_[at(e.from)].state, nodes_[at(e.to)].state) < 0 ? -1 : 1;
  const bool likelihood =
      options_.method == "mle" || (options_.method == "auto" && !too_large_for_likelihood(data_));
  if (!likelihood) return fit_once(wiring, form);
  NetworkFit result;
  // Of couplings that are ±1 a wrong one spoils everything: they come from a wiring that was revised
  // while they were free.
  Progress progress{.revision = {.elements = wiring.elements, .generator = wiring.generator},
                    .may_add = form != NetworkForm::known_couplings};
  Matrix start = wiring.generator;
  int iterations = 0;
  for (int round = 0;; ++round) {
    NetworkFit next;
    next.structure = std::make_shared<NetworkStructure>(nodes_, progress.revision.elements,
                                                        form != NetworkForm::one);
    EstimateOptions settings = options_;
    settings.theta = next.structure->project(start);
    settings.likelihood.stage += fmt::format(", {} {}", name(form), round + 1);
    settings.also = {progress.revision.generator};
    settings.likelihood.sizes = progress.revision.noise;
    next.estimate = estimate(data_, next.structure, settings);
    iterations += next.estimate.iterations;
    const FitResiduals residuals =
        find_residuals(next.estimate.generator, next.estimate.starts, data_);
    if (!next.estimate.stopped && undo(progress, residuals)) continue;
    result = std::move(next);
    progress.residuals = residuals;
    start = result.estimate.generator;
    if (result.estimate.stopped || round >= most_rounds) break;
    progress.revision = revise(result, progress);
    auto before = result.structure->elements();
    std::sort(before.begin(), before.end(), in_order);
    if (progress.revision.elements == before) break;
  }
  result.window = wiring.window;
  result.estimate.iterations = iterations;
  const auto& elements = result.structure->elements();
  const auto pairs = std::count_if(elements.begin(), elements.end(), is_pair);
  const auto count = static_cast<double>(nodes_.size());
  if (count > 1) result.density = static_cast<double>(pairs) / (count * (count - 1) / 2);
  return result;
}

bool NetworkSearch::undo(Progress& progress, const FitResiduals& residuals) {
  Revision& revision = progress.revision;
  constexpr double noise = 0.5, half = 0.5;
  if (revision.worth > noise) return false;
  const double before = progress.residuals.sum_of_squares(), now = residuals.sum_of_squares();
  if (!revision.added.empty() && now > half * before) {
    std::erase_if(revision.elements, [&](const NetworkElement& e) {
      return std::find(revision.added.begin(), revision.added.end(), e) != revision.added.end();
    });
    revision.added.clear();
    progress.may_add = false;
    return true;
  }
  if (!revision.removed.empty() && half * now > before) {
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

bool NetworkSearch::may_couple(Index i, Index j) const {
  return conjugate(kinds_[at(nodes_[at(i)].state)], kinds_[at(nodes_[at(j)].state)]);
}

bool NetworkSearch::given(const NetworkElement& e) const {
  const ChannelPair pair = std::minmax(e.from, e.to);
  return is_pair(e) && (holds(rules_.pattern, pair) || holds(rules_.required, pair));
}

std::vector<NetworkElement> NetworkSearch::candidates(const NetworkStructure& structure,
                                                      bool known) const {
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
  std::vector<NetworkElement> result;
  const auto add = [&](const NetworkElement& e) {
    if (!taken.contains(key(e))) result.push_back(e);
  };
  const auto count = static_cast<Index>(nodes_.size());
  for (Index i = 0; i < count; ++i) {
    for (const ElementType type : of_nodes) add({type, i});
    for (Index j = i + 1; j < count && rules_.pattern.empty(); ++j) {
      if (holds(rules_.forbidden, {i, j})) continue;
      for (const ElementType type : of_pairs)
        if (type != coupling || !known)
          add({type, i, j});
        else if (may_couple(i, j))
          add({type, i, j, 1});
    }
  }
  return result;
}

Vector NetworkSearch::noise_of(const NetworkFit& fit, const FitResiduals& residuals) const {
  const double size = std::sqrt(residuals.power.sum() / residuals.count.sum());
  Vector noise = fit.estimate.noise;
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
  const bool known = std::any_of(structure.elements().begin(), structure.elements().end(),
                                 [](const auto& e) { return e.sign != 0; });
  const Vector noise = noise_of(fit, residuals);
  const double worth = std::pow(correlation_factor(residuals.correlation(), residuals.pairs), -2);
  FittedNetwork fitted{structure, fit.estimate.theta, fit.estimate.generator, noise};
  if (!options_.likelihood.estimate_starts) fitted.starts = fit.estimate.starts;
  const NetworkEvidence evidence = find_evidence(
      data_, fitted, may_add ? candidates(structure, known) : std::vector<NetworkElement>());
  const auto values = static_cast<double>(data_.present());
  const auto nodes = static_cast<double>(nodes_.size());
  const double for_pairs = evidence_threshold(values, nodes * (nodes - 1) / 2);
  const double for_nodes = evidence_threshold(values, nodes);
  std::vector<NetworkElement> revised, removed;
  for (std::size_t e = 0; e < structure.elements().size(); ++e) {
    const NetworkElement& element = structure.elements()[e];
    if (worth * evidence.present[e] >= (is_pair(element) ? for_pairs : for_nodes) ||
        given(element) || kept.contains(key(element)))
      revised.push_back(element);
    else
      removed.push_back(element);
  }
  for (const auto& element : removed) once.insert(key(element));
  // Of candidates that touch the same node the best is enough for now.
  auto absent = evidence.absent;
  std::stable_sort(absent.begin(), absent.end(),
                   [](const auto& a, const auto& b) { return a.fall > b.fall; });
  std::set<Index> touched;
  std::vector<NetworkElement> added;
  std::vector<NetworkEvidence::Absent> chosen;
  for (const auto& candidate : absent) {
    const auto& [element, fall, unknown] = candidate;
    // They may correlate just because this element is missing; not so if it has been there.
    const double found = once.contains(key(element)) ? worth * fall : fall;
    if (!(found > (is_pair(element) ? for_pairs : for_nodes))) continue;
    if (touched.contains(element.from) || (is_pair(element) && touched.contains(element.to)))
      continue;
    touched.insert({element.from, is_pair(element) ? element.to : element.from});
    if (once.contains(key(element))) kept.insert(key(element));
    revised.push_back(element);
    added.push_back(element);
    chosen.push_back(candidate);
  }
  std::sort(revised.begin(), revised.end(), in_order);
  return {std::move(revised),
          std::move(added),
          std::move(removed),
          generator_with(fitted, evidence, chosen),
          noise,
          worth};
}

}  // namespace lgn
