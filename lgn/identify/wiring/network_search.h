#pragma once

#include <optional>
#include <set>
#include <tuple>

#include "lgn/identify/residuals.h"
#include "lgn/identify/wiring/network_fit.h"
#include "lgn/identify/wiring/wiring.h"

namespace lgn {

/// Which storages a network has.
enum class NetworkForm {
  known_couplings,  ///< couplings ±1, every storage free
  one,              ///< all storages 1, couplings free
  free              ///< both free
};

/// The search for the values of a network, and for its wiring by their likelihood, in one set of
/// data. `data` and `options` must outlive it.
class NetworkSearch {
 public:
  NetworkSearch(const Dataset& data, std::vector<NetworkNode> nodes, const NetworkOptions& network,
                const FitOptions& options);

  /// Rules about nodes.
  const EdgeRules& rules() const { return rules_; }
  /// How inputs act, where they do.
  std::optional<InputTiming> inputs() const {
    return options_.driven ? std::optional(options_.timing()) : std::nullopt;
  }
  /// Whether every coupling of a wiring is ±1 by the laws of its field.
  bool couplings_known(const std::vector<NetworkElement>& elements) const;
  /// How well the member near the wiring's generator predicts these data over short windows, before anything is
  /// fitted: 1 is no prediction (short_predictions.h).
  double start_error(const Dataset& data, const Wiring& wiring, bool storages) const;

  /// Values of maximum likelihood, and the wiring revised until nothing changes; where the method is
  /// another, the wiring as regression found it, with its values (closed-form) or trained (adam).
  NetworkFit fit(const Wiring& wiring, NetworkForm form) const;
  /// The last word on values where regression on differences explains the data. Errors of a simulation
  /// add up along a trajectory, and a derivative sees each of them once: regression stands, unless
  /// maximum likelihood leaves less than a tenth of what it leaves, as it does for exact data.
  void polish(NetworkFit& fit) const;

 private:
  using Key = std::tuple<int, Index, Index>;
  static Key key(const NetworkElement& e) { return {static_cast<int>(e.type), e.from, e.to}; }

  /// Elements that are worth their place, what was changed for it, a generator to start from, and the
  /// noise to start with.
  struct Revision {
    std::vector<NetworkElement> elements = {};
    std::vector<NetworkElement> added = {}, removed = {};
    Matrix generator = {};
    Vector noise = {};
    bool noise_only = true;  ///< whether that is what was left over before
  };
  /// Where the search for the wiring stands.
  struct Progress {
    Revision revision;
    FitResiduals residuals = {};  ///< before it
    std::set<Key> once = {};      ///< elements that were taken out
    std::set<Key> kept = {};      ///< those of them that were put back, and stay
    bool may_add = true;
  };
  /// Regression in the weak form, with the windows in which the wiring was found.
  Matrix by_weak_form(const Wiring& wiring) const;
  /// Values by regression on differences of order 8 to 12, where they explain the data: then these
  /// have hardly any noise.
  std::optional<Fit> by_differences(const std::shared_ptr<const NetworkStructure>& structure) const;
  /// The member near a generator.
  Fit with_values(const std::shared_ptr<const NetworkStructure>& structure,
                  const Matrix& generator) const;
  bool by_likelihood() const;
  NetworkFit fit_once(const Wiring& wiring, NetworkForm form) const;
  Revision revise(const NetworkFit& fit, Progress& progress) const;
  /// Where residuals are not noise they give no measure of chance. There elements that were added and
  /// have not halved them are taken out again, and then no more are added; and elements that were
  /// taken out come back, to stay, where that has doubled them, or made them ten times as large where
  /// they are little.
  static bool undo(Progress& progress, const FitResiduals& residuals);

  bool mechanical() const { return nodes_.front().velocity != NetworkNode::none; }
  bool may_couple(Index i, Index j) const;
  bool given(const NetworkElement& e) const;
  /// Elements that are not there but might be.
  std::vector<NetworkElement> candidates(const NetworkStructure& structure) const;
  /// The data without what a robust fit takes for outliers.
  Dataset without_outliers_of(const Fit& fit) const;
  /// σ of each channel, but no less than what counts as explained, and no more than three times that
  /// of the middle channel: what is left beyond is waiting for an element, and must not weigh less
  /// for it.
  Vector noise_of(const NetworkFit& fit, const FitResiduals& residuals) const;

  const Dataset& data_;
  std::vector<NetworkNode> nodes_;
  std::vector<ChannelKind> kinds_;
  EdgeRules rules_;
  const FitOptions& options_;
};

}  // namespace lgn
