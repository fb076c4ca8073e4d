#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "lgn/identify/ambient/correlation_functions.h"
#include "lgn/identify/ambient/pole_clusters.h"
#include "lgn/identify/ambient/whittle.h"
#include "lgn/identify/fit_options.h"
#include "lgn/identify/realisation/realisation.h"

namespace lgn {

/// Modes with what moves them, and how likely they are.
struct AmbientSystem {
  std::shared_ptr<const ModalStructure> structure;
  AmbientParameters parameters;
  double cost = std::numeric_limits<double>::infinity();  ///< 2ℓ
  int iterations = 0;
  bool converged = false, stopped = false;
  Index states() const { return structure ? structure->dimension() : 0; }
};

/// Both systems as one; the first has no single state.
ModalSystem joined(const ModalSystem& a, const ModalSystem& b);

/// Looks for the most likely modes of random vibration, one order after another. Channels are relative to their sizes.
///
/// Starts come from canonical variates, and from Hankel matrices of the correlation functions, which decay as free motion does: poles that realisations
/// of several orders agree on.
class AmbientSearch {
 public:
  AmbientSearch(AmbientRecord record, const FitOptions& options);

  const HankelRealisation& realisation() const { return realisation_; }
  /// No mode: a flat spectrum.
  const AmbientSystem& nothing() const { return nothing_; }
  Index most_states() const;
  /// 2ℓ with the price of all unknowns.
  double criterion(const AmbientSystem& system) const;

  /// How many of its frequencies are above half the sampling rate.
  Index aliased(const AmbientSystem& system) const;

  /// The best start of so many states, or of any number, followed to the maximum, or as far as there is hope to come below a criterion.
  /// `steps`: at most so many of the search.
  std::optional<AmbientSystem> begin(std::optional<Index> states,
                                     double to_beat = std::numeric_limits<double>::infinity(),
                                     int steps = usual_steps) const;
  /// The system with the modes that make it most likely, each of them by more than its price, or the best one.
  std::optional<AmbientSystem> grow(const AmbientSystem& before, Index most_states) const;
  /// The system without one of the pairs that the data show least of, where the criterion might be better so.
  std::optional<AmbientSystem> shrink(const AmbientSystem& before) const;
  /// The system with another mode in the place of one that lies over it: that is wider, or an alias, and has no way there of its own.
  std::optional<AmbientSystem> exchange(const AmbientSystem& before) const;
  /// To the maximum, with narrow cells, which it returns.
  AmbientSystem refined(const AmbientSystem& system, std::vector<SpectralCell>& cells) const;

  /// Cells of the spectrum are so wide at most, relative to their distance from a pole: while orders are tried, and in the end.
  static constexpr double search_width = 0.2, final_width = 0.1;
  static constexpr int usual_steps = 15, many_steps = 60;

 private:
  /// Of a search: how many steps at most, how near to the maximum it comes, in standard errors, and the criterion of a system that it
  /// is given up for where it will not come below.
  struct Effort {
    int steps;
    double tolerance, to_beat;
  };

  /// Of the unknowns of one pair of states.
  double price() const { return static_cast<double>(4 * record_.channels()) * std::log(values()); }
  /// Real numbers in the spectrum.
  double values() const;
  Matrix mean_periodogram() const;
  /// What a system does not explain of correlation functions.
  std::vector<Matrix> unexplained(const AmbientSystem& system) const;

  ModalSystem candidate(const PoleCluster& cluster) const;
  /// From the realisations of so many states.
  std::vector<AmbientSystem> fresh(Index n) const;
  /// With G by least squares to these correlation functions, weakened until the spectrum is positive.
  AmbientSystem fresh(const ModalSystem& system, const std::vector<Matrix>& lags) const;
  /// From canonical variates: of so many states, or of as many as the criterion wants.
  std::optional<AmbientSystem> canonical(Index n) const;
  std::optional<AmbientSystem> canonical() const;
  /// The system with one more mode, as strong as it is likely.
  AmbientSystem extended(const AmbientSystem& before, const ModalSystem& candidate,
                         const std::vector<Matrix>& left) const;
  /// What is left where one block is taken out.
  AmbientSystem without(const AmbientSystem& before, const ModalStructure::Block& block) const;
  AmbientSystem searched(const AmbientSystem& start, const std::vector<SpectralCell>& cells,
                         const Effort& effort) const;
  /// Near to the maximum, or as far as there is hope.
  AmbientSystem tried(const AmbientSystem& start, double to_beat, int steps = usual_steps) const;

  const FitOptions& options_;
  AmbientRecord record_;
  CorrelationFunctions functions_;
  CanonicalRealisation canonical_;
  HankelRealisation realisation_;
  std::vector<PoleCluster> clusters_;
  std::vector<SpectralCell> cells_;
  AmbientSystem nothing_;
};

}  // namespace lgn
