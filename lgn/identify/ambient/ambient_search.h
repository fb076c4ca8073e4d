#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

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

/// Looks for the most likely modes of random vibration, one order after another. Channels are relative to their sizes.
///
/// Starts come from Hankel matrices of the correlation functions, which decay as free motion does: poles that realisations of several orders agree on.
class AmbientSearch {
 public:
  AmbientSearch(AmbientRecord record, const FitOptions& options);

  const HankelRealisation& realisation() const { return *realisation_; }
  /// No mode: a flat spectrum.
  const AmbientSystem& nothing() const { return nothing_; }
  Index most_states() const;
  /// 2ℓ with the price of all unknowns.
  double criterion(const AmbientSystem& system) const;

  /// All modes that realisations agree on, or so many states, followed to the maximum.
  std::optional<AmbientSystem> begin(std::optional<Index> states) const;
  /// The system with the modes that make it most likely, each of them by more than its price, or the best one.
  std::optional<AmbientSystem> grow(const AmbientSystem& before, Index most_states) const;
  /// The system without the pair that the data show least of, where the criterion might be better so.
  std::optional<AmbientSystem> shrink(const AmbientSystem& before) const;
  /// To the maximum, with narrow cells, which it returns.
  AmbientSystem refined(const AmbientSystem& system, std::vector<SpectralCell>& cells) const;

  /// Cells of the spectrum are so wide at most, relative to their distance from a pole: while orders are tried, and in the end.
  static constexpr double search_width = 0.2, final_width = 0.1;

 private:
  /// Correlation functions at some lags.
  struct Lags {
    std::vector<Index> lags;
    std::vector<Matrix> values;
  };

  /// Of the unknowns of one pair of states.
  double price() const { return static_cast<double>(4 * record_.channels()) * std::log(values()); }
  /// Real numbers in the spectrum.
  double values() const;
  Matrix mean_periodogram() const;
  /// Correlation functions up to where they are lost in what chance makes of them: √(2 Σ ρ²/N), by Bartlett's formula.
  static std::vector<Matrix> telling_correlations(const AmbientRecord& record);
  /// G of least squares to what is left of the correlation functions.
  Matrix fit_g(const ModalSystem& system, const std::vector<Matrix>& left) const;
  /// What a system does not explain of them.
  std::vector<Matrix> residual_lags(const AmbientSystem& system) const;

  ModalSystem candidate(const PoleCluster& cluster) const;
  /// From the realisations of so many states.
  std::vector<AmbientSystem> fresh(Index n) const;
  /// With G by least squares, weakened until the spectrum is positive.
  AmbientSystem fresh(const ModalSystem& system) const;
  /// The system with one more mode, as strong as it is likely.
  AmbientSystem extended(const AmbientSystem& before, const ModalSystem& candidate,
                         const std::vector<Matrix>& left) const;
  /// What is left where one block is taken out.
  AmbientSystem without(const AmbientSystem& before, const ModalStructure::Block& block) const;
  AmbientSystem searched(const AmbientSystem& start, const std::vector<SpectralCell>& cells,
                         int steps, double tolerance) const;

  const FitOptions& options_;
  AmbientRecord record_;
  std::vector<Matrix> correlations_;
  std::optional<HankelRealisation> realisation_;
  Lags lags_;
  std::vector<PoleCluster> clusters_;
  std::vector<SpectralCell> cells_;
  AmbientSystem nothing_;
};

}  // namespace lgn
