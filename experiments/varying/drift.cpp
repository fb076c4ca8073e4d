#include "experiments/varying/drift.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "experiments/varying/truth.h"
#include "lgn/core/inverse_root.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/variation/find_variation.h"
#include "lgn/physics/variation_course.h"

namespace lgn::studies {

DriftStudy study_drift(const DriftOptions& options) {
  const System system =
      ltv_chain(options.masses, options.stiffness, options.damping, options.drift, options.tau);
  const Dataset data = sample_runs(
      system,
      {.runs = options.runs, .end = options.end, .noise = options.noise, .seed = options.seed});
  const auto full = std::make_shared<const FullStructure>(system.a.rows());
  DriftStudy study;
  Fit fit;
  study.seconds = seconds_of([&] { fit = find_drift(data, full, estimate(data, full).theta); });
  study.parameters = fit.theta.size();
  study.nrmse = find_residuals(fit, data).nrmse();

  const Vector& times = data.runs()[0].times();
  const double begin = times[0], end = times[times.size() - 1];
  const VariationCourse course =
      find_course(*fit.structure, fit.theta, begin, end,
                  covariance_of(information_matrix(data, *fit.structure, fit.theta, fit.noise,
                                                   {.magnus = fit.magnus})));
  const Index points = course.times.size();
  Matrix truth(full->parameters(), points);  // entries in the order of the structure
  for (Index k = 0; k < points; ++k)
    truth.col(k) = full->project(system.varying->generator(system.theta, course.times[k]));
  double entries = 0, pulls = 0, inside = 0;
  for (Index e = 0; e < truth.rows(); ++e) {
    const EntryCourse& entry = course.entries[static_cast<std::size_t>(e)];
    if (entry.varies) study.varying.push_back(entry.name);
    const Vector values = truth.row(e).transpose();
    const bool varies = values.maxCoeff() > values.minCoeff();
    study.missing += varies && !entry.varies ? 1 : 0;
    study.extra += !varies && entry.varies ? 1 : 0;
    if (!varies) continue;
    const Vector errors = (entry.values - values).cwiseAbs();
    const Vector pull = errors.cwiseQuotient(entry.errors);
    entries += 1;
    pulls += pull.mean();
    inside += static_cast<double>((pull.array() <= 1.96).count()) / static_cast<double>(points);
    study.largest_pull = std::max(study.largest_pull, pull.maxCoeff());
    study.largest_error = std::max(study.largest_error, errors.maxCoeff());
  }
  study.mean_pull = pulls / entries;
  study.coverage = inside / entries;
  return study;
}

}  // namespace lgn::studies
