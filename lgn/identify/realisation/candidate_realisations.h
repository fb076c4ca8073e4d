#pragma once

#include <optional>
#include <vector>

#include "lgn/identify/realisation/modal_realisation.h"

namespace lgn {

/// What outputs at lags can be: the column space of O with blocks C exp(A L h).
struct ColumnSpace {
  LagLattice lattice;
  Matrix vectors;  ///< strongest first

  /// The poles and shapes of `order` modes in it, for samples `step` apart; `channels`: data channels × rows of a lag. Nothing
  /// where the space is too small, or has no such modes.
  std::optional<Realisation> realise(Index order, double step, double least_damping,
                                     const Matrix& channels) const;
};

/// Starts for hidden states, found in data once and for every number of states.
class CandidateRealisations {
 public:
  virtual ~CandidateRealisations() = default;
  /// How many states stand out: of a matrix whose rank is their number but for noise, descending; empty where data are
  /// too short for any.
  virtual const Vector& singular_values() const = 0;
  /// Whether that matrix sees interpolated samples, whose errors stand out too.
  virtual bool interpolates() const { return false; }
  /// Candidates of `order` poles each, as Realisation says; empty where data are too short for that many.
  std::vector<Realisation> realise(Index order) const;
  /// How many matrices there are, or other ways to candidates, and that of one of them alone: nothing where it has none.
  virtual Index matrices() const = 0;
  virtual std::optional<Realisation> realise_by(Index matrix, Index order) const = 0;
};

}  // namespace lgn
