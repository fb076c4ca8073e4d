#pragma once

#include <vector>

#include "lgn/dynamics/structure.h"
#include "lgn/flow/magnus_scheme.h"

namespace lgn {

/// One step of a method.
struct MagnusStep {
  double begin = 0, length = 0;
  const MagnusScheme* scheme = nullptr;
  bool operator==(const MagnusStep&) const = default;
};

/// The steps from each time to the next: `steps[first[k]]` up to, but not with,
/// `steps[first[k + 1]]` lead from times[k] to times[k + 1].
struct MagnusGrid {
  Vector times;
  std::vector<MagnusStep> steps;
  std::vector<std::size_t> first;

  /// Adds `count` equal steps to the next time.
  void add(double next, const MagnusScheme& scheme, Index count);
  bool operator==(const MagnusGrid&) const = default;
};

/// The same number of steps of one method between any two times.
MagnusGrid even_grid(const Vector& times, const MagnusScheme& scheme, Index substeps = 1);

/// How exactly to integrate.
struct MagnusOptions {
  /// A name of magnus_schemes().
  std::string_view method = "6";
  /// Largest error of the map from one sample to the next, relative to that map.
  double tolerance = 1e-11;
  /// Most steps from one sample to the next; more are needed only where A(t) varies much faster
  /// than it is sampled.
  Index most_substeps = 512;
};

/// The same times with more between them where A(t; θ) turns states by many radians from one to the
/// next, so that plan_grid has steps enough; `kept`: where the given ones are.
struct RefinedTimes {
  Vector times;
  std::vector<Index> kept;
};
RefinedTimes refine_times(const Structure& structure, const Vector& theta, const Vector& times);

/// Steps chosen for A(t; θ): their number from the difference that twice as many make, and, where
/// the structure promises that the energy never grows, so that it grows in none (theory, Eq. 29): a
/// step in which a commutator would break that is taken without commutators where that is as exact,
/// else in two halves, and by the midpoint rule, which always decays, where all steps are used up.
/// Throws Error for an unknown method.
MagnusGrid plan_grid(const Structure& structure, const Vector& theta, const Vector& times,
                     const MagnusOptions& options = {});

}  // namespace lgn
