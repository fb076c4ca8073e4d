#pragma once

#include <optional>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/identify/realisation/candidate_realisations.h"
#include "lgn/identify/realisation/damped_pursuit.h"

namespace lgn {

/// Starts for ẋ = A x, y = C x + ȳ + noise from free decays: eigenvalues of A and what the channels see of their modes.
///
/// Samples at t and at chosen lags after it are the columns of block Hankel matrices H of all runs, channels relative to their
/// size; their column space is that of O with blocks C exp(A L h), L the lags. The singular vectors that are
/// strongest in H span it, and O(L + s) = O(L) exp(A s h) for every shift s between lags gives the poles (ESPRIT on a
/// lattice of lags). Several matrices are made, whose candidates the caller ranks: of the first part of every run and of
/// all of it, with apertures of a third, a half or three quarters of that.
///
/// Without noise poles are exact to rounding, if the samples stand on a uniform grid and none is missing. Otherwise these matrices
/// see interpolated samples, good for three to five samples per period and more, and a DampedPursuit of the true samples is
/// a further candidate. Factorisations are done once, in the constructor: O(256³) each, and 10⁹ products at
/// most for long records.
class HankelRealisation final : public CandidateRealisations {
 public:
  /// `offset`: an unknown constant in every channel is taken out of the column space.
  HankelRealisation(const Dataset& data, bool offset);

  /// Of the matrix of whole runs with the smallest aperture, descending; empty where data are too short for any.
  const Vector& singular_values() const override { return singular_values_; }
  bool interpolates() const override { return pursuit_.has_value(); }

  Index matrices() const override { return std::ssize(spaces_) + (pursuit_ ? 1 : 0); }
  std::optional<Realisation> realise_by(Index matrix, Index order) const override;

 private:
  void add(const std::vector<Matrix>& runs, Index aperture, bool offset);
  void add_part(const std::vector<Matrix>& runs, Index samples, bool offset);
  Matrix reduce_channels(std::vector<Matrix>& runs, bool offset);
  std::optional<Realisation> pursued(Index order) const;

  double step_ = 0, least_damping_ = 0;
  Matrix channels_;  ///< data channels × rows of H per lag: y = channels_ · row + mean
  std::vector<ColumnSpace> spaces_;
  Vector singular_values_;
  std::optional<DampedPursuit> pursuit_;
};

}  // namespace lgn
