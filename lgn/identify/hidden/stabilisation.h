#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

class CandidateRealisations;

/// The oscillations of a realisation of so many states, to draw.
struct OrderPoles {
  Index states = 0;
  ComplexVector poles;   ///< those with Im λ > 0, slowest first
  ComplexMatrix shapes;  ///< channels × poles: what channels see of each, the largest entry 1
};

/// How poles settle as the order grows: what the system does stays where it is, what describes noise wanders.
struct Stabilisation {
  Vector singular_values;          ///< of the Hankel matrix, descending, at most a hundred
  std::vector<OrderPoles> orders;  ///< by ascending number of states
};

/// When a pole counts as that of the order before.
struct StabilityCriteria {
  double frequency = 0.01;  ///< |Δω_n|/ω_n
  double damping = 0.05;    ///< |Δζ|/ζ
  double assurance =
      0.95;  ///< modal assurance criterion at least; means nothing with one channel, where it is 1
};

/// Of each pole of each order whether the order before has one like it. None of the first order is stable.
std::vector<std::vector<bool>> stable_poles(const std::vector<OrderPoles>& orders,
                                            const StabilityCriteria& criteria = {});

/// Poles of the orders 2, 4, … up to twice `chosen`, or twenty more where that is more; at most sixty states, or what the
/// realisation has.
///
/// Each is one realisation without refinement, by the one Hankel matrix of several that has most stable poles at some of the
/// orders. All together is at most about half a second of work (stop.h); where that is spent, or it is asked to stop, orders
/// are fewer. Poles have nine digits and shapes four, which is what pictures need of them.
/// `sizes`: what one in each channel of the realisation is in the channel's own unit; empty: one.
Stabilisation find_stabilisation(const CandidateRealisations& realisation, Index chosen,
                                 const Vector& sizes = {});

/// The same poles with shapes in other channels, by the map from those of the realisation to them; orders beyond the size that the
/// above keeps to are left out.
Stabilisation mapped(const Stabilisation& found, const Matrix& map);

}  // namespace lgn
