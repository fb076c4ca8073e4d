#pragma once

#include <memory>
#include <optional>

#include "lgn/physics/variation_course.h"

namespace lgn {

/// How the generator of a model varies in time.
struct ModelVariation {
  std::shared_ptr<const Structure> structure;
  Vector theta;
  /// Standard errors of θ, of the constants themselves for a law; empty where they were not computed.
  Vector errors;
  double begin = 0, end = 0;  ///< the time that it was identified from
  Vector start_times = {};    ///< of the runs; empty where they are not known
  MagnusOptions magnus;
  VariationCourse course;
  std::optional<Floquet>
      floquet;  ///< where A(t) repeats within the time that it was identified from

  /// The method and the longest step of Model::propagate, which do not depend on the times that it is asked
  /// for: scripts that are exported take the same.
  MagnusOptions steps() const;
  /// Fills in standard errors, those of A(t) and of its frozen-time poles included, from the covariance of θ.
  void set_covariance(const Matrix& covariance);
  /// Whether times reach beyond what was learned, where A(t) means nothing any more: a drift, fixed
  /// features, or a wave of which less than one turn was seen.
  bool extrapolated(const Vector& times) const;
};

/// The period of the slowest thing that A(t) does again and again, as far as that was identified.
std::optional<double> longest_period(const ModelVariation& variation);

/// A(t; θ) over [begin, end], without standard errors; nothing where A does not depend on time.
std::optional<ModelVariation> describe_variation(std::shared_ptr<const Structure> structure,
                                                 const Vector& theta, double begin, double end,
                                                 const MagnusOptions& magnus = {});

}  // namespace lgn
