#include "experiments/neural/integrators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "experiments/methods/dormand_prince_table.h"

namespace lgn::neural {

namespace {

using Table = studies::DormandPrince;

/// The classical method of Runge and Kutta.
struct RungeKutta4 {
  static constexpr std::array<double, 4> c = {0, 0.5, 0.5, 1};
  static constexpr std::array<double, 4> b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
};

using Rates = std::array<Tensor, Table::stages>;

std::span<const double> entries(const Tensor& tensor) {
  return {tensor.data_ptr<double>(), static_cast<std::size_t>(tensor.numel())};
}

bool finite(const Tensor& tensor) {
  return std::ranges::all_of(entries(tensor), [](double value) { return std::isfinite(value); });
}

Tensor row(std::span<const double> weights) {
  Tensor tensor = torch::empty({1, static_cast<std::int64_t>(weights.size())}, real());
  std::ranges::copy(weights, tensor.data_ptr<double>());
  return tensor;
}

/// x + h Σ_j w_ij k_j for each row i of `weights`, (rows × batch·n), in two operations.
Tensor combine(const Tensor& x, double h, const Tensor& weights, at::ArrayRef<Tensor> rates) {
  if (x.size(0) == 1) return torch::addmm(x, weights, torch::cat(rates, 0), 1, h);
  const Tensor stages = torch::stack(rates).view({weights.size(1), x.numel()});
  return torch::addmm(x.reshape({1, x.numel()}), weights, stages, 1, h);
}

/// One row of weights: the shape of x is kept.
Tensor combine_one(const Tensor& x, double h, const Tensor& weights, at::ArrayRef<Tensor> rates) {
  const Tensor sum = combine(x, h, weights, rates);
  return x.size(0) == 1 ? sum : sum.view(x.sizes());
}

/// Rows of the tableau as tensors, made once.
struct Rows {
  std::array<Tensor, Table::stages> a;
  Tensor b4 = row(RungeKutta4::b);

  Rows() {
    for (std::size_t i = 1; i < Table::stages; ++i) a[i] = row(std::span(Table::a[i]).first(i));
  }
};

const Rows& rows() {
  static const Rows made;
  return made;
}

/// Fills in the stages after the first and returns the end of the step.
Tensor advance(const Field& field, const Tensor& x, const Step& step, Rates& rates) {
  Tensor stage;
  for (std::size_t i = 1; i < Table::stages; ++i) {
    stage = combine_one(x, step.size, rows().a[i], at::ArrayRef<Tensor>(rates.data(), i));
    rates[i] = field.rate(stage, step.start + Table::c[i] * step.size);
  }
  return stage;
}

/// Collects the samples of a rollout in the order of time.
class Samples {
 public:
  Samples(const Tensor& x0, const std::vector<double>& times) : x0_(x0), times_(times) {
    parts_.push_back(x0.reshape({1, x0.numel()}));
  }
  bool complete() const { return count_ == times_.size(); }
  double next() const { return times_[count_]; }
  void add(const Tensor& x) {
    parts_.push_back(x.reshape({1, x.numel()}));
    ++count_;
  }
  /// Those up to the end of the step. The last step given may end a rounding error early.
  void add(const Tensor& x, const Step& step, const Rates& rates, bool last = false) {
    const double end = step.start + step.size;
    std::vector<double> weights;
    while (!complete() && (next() <= end || last)) {
      const Table::Row one = Table::interpolant((next() - step.start) / step.size);
      weights.insert(weights.end(), one.begin(), one.end());
      ++count_;
    }
    if (weights.empty()) return;
    const Tensor table = row(weights).view({-1, static_cast<std::int64_t>(Table::stages)});
    parts_.push_back(combine(x, step.size, table, rates));
  }
  Rollout rollout(std::vector<Step> steps = {}) {
    const bool diverged = !complete();
    const auto count = static_cast<std::int64_t>(times_.size());
    if (diverged) {
      const auto missing = static_cast<std::int64_t>(times_.size() - count_);
      parts_.push_back(
          torch::full({missing, x0_.numel()}, std::numeric_limits<double>::quiet_NaN(), real()));
    }
    const Tensor states = torch::cat(parts_, 0).view({count, x0_.size(0), x0_.size(1)});
    return {.states = states, .diverged = diverged, .steps = std::move(steps)};
  }

 private:
  const Tensor& x0_;
  const std::vector<double>& times_;
  std::vector<Tensor> parts_;
  std::size_t count_ = 1;
};

/// Root mean square of values over tolerance·(1 + magnitude).
template <class Value, class Magnitude>
double scaled_norm(std::size_t count, double tolerance, Value value, Magnitude magnitude) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double ratio = value(i) / (tolerance * (1 + magnitude(i)));
    sum += ratio * ratio;
  }
  return std::sqrt(sum / static_cast<double>(count));
}

/// Hairer, Nørsett & Wanner, Solving ODEs I, section II.4.
double first_step(const Field& field, const Tensor& x0, const Tensor& rate0, double start,
                  double tolerance) {
  torch::NoGradGuard constant;
  const auto x = entries(x0), f = entries(rate0);
  const auto magnitude = [&](std::size_t i) { return std::abs(x[i]); };
  const auto norm = [&](auto value) { return scaled_norm(x.size(), tolerance, value, magnitude); };
  const double d0 = norm([&](std::size_t i) { return x[i]; });
  const double d1 = norm([&](std::size_t i) { return f[i]; });
  const double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  const Tensor rate1 = field.rate(torch::add(x0, rate0, h0), start + h0);
  const auto g = entries(rate1);
  const double d2 = norm([&](std::size_t i) { return g[i] - f[i]; }) / h0;
  const double h1 = d1 <= 1e-15 && d2 <= 1e-15 ? std::max(1e-6, h0 * 1e-3)
                                               : std::pow(0.01 / std::max(d1, d2), 0.2);
  return std::min(100 * h0, h1);
}

double error_of(const Tensor& x, const Tensor& end, double h, const Rates& rates,
                double tolerance) {
  std::array<std::span<const double>, Table::stages> k;
  std::ranges::transform(rates, k.begin(), entries);
  const auto from = entries(x), to = entries(end);
  const auto error = [&](std::size_t i) {
    double sum = 0;
    for (std::size_t j = 0; j < Table::stages; ++j) sum += Table::e[j] * k[j][i];
    return h * sum;
  };
  const auto magnitude = [&](std::size_t i) {
    return std::max(std::abs(from[i]), std::abs(to[i]));
  };
  return scaled_norm(from.size(), tolerance, error, magnitude);
}

double step_factor(double error) {
  if (error == 0) return 10;
  return std::min(10.0, std::max(0.9 / std::pow(error, 0.2), error < 1 ? 1.0 : 0.2));
}

Rollout dormand_prince(const Field& field, const Tensor& x0, const std::vector<double>& times,
                       const Integrator& integrator) {
  Samples samples(x0, times);
  std::vector<Step> steps;
  Tensor x = x0;
  Rates rates;
  rates[0] = field.rate(x, times[0]);
  Step step{.start = times[0]};
  step.size = first_step(field, x, rates[0], step.start, integrator.tolerance);
  for (std::int64_t tried = 0; tried < integrator.most_steps && !samples.complete(); ++tried) {
    if (!(step.start + step.size > step.start)) break;
    const Tensor end = advance(field, x, step, rates);
    const double error = error_of(x, end, step.size, rates, integrator.tolerance);
    if (!std::isfinite(error) || !finite(end)) break;
    const double size = step.size * step_factor(error);
    if (error <= 1) {
      samples.add(x, step, rates);
      steps.push_back(step);
      step.start += step.size;
      x = end;
      rates[0] = rates.back();
    }
    step.size = size;
  }
  return samples.rollout(std::move(steps));
}

Rollout runge_kutta_4(const Field& field, const Tensor& x0, const std::vector<double>& times) {
  using Classical = RungeKutta4;
  Samples samples(x0, times);
  Tensor x = x0;
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    const double h = times[k + 1] - times[k];
    std::array<Tensor, 4> rates;
    rates[0] = field.rate(x, times[k]);
    for (std::size_t i = 1; i < rates.size(); ++i) {
      const Tensor stage = torch::add(x, rates[i - 1], Classical::c[i] * h);
      rates[i] = field.rate(stage, times[k] + Classical::c[i] * h);
    }
    x = combine_one(x, h, rows().b4, rates);
    if (!finite(x)) break;
    samples.add(x);
  }
  return samples.rollout();
}

}  // namespace

Rollout integrate(const Field& field, const Tensor& x0, const std::vector<double>& times,
                  const Integrator& integrator) {
  if (integrator.method == Integrator::Method::runge_kutta_4)
    return runge_kutta_4(field, x0, times);
  return dormand_prince(field, x0, times, integrator);
}

Rollout replay(const Field& field, const Tensor& x0, const std::vector<double>& times,
               const std::vector<Step>& steps) {
  Samples samples(x0, times);
  Tensor x = x0;
  Rates rates;
  rates[0] = field.rate(x, times[0]);
  for (const Step& step : steps) {
    const Tensor end = advance(field, x, step, rates);
    if (!finite(end)) break;
    samples.add(x, step, rates, &step == &steps.back());
    x = end;
    rates[0] = rates.back();
  }
  return samples.rollout(steps);
}

}  // namespace lgn::neural
