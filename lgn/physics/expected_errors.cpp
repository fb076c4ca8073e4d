#include "lgn/physics/expected_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/inverse_root.h"
#include "lgn/core/setting.h"
#include "lgn/dynamics/modal.h"
#include "lgn/flow/excitation.h"
#include "lgn/flow/forced_response.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/likelihood/problem.h"
#include "lgn/physics/uncertainty.h"

namespace lgn {
namespace {

constexpr Index most_parameters = 800;

std::vector<Index> sensors_of(const PlannedSystem& system, const PlannedRecord& record) {
  if (!record.sensors.empty()) return record.sensors;
  std::vector<Index> all;
  for (Index c = 0; c < system.c.rows(); ++c) all.push_back(c);
  return all;
}

/// Initial states that differ, of those that the runs begin with.
Index distinct_runs(const PlannedSystem& system, const PlannedRecord& record) {
  if (system.drive.active()) return 1;
  return std::min(record.runs, std::max<Index>(1, system.starts.cols()));
}

void check_rate(const PlannedSystem& system, const PlannedRecord& record) {
  const double fastest = fastest_oscillation(system);
  if (record.rate > 2 * fastest) return;
  const auto seconds = seconds_in(system.time_unit);
  const double hertz = 1 / seconds.value_or(1.0);
  const std::string unit = seconds ? "Hz" : "1/" + system.time_unit;
  throw Error(
      fmt::format("a sampling rate of {:.4g} {} aliases the mode that oscillates at {:.4g} {}: its "
                  "Nyquist frequency is {:.4g} {}",
                  hertz * record.rate, unit, hertz * fastest, unit, hertz * record.rate / 2, unit),
      fmt::format("sample faster, such as {}",
                  setting("rate", fmt::format("{:.3g}", 5 * hertz * fastest))));
}

Vector planned_times(const PlannedRecord& record) {
  const double count = std::floor(record.duration * record.rate * (1 + 1e-12)) + 1;
  if (!(count >= 2))
    throw Error("the planned record has fewer than two samples",
                "plan a longer one: " + setting("duration"));
  if (!(count <= most_planned_values))
    throw Error(fmt::format("the planned record has {:.2g} samples, more than the {:.0e} that are "
                            "worked through",
                            count, most_planned_values),
                fmt::format("plan a shorter one, or a slower rate: {}, {}", setting("duration"),
                            setting("rate")));
  const auto samples = static_cast<Index>(count);
  return Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1) / record.rate);
}

/// The system in its modes, as these channels show them.
ModalSystem modes_in(const PlannedSystem& system, const std::vector<Index>& sensors,
                     const Vector& sizes) {
  const Eigensystem eigen = eigensystem(system.a);
  const Matrix c = system.c(sensors, Eigen::all);
  return modal_system(eigen.values, c.cast<Complex>() * eigen.right, sizes);
}

/// Those channels of the data alone.
Dataset picked(const Dataset& data, const std::vector<Index>& sensors) {
  std::vector<std::string> names;
  for (const Index c : sensors) names.push_back(data.channels()[static_cast<std::size_t>(c)]);
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.emplace_back(run.label(), run.times(), run.states()(sensors, Eigen::all), run.inputs());
  return Dataset(names, std::move(runs), data.inputs());
}

/// −½ log det of the covariance of the first `count` parameters.
double pole_information(const Matrix& root, const Matrix& information, Index count) {
  for (Index q = 0; q < count; ++q)
    if (!(information(q, q) > 0)) return -infinity;
  const Matrix triangle = qr_triangle(Matrix(root.topRows(count).transpose()));
  return -triangle.diagonal().cwiseAbs().array().log().sum();
}

}  // namespace

double fastest_oscillation(const PlannedSystem& system) {
  return eigenvalues(system.a).imag().cwiseAbs().maxCoeff() / (2 * pi);
}

Matrix planned_inputs(const PlannedSystem& system, const PlannedRecord& record,
                      const Vector& times) {
  const Index m = system.drive.b.cols(), count = times.size();
  Random random(record.seed);
  Matrix inputs = Matrix::Zero(m, count);
  for (Index j = 0; j < m; ++j) {
    const bool in_turn = record.input == "chirp" && m > 1 && count >= 4 * m;
    const Index first = in_turn ? j * count / m : 0;
    const Index length = in_turn ? (j + 1) * count / m - first : count;
    inputs.row(j).segment(first, length) =
        excitation(record.input, times.segment(first, length), random).transpose();
    const double rms = std::sqrt(inputs.row(j).squaredNorm() / static_cast<double>(count));
    if (rms > 0) inputs.row(j) *= record.amplitude / rms;
  }
  return inputs;
}

Dataset planned_signals(const PlannedSystem& system, const PlannedRecord& record) {
  const Vector times = planned_times(record);
  const Index n = system.a.rows();
  std::vector<Trajectory> runs;
  if (system.drive.active()) {
    const Matrix inputs = planned_inputs(system, record, times);
    const InputCourse course = input_course(times, inputs, system.drive.timing);
    Matrix y = system.c * forced_states(system.a, Vector::Zero(n), system.drive.b, course);
    if (system.drive.d.size() > 0) y += system.drive.d * course.at_samples;
    std::vector<std::string> names;
    for (Index j = 0; j < inputs.rows(); ++j) names.push_back(fmt::format("input {}", j + 1));
    runs.emplace_back("1", times, y, inputs);
    return Dataset(system.channels, std::move(runs), names);
  }
  for (Index r = 0; r < distinct_runs(system, record); ++r)
    runs.emplace_back(fmt::format("{}", r + 1), times,
                      system.c * propagate(system.a, system.starts.col(r), times));
  return Dataset(system.channels, std::move(runs));
}

Vector planned_rms(const PlannedSystem& system, const PlannedRecord& record) {
  const Dataset signals = planned_signals(system, record);
  Vector squares = Vector::Zero(system.c.rows());
  for (const auto& run : signals.runs()) squares += run.states().rowwise().squaredNorm();
  return (squares / static_cast<double>(signals.samples())).cwiseSqrt();
}

Expectation expect_errors(const PlannedSystem& system, const PlannedRecord& record) {
  check_rate(system, record);
  const std::vector<Index> sensors = sensors_of(system, record);
  const Vector noise = record.noise(sensors);
  const ModalSystem modal = modes_in(system, sensors, noise);
  const Index p = modal.theta.size(), n = system.a.rows();
  if (p > most_parameters)
    throw Error(fmt::format("a plan for {} states in {} channels has {} parameters, more than {}",
                            n, sensors.size(), p, most_parameters),
                "plan with fewer channels: " + setting("sensors"));
  const double samples = record.duration * record.rate + 1;
  if (samples * static_cast<double>(sensors.size()) > most_planned_values)
    throw Error(fmt::format("the planned record has {:.2g} values, more than the {:.0e} that are "
                            "worked through",
                            samples * static_cast<double>(sensors.size()), most_planned_values),
                "plan a shorter one: " + setting("duration"));
  const Dataset data = picked(planned_signals(system, record), sensors);
  ProblemOptions how;
  how.estimate_offset = system.offset;
  if (system.drive.active()) {
    how.inputs = system.drive.timing;
    how.feedthrough = system.drive.d.size() > 0;
  }
  Problem problem(data, *modal.structure, noise, how);
  // Runs that begin as another one did say the same once more.
  const auto distinct = static_cast<Index>(data.runs().size());
  std::vector<Matrix> repeats;
  for (Index r = 0; r < distinct; ++r)
    repeats.push_back(Matrix::Constant(
        noise.size(), data.runs()[static_cast<std::size_t>(r)].samples(),
        static_cast<double>(record.runs / distinct + (r < record.runs % distinct ? 1 : 0))));
  if (record.runs > distinct) problem.weigh(noise, repeats);

  Expectation result;
  const auto per_run = static_cast<Index>(data.runs().front().samples()) * noise.size();
  result.values = per_run * record.runs;
  result.unknowns = p + n * record.runs + problem.unknown_shared();
  if (result.values <= result.unknowns || per_run <= n)
    throw Error(fmt::format("the planned record has {} values for {} unknowns", result.values,
                            result.unknowns),
                fmt::format("plan more: {}, {} or {}", setting("duration"), setting("rate"),
                            setting("runs")));
  const auto profile = problem.profile(modal.theta);
  const Problem::Normal normal = problem.linearise(*profile);
  const Matrix root = inverse_root(normal.information);
  const Matrix a = modal.structure->generator(modal.theta);
  result.modes = find_modes(a, modal.structure->guarantee(), system.time_unit);
  set_errors(
      result.modes,
      pole_covariances(a, {normal.information, modal.structure->directions(modal.theta), root}),
      record.duration, 1);
  result.information = pole_information(root, normal.information, n);
  return result;
}

}  // namespace lgn
