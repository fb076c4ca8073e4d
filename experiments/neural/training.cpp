#include "experiments/neural/training.h"

#include <cmath>
#include <utility>

namespace lgn::neural {

namespace {

/// (times × runs × n) → (times·runs × n).
Tensor flat(const Tensor& states) { return states.reshape({-1, states.size(-1)}); }

}  // namespace

Loss trajectory_loss(const Field& field, std::vector<Batch> batches, Integrator integrator) {
  return [&field, batches = std::move(batches), integrator] {
    Tensor sum;
    std::int64_t count = 0;
    for (const Batch& batch : batches) {
      const Rollout rollout = integrate(field, batch.states[0], batch.times, integrator);
      const Tensor part = torch::mse_loss(rollout.states, batch.states, torch::Reduction::Sum);
      sum = sum.defined() ? sum + part : part;
      count += batch.states.numel();
    }
    return sum / static_cast<double>(count);
  };
}

Loss field_loss(const Field& field, const std::vector<Batch>& batches) {
  std::vector<Tensor> states, rates;
  std::vector<double> times;
  for (const Batch& batch : batches) {
    states.push_back(flat(batch.states));
    rates.push_back(flat(batch.rates));
    for (const double t : batch.times)
      times.insert(times.end(), static_cast<std::size_t>(batch.states.size(1)), t);
  }
  return [&field, x = torch::cat(states), rate = torch::cat(rates), times = std::move(times)] {
    return torch::mse_loss(field.rate(x, times), rate);
  };
}

Loss step_loss(const ResidualNetwork& network, const std::vector<Batch>& batches) {
  std::vector<Tensor> before, after;
  for (const Batch& batch : batches) {
    const std::int64_t pairs = batch.states.size(0) - 1;
    before.push_back(flat(batch.states.narrow(0, 0, pairs)));
    after.push_back(flat(batch.states.narrow(0, 1, pairs)));
  }
  return [&network, from = torch::cat(before), to = torch::cat(after)] {
    return torch::mse_loss(network.next(from), to);
  };
}

double PlateauSchedule::next(double loss) {
  constexpr double threshold = 1e-4;
  if (loss < best_ * (1 - threshold)) {
    best_ = loss;
    waited_ = 0;
  } else if (++waited_ > patience_) {
    rate_ *= factor_;
    waited_ = 0;
  }
  return rate_;
}

Trained train(const std::vector<Tensor>& parameters, const Loss& loss, const Training& training,
              const Progress& progress) {
  torch::optim::Adam adam(parameters, torch::optim::AdamOptions(training.learning_rate));
  auto& options = static_cast<torch::optim::AdamOptions&>(adam.param_groups()[0].options());
  PlateauSchedule schedule(training.learning_rate, training.factor, training.patience);
  Trained trained;
  while (trained.epochs < training.epochs) {
    adam.zero_grad();
    const Tensor value = loss();
    const double now = value.item<double>();
    trained.diverged = !std::isfinite(now);
    if (trained.diverged) break;
    value.backward();
    const double length = torch::nn::utils::clip_grad_norm_(parameters, training.clip);
    trained.diverged = !std::isfinite(length);
    if (trained.diverged) break;
    adam.step();
    options.lr(schedule.next(now));
    ++trained.epochs;
    if (progress) progress(trained.epochs, now);
  }
  torch::NoGradGuard constant;
  trained.loss = loss().item<double>();
  return trained;
}

}  // namespace lgn::neural
