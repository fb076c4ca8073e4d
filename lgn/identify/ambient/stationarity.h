#pragma once

#include <optional>

#include "lgn/identify/ambient/ambient_record.h"

namespace lgn {

/// An oscillation that is there in one part of a record and hardly elsewhere.
struct PassingMode {
  double frequency;  ///< angular
  double share;      ///< of its power, in the quarter of the record that has most
};

/// The oscillation at one of these poles that steady forces would not make: P_q, the power about its frequency in each quarter of
/// the runs, differ by more than chance, which makes them differ by P̄/√(σT) for the decay rate σ and quarters of
/// length T, and one has more than 70% of it. The one that is most so; nothing where forces may be steady. O(N log N) for N samples.
std::optional<PassingMode> find_passing_mode(const AmbientRecord& record,
                                             const ComplexVector& poles);

}  // namespace lgn
