#include "lgn/identify/driven/experiment_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/realisation/hankel_factor.h"

namespace lgn {
namespace {

/// Values of an input, or of a channel, of all runs, less the mean over those that are present.
Vector centred_values(const Dataset& data, bool is_input, Index row, Index but_last) {
  Vector values(data.samples() - but_last * static_cast<Index>(data.runs().size()));
  Index place = 0;
  for (const auto& run : data.runs()) {
    const Index count = run.samples() - but_last;
    values.segment(place, count) =
        (is_input ? run.inputs() : run.states()).row(row).head(count).transpose();
    place += count;
  }
  const auto missing = values.array().isNaN();
  const double present = static_cast<double>((!missing).count());
  const double mean = missing.select(0.0, values.array()).sum() / std::max(1.0, present);
  return missing.select(0.0, values.array() - mean);
}

/// Whether two series are the same but for a factor and an offset, to the rounding of files.
bool same_course(const Vector& a, const Vector& b) {
  constexpr double rounding = 1e-8;
  const double size = a.norm() * b.norm();
  return size > 0 && std::abs(a.dot(b)) > (1 - rounding) * size;
}

/// The same of one run's input and channel, the first `late` samples after the second; negative: before it. Means are taken
/// off; samples of the channel must be present.
bool same_course_later(const Trajectory& run, Index input, Index channel, Index late) {
  const Index count = run.samples() - std::abs(late);
  if (count < 8) return false;
  const Index from = std::max<Index>(late, 0), of = std::max<Index>(-late, 0);
  const Vector u = run.inputs().row(input).segment(from, count).transpose();
  const Vector y = run.states().row(channel).segment(of, count).transpose();
  return y.allFinite() && same_course(u.array() - u.mean(), y.array() - y.mean());
}

/// By how many samples, at most three, an input repeats a channel; nothing where it does not, in every run.
std::optional<Index> repeats_channel(const Dataset& data, Index input, Index channel) {
  for (const Index late : {1, -1, 2, -2, 3, -3})
    if (std::all_of(data.runs().begin(), data.runs().end(), [&](const Trajectory& run) {
          return same_course_later(run, input, channel, late);
        }))
      return late;
  return {};
}

/// Channels that inputs act on directly.
Index fed(const Fit& fit) { return fit.drive.d.rows(); }

}  // namespace

void check_experiment(const Dataset& data) {
  const auto inputs = static_cast<Index>(data.inputs().size());
  const auto name = [&](Index j) -> const std::string& {
    return data.inputs()[static_cast<std::size_t>(j)];
  };
  for (Index j = 0; j < inputs; ++j) {
    const Vector values = centred_values(data, true, j, 0);
    const double size = 1e-12 * std::max(1e-300, data.runs().front().inputs().row(j).norm());
    if (values.norm() <= size)
      throw NotIdentified(
          fmt::format("the input \"{}\" is constant: what it does cannot be told from an offset",
                      name(j)),
          "vary it, or leave it out with " + setting("inputs"));
    if (centred_values(data, true, j, 1).norm() <= size)
      throw NotIdentified(
          fmt::format("the input \"{}\" changes at the last sample only, and no response is seen",
                      name(j)),
          "record for longer after the change");
    for (Index c = 0; c < data.dimension(); ++c)
      if (same_course(values, centred_values(data, false, c, 0)))
        throw NotIdentified(
            fmt::format("the input \"{}\" and the channel \"{}\" hold the same values", name(j),
                        data.channels()[static_cast<std::size_t>(c)]),
            "choose other columns with " + setting("inputs") + " and " + setting("channels"));
    for (Index c = 0; c < data.dimension(); ++c)
      if (const auto late = repeats_channel(data, j, c))
        throw NotIdentified(
            fmt::format(
                "the input \"{}\" repeats the channel \"{}\" {} {} {}: it is no cause of its own",
                name(j), data.channels()[static_cast<std::size_t>(c)], std::abs(*late),
                std::abs(*late) == 1 ? "sample" : "samples", *late > 0 ? "later" : "earlier"),
            "choose other columns with " + setting("inputs") + " and " + setting("channels") +
                ", or record what the controller was given from outside");
    for (Index k = 0; k < j; ++k)
      if (same_course(values, centred_values(data, true, k, 0)))
        throw NotIdentified(
            fmt::format("the inputs \"{}\" and \"{}\" hold the same values: what each of them does "
                        "cannot be told",
                        name(k), name(j)),
            "vary them apart, or leave one out with " + setting("inputs"));
  }
}

Index excitation_order(const Dataset& data, Index enough) {
  constexpr double unseen = 1e-6;  // of the largest singular value
  Index least = enough;
  for (Index j = 0; j < static_cast<Index>(data.inputs().size()); ++j) {
    std::vector<Matrix> runs;
    for (const auto& run : data.runs()) runs.emplace_back(run.inputs().row(j));
    const Matrix factor = hankel_factor(runs, lag_lattice(enough, enough + 1), true);
    if (factor.size() == 0 || !factor.allFinite()) continue;
    const Vector strength = singular_values(factor);
    least = std::min<Index>(least, (strength.array() > unseen * strength[0]).count());
  }
  return least;
}

std::vector<Complex> unseen_poles(const Fit& fit, const Dataset& data) {
  constexpr Index most_states = 60;
  const ConstantStructure* constant = fit.structure->autonomous();
  const Index n = fit.structure->dimension(), m = fit.drive.b.cols();
  // Where θ says B its errors are those of θ.
  if (constant == nullptr || fit.structure->ports() != nullptr || n > most_states || m == 0 ||
      fit.noise.size() != data.dimension())
    return {};
  const Problem problem(data, *fit.structure, fit.noise, problem_options(fit, true));
  const auto profile = problem.profile(fit.theta);
  if (!std::isfinite(profile->cost)) return {};
  // What the samples know of ȳ, B and D, initial states eliminated, in units of the responses.
  const Index unknowns = problem.unknown_shared(), before = unknowns - (n + fed(fit)) * m;
  Matrix information = Matrix::Zero(unknowns, unknowns);
  Vector sizes = Vector::Zero(unknowns);
  for (const auto& columns : profile->shared_columns) {
    information += columns->samples.transpose() * columns->samples;
    sizes += columns->sizes;
  }
  const Vector scale = (sizes.array() > 0).select(sizes.array().rsqrt(), 0.0);
  const SymmetricEigen eigen =
      symmetric_eigen(scale.asDiagonal() * information * scale.asDiagonal());
  // A direction without information has a variance without bound.
  constexpr double unseen = 1e-10;
  const Vector deviations =
      eigen.values.unaryExpr([](double v) { return v > unseen ? 1 / std::sqrt(v) : 1 / unseen; });
  const Matrix root = scale.asDiagonal() * eigen.vectors * deviations.asDiagonal();
  const Eigensystem modes = eigensystem(constant->generator(fit.theta));
  std::vector<Complex> result;
  for (Index k = 0; k < n; ++k) {
    if (modes.values[k].imag() < 0 || !modes.left.col(k).allFinite()) continue;
    bool seen = false;
    for (Index j = 0; j < m && !seen; ++j) {
      const Complex gain = modes.left.col(k).dot(fit.drive.b.col(j));
      const double error =
          (modes.left.col(k).adjoint() * root.middleRows(before + j * n, n)).norm();
      constexpr double plainly = 3;
      seen = std::abs(gain) > plainly * error;
    }
    if (!seen) result.push_back(modes.values[k]);
  }
  return result;
}

std::vector<std::string> experiment_remarks(const Dataset& data) {
  std::vector<std::string> result;
  if (data.active_input().empty()) return result;
  try {
    check_experiment(data);
  } catch (const NotIdentified& error) {
    result.emplace_back(error.what());
    return result;
  }
  constexpr Index enough = 10;
  const Index order = excitation_order(data, enough);
  if (order < enough)
    result.push_back(
        fmt::format("the inputs tell at most {} {} apart: too few frequencies for more", order,
                    order == 1 ? "state" : "states"));
  for (const Distortion& found : find_distortion(data)) result.push_back(distortion_text(found));
  return result;
}

std::string distortion_text(const Distortion& found) {
  std::vector<std::string> kinds;
  if (found.odd > 0) kinds.push_back(fmt::format("odd {:.2g}%", 100 * found.odd));
  if (found.even > 0) kinds.push_back(fmt::format("even {:.2g}%", 100 * found.even));
  return fmt::format(
      "{} moves at harmonics that the inputs do not have ({} of its response): the system is not linear",
      found.channel, fmt::join(kinds, ", "));
}

}  // namespace lgn
