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
  /// Longest step; where it is not zero, it says how many steps there are, and the tolerance does not.
  double longest = 0;
};

/// One method and one longest step with which the tolerance holds everywhere, so that steps need not
/// be planned for the times that are asked for: what a script without lgn can do, too.
///
/// Found in up to 64 windows of [begin, end] in which A(t; θ) turns states by some radians, each as by
/// plan_grid. Where the structure promises that the energy never grows, the step is shortened, or the
/// method replaced by one without commutators, until it grows in no step of the windows.
MagnusOptions steady_steps(const Structure& structure, const Vector& theta, double begin,
                           double end, const MagnusOptions& options = {});

/// The same times with more between them: where A(t; θ) turns states by many radians from one to the
/// next, so that plan_grid has steps enough; or, where the longest step is given, as many equal ones as
/// it asks for, and the corners of A(t; θ). `kept`: where the given ones are.
struct RefinedTimes {
  Vector times;
  std::vector<Index> kept;
};
RefinedTimes refine_times(const Structure& structure, const Vector& theta, const Vector& times,
                          double longest = 0);

/// Steps chosen for A(t; θ): their number from the difference that twice as many make, and, where
/// the structure promises that the energy never grows, so that it grows in none (theory, Eq. 29): a
/// step in which a commutator would break that is taken without commutators where that is as exact,
/// else in two halves, and by the midpoint rule, which always decays, where all steps are used up.
/// Throws Error for an unknown method.
MagnusGrid plan_grid(const Structure& structure, const Vector& theta, const Vector& times,
                     const MagnusOptions& options = {});

}  // namespace lgn
