#include "lgn/identify/offset.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/inverse_root.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/regression/regression_start.h"
#include "lgn/identify/regression/short_predictions.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

/// An offset of less than this part of a channel's size is looked for only if the fit leaves one.
constexpr double conspicuous = 0.02;

/// Mean and standard deviation of each channel, lowest and highest value, and how many there are.
struct ChannelStatistics {
  Vector mean, deviation, lowest, highest, count;

  /// Whether all channels keep a value that is not zero in all.
  bool at_rest() const {
    return (deviation.array() == 0).all() && (count.array() > 1).all() && (mean.array() != 0).any();
  }
};

ChannelStatistics statistics_of(const Dataset& data) {
  const Index n = data.dimension();
  Vector sum = Vector::Zero(n), squares = Vector::Zero(n), count = Vector::Zero(n);
  Vector lowest = Vector::Constant(n, INFINITY), highest = -lowest;
  const auto visit = [&](auto action) {
    for (const auto& run : data.runs())
      for (Index k = 0; k < run.samples(); ++k)
        for (Index c = 0; c < n; ++c)
          if (const double value = run.states()(c, k); !Trajectory::missing(value))
            action(c, value);
  };
  visit([&](Index c, double value) {
    sum[c] += value;
    count[c] += 1;
    lowest[c] = std::min(lowest[c], value);
    highest[c] = std::max(highest[c], value);
  });
  const Vector mean = sum.cwiseQuotient(count.cwiseMax(1));
  visit([&](Index c, double value) { squares[c] += (value - mean[c]) * (value - mean[c]); });
  return {mean, squares.cwiseQuotient(count.cwiseMax(1)).cwiseSqrt(), lowest, highest, count};
}

/// Whether some channel's offset stands out of what the channel does.
bool stands_out(const Vector& offset, const Vector& deviation, double part) {
  return (offset.array().abs() > part * deviation.array()).any();
}

/// The data, each channel in units of its deviation from the mean, with a channel more that is one throughout.
Dataset with_constant(const Dataset& data, const ChannelStatistics& statistics,
                      const Vector& scale) {
  std::vector<std::string> channels = data.channels();
  std::string name = "1";
  while (std::find(channels.begin(), channels.end(), name) != channels.end()) name += "'";
  channels.push_back(name);
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs()) {
    Matrix states(data.dimension() + 1, run.samples());
    states << scale.cwiseInverse().asDiagonal() * (run.states().colwise() - statistics.mean),
        Matrix::Ones(1, run.samples());
    runs.emplace_back(run.label(), run.times(), std::move(states));
  }
  return Dataset(std::move(channels), std::move(runs));
}

/// A generator without structure.
Matrix free_generator(const Dataset& data) {
  return regression_generators(data, FullStructure(data.dimension())).front();
}

/// Regression on the data with a constant beside it, in units of each channel's deviation, and what it makes of the
/// offset.
struct Guess {
  Vector scale;
  Matrix generator;  ///< of the data and the constant
  Vector offset;
};

std::optional<Guess> regress_offset(const Dataset& data, const ChannelStatistics& statistics) {
  const Index n = data.dimension();
  Guess guess;
  guess.scale = statistics.deviation.unaryExpr([](double d) { return d > 0 ? d : 1.0; });
  try {
    guess.generator = free_generator(with_constant(data, statistics, guess.scale));
  } catch (const NotIdentified&) {
    return {};
  }
  const Eigen::JacobiSVD<Matrix> svd(guess.generator.topLeftCorner(n, n),
                                     Eigen::ComputeThinU | Eigen::ComputeThinV);
  // What moves by less than this over the longest run may as well rest where it is.
  const double slowest = 0.1 / longest_duration(data);
  Vector inverse = svd.singularValues();
  inverse = (inverse.array() > slowest).select(inverse.cwiseInverse(), 0.0);
  const Vector constant = svd.matrixU().transpose() * guess.generator.topRightCorner(n, 1);
  guess.offset =
      statistics.mean - guess.scale.asDiagonal() * (svd.matrixV() * inverse.cwiseProduct(constant));
  const Vector range = statistics.highest - statistics.lowest;
  const bool sensible = guess.offset.allFinite() &&
                        (guess.offset.array() <= (statistics.highest + range).array()).all() &&
                        (guess.offset.array() >= (statistics.lowest - range).array()).all();
  if (!sensible) return {};
  return guess;
}

/// Whether regression with an offset predicts short windows plainly better than regression without.
bool predicts_better(const Dataset& data, const ChannelStatistics& statistics, const Guess& guess) {
  constexpr double plainly = 0.9;
  const Index n = data.dimension();
  const Dataset beside = with_constant(data, statistics, guess.scale);
  const ShortPredictions windows(beside, telling_samples(beside));
  Matrix plain = Matrix::Zero(n + 1, n + 1);
  try {
    const Matrix a = guess.scale.cwiseInverse().asDiagonal() * free_generator(data);
    plain.topLeftCorner(n, n) = a * guess.scale.asDiagonal();
    plain.topRightCorner(n, 1) = a * statistics.mean;
  } catch (const NotIdentified&) {
    return true;
  }
  return windows.error(guess.generator) < plainly * windows.error(plain);
}

/// The fit to data less `centre`, the rest of the offset estimated if that is wished.
OffsetFit fit_about(const Dataset& data, const Vector& centre, bool estimated,
                    const FitOptions& options) {
  FitOptions how = estimated ? options.in_stage("offset") : options;
  how.offset = estimated ? Offset::estimate : Offset::none;
  // Long records are not kept twice.
  auto centred = (centre.array() == 0).all()
                     ? std::shared_ptr<const Dataset>(std::shared_ptr<void>(), &data)
                     : std::make_shared<const Dataset>(data.less(centre));
  StructureFit found = fit_structure(*centred, how);
  return {std::move(found), std::move(centred), centre};
}

/// Noise of each channel as the residuals of a fit show it, and by how much errors are wider than that says.
struct Left {
  FitResiduals residuals;
  Vector noise;
  double widening;
};

Left left_by(const OffsetFit& fit) {
  Left left{find_residuals(fit.found.selection.fit, *fit.data), {}, 1};
  left.noise = (left.residuals.squares.cwiseMax(1e-24 * left.residuals.power.maxCoeff()).array() /
                left.residuals.count.array().max(1))
                   .sqrt()
                   .max(1e-300);
  left.widening = correlation_factor(left.residuals.correlation(), left.residuals.neighbours());
  return left;
}

/// By how much −2 log likelihood must fall for an offset in every channel.
double price(const Left& left) {
  return static_cast<double>(left.noise.size()) *
             std::log(std::max(2.0, left.residuals.count.sum())) +
         strong_evidence;
}

/// Wald's test: whether the data would miss the offset that was estimated.
bool is_needed(const OffsetFit& fit, const FitOptions& options) {
  const Fit& found = fit.found.selection.fit;
  const Left left = left_by(fit);
  const Matrix covariance =
      shared_covariance(found, *fit.data, left.noise, options.estimate_initial_states);
  const Vector offset = fit.centre + found.offset;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(
      left.noise.cwiseInverse().asDiagonal() * covariance * left.noise.cwiseInverse().asDiagonal());
  const Vector turned = eigen.eigenvectors().transpose() * offset.cwiseQuotient(left.noise);
  double evidence = 0;
  const double least = 1e-14 * eigen.eigenvalues().maxCoeff();
  for (Index k = 0; k < turned.size(); ++k)
    if (eigen.eigenvalues()[k] > least) evidence += turned[k] * turned[k] / eigen.eigenvalues()[k];
  return evidence / (left.widening * left.widening) > price(left);
}

/// The score test: whether an offset alone would explain more of what a fit without one leaves.
bool is_missing(const OffsetFit& fit, const FitOptions& options) {
  const Fit& found = fit.found.selection.fit;
  const Left left = left_by(fit);
  if (left.residuals.nrmse() < explained || found.stopped) return false;
  ProblemOptions with = problem_options(found, options.estimate_initial_states);
  with.estimate_offset = true;
  with.condense = true;
  const Problem problem(*fit.data, *found.structure, left.noise, with);
  const double gained = left.residuals.squares.cwiseQuotient(left.noise.cwiseAbs2()).sum() -
                        problem.profile(found.theta)->cost;
  return gained / (left.widening * left.widening) > price(left);
}

double offset_criterion(const OffsetFit& fit) {
  const Fit& found = fit.found.selection.fit;
  return information_criterion(find_residuals(found, *fit.data),
                               found.structure->free_parameters() + found.offset.size());
}

void mark_stopped(OffsetFit& fit) {
  fit.found.selection.fit.stopped = true;
  fit.found.selection.fit.converged = false;
}

/// Without an offset, or with one where that leaves it.
OffsetFit best_without(const Dataset& data, const FitOptions& options) {
  OffsetFit best = fit_about(data, Vector::Zero(data.dimension()), false, options);
  const bool to_the_end = unless_stopped([&] {
    if (!is_missing(best, options)) return;
    OffsetFit with = fit_about(data, guess_offset(data), true, options);
    const bool stopped = with.found.selection.fit.stopped;
    if (offset_criterion(with) < offset_criterion(best) - strong_evidence) best = std::move(with);
    if (stopped) mark_stopped(best);
  });
  if (!to_the_end) mark_stopped(best);
  return best;
}

}  // namespace

Vector guess_offset(const Dataset& data) {
  const ChannelStatistics statistics = statistics_of(data);
  const auto guess = regress_offset(data, statistics);
  return guess ? guess->offset : statistics.mean;
}

Vector given_offset(const FitOptions& options, Index channels) {
  if (options.offset_values.size() != channels)
    throw Error(
        std::to_string(options.offset_values.size()) + " offsets for " + std::to_string(channels) +
            " channels",
        "give one for each with " + setting("offset") + ", or " + setting("offset", "estimate"));
  return options.offset_values;
}

OffsetFit fit_with_offset(const Dataset& data, const FitOptions& options) {
  const Vector nothing = Vector::Zero(data.dimension());
  const bool likely = options.method == Method::automatic || options.method == Method::likelihood;
  if (options.offset == Offset::none) return fit_about(data, nothing, false, options);
  if (options.offset == Offset::given)
    return fit_about(data, given_offset(options, data.dimension()), false, options);
  if (options.offset == Offset::estimate)
    return fit_about(data, guess_offset(data), likely, options);

  const ChannelStatistics statistics = statistics_of(data);
  if (statistics.at_rest())
    throw NotIdentified("nothing moves: every channel keeps its value",
                        "a system at rest shows nothing of its dynamics");
  constexpr double fewest = 8;  ///< values of a channel, to tell a rest from a motion
  if (!likely || statistics.count.minCoeff() < fewest)
    return fit_about(data, nothing, false, options);
  // With many channels a fit takes seconds, and is made twice for good reason only.
  constexpr Index many_channels = 50;
  const double least = data.dimension() > many_channels ? 0.5 : conspicuous;
  if (stands_out(statistics.mean, statistics.deviation, least)) {
    const auto guess = regress_offset(data, statistics);
    if (!guess || (stands_out(guess->offset, statistics.deviation, least) &&
                   predicts_better(data, statistics, *guess))) {
      OffsetFit with = fit_about(data, guess ? guess->offset : statistics.mean, true, options);
      bool needed = true;
      const bool judged = unless_stopped([&] { needed = is_needed(with, options); });
      if (!judged) mark_stopped(with);
      if (with.found.selection.fit.stopped || needed) return with;
      // What is tried next may be simpler; this is an answer meanwhile.
      OffsetFit without = with;
      if (!unless_stopped([&] { without = best_without(data, options); })) mark_stopped(without);
      return without;
    }
  }
  return best_without(data, options);
}

Matrix shared_covariance(const Fit& fit, const Dataset& data, const Vector& noise,
                         bool estimate_initial_states) {
  if (fit.shared_unknowns() == 0) return {};
  ProblemOptions how = problem_options(fit, estimate_initial_states);
  how.condense = true;
  const Problem problem(data, *fit.structure, noise, std::move(how));
  const auto profile = problem.profile(fit.theta);
  // Beyond that the parameters count as known, as they do for standard errors of very large models.
  constexpr Index most_parameters = 800;
  if (fit.theta.size() > most_parameters) return profile->shared_covariance;
  const Problem::Normal normal = problem.linearise(*profile);
  const Matrix moved = inverse_root(normal.information).transpose() * normal.shared_overlap *
                       profile->shared_covariance;
  return profile->shared_covariance + moved.transpose() * moved;
}

}  // namespace lgn
