#include "experiments/reproduction/neural_trainer.h"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "experiments/reproduction/child_process.h"
#include "lgn/core/error.h"
#include "lgn/core/output_file.h"

namespace lgn::studies {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Vector& values) { return std::vector<double>(values.begin(), values.end()); }

/// A list for each row.
Json to_json(const Matrix& rows) {
  Json list = Json::array();
  for (Index i = 0; i < rows.rows(); ++i) list.push_back(to_json(Vector(rows.row(i).transpose())));
  return list;
}

Json to_json(const NeuralIntegrator& integrator) {
  Json json = {{"method", integrator.method}};
  if (integrator.method != "rk4") json["tolerance"] = integrator.tolerance;
  return json;
}

std::string to_text(const NeuralTask& task) {
  Json json = {{"model", task.model}, {"hidden", task.hidden}, {"gain", task.gain},
               {"seed", task.seed},   {"time", task.time},     {"loss", task.loss}};
  if (task.frequencies.size() > 0) json["frequencies"] = to_json(task.frequencies);
  json["runs"] = Json::array();
  for (const NeuralRun& run : task.runs) {
    Json one = {{"times", to_json(run.times)}, {"states", to_json(run.states)}};
    if (run.rates.size() > 0) one["rates"] = to_json(run.rates);
    json["runs"].push_back(one);
  }
  json["integrator"] = to_json(task.integrator);
  json.update(Json{{"epochs", task.epochs},
                   {"learning_rate", 1e-3},
                   {"patience", 200},
                   {"factor", 0.5},
                   {"clip", 1.0},
                   {"rollouts", Json::array()}});
  for (const NeuralRollout& rollout : task.rollouts)
    json["rollouts"].push_back({{"x0", to_json(rollout.x0)},
                                {"times", to_json(rollout.times)},
                                {"integrator", to_json(rollout.integrator)}});
  return json.dump() + "\n";
}

Matrix read_states(const Json& rows) {
  Matrix states(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < states.rows(); ++i)
    for (Index k = 0; k < states.cols(); ++k) {
      const Json& value = rows.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(k));
      states(i, k) =
          value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
    }
  return states;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return file ? text.str() : std::string();
}

NeuralModel read_model(const std::string& path) {
  try {
    const Json json = Json::parse(read_text(path));
    const Json& loss = json.at("loss");
    NeuralModel model{json.at("parameters").get<Index>(),
                      loss.is_null() ? std::numeric_limits<double>::infinity() : loss.get<double>(),
                      json.at("diverged").get<bool>(),
                      json.at("seconds").get<double>(),
                      {}};
    for (const Json& rollout : json.at("rollouts"))
      model.rollouts.push_back(read_states(rollout.at("states")));
    return model;
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("not the result of a training ({})", error.what()),
                "delete it and start again", {path, 0, 0});
  }
}

/// Trains one model unless that was done before. `share` follows its epochs from 0 to 1.
NeuralModel train_one(const std::string& program, const std::string& folder, const NeuralTask& task,
                      std::atomic<double>& share, const std::atomic<bool>& wanted) {
  const std::string task_path = folder + "/" + task.name + ".task.json",
                    result = folder + "/" + task.name + ".json", text = to_text(task);
  if (read_text(task_path) != text || !std::ifstream(result)) {
    std::remove(result.c_str());
    write_file(task_path, text);
    std::string said;
    ChildProcess child({program, task_path, result});
    const int status = child.wait([&](const std::string& line) {
      int epoch = 0, epochs = 0;
      if (std::sscanf(line.c_str(), "epoch %d %d", &epoch, &epochs) == 2)
        share = static_cast<double>(epoch) / std::max(1, epochs);
      else if (!line.empty())
        said = line;
      return wanted.load();
    });
    if (status != 0 && wanted)
      throw Error(fmt::format("the training of {} failed with status {}{}{}", task.name, status,
                              said.empty() ? "" : ": ", said));
    if (status != 0) return {};
  }
  share = 1;
  return read_model(result);
}

}  // namespace

NeuralTrainer::NeuralTrainer(std::string program, std::string folder, int jobs)
    : program_(std::move(program)), folder_(std::move(folder)), jobs_(jobs) {}

std::vector<NeuralModel> NeuralTrainer::train(const std::vector<NeuralTask>& tasks,
                                              const FractionObserver& observe) const {
  std::vector<NeuralModel> models(tasks.size());
  std::vector<std::atomic<double>> shares(tasks.size());
  std::atomic<std::size_t> next = 0, finished = 0;
  std::atomic<bool> wanted = true;
  std::exception_ptr problem;
  std::mutex mutex;
  {
    std::vector<std::jthread> workers;
    for (int j = 0; j < std::max(1, jobs_); ++j)
      workers.emplace_back([&] {
        for (std::size_t k; wanted && (k = next++) < tasks.size(); ++finished) try {
            models[k] = train_one(program_, folder_, tasks[k], shares[k], wanted);
          } catch (...) {
            const std::lock_guard lock(mutex);
            if (!problem) problem = std::current_exception();
            wanted = false;
          }
      });
    while (wanted && finished < tasks.size()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      double done = 0;
      for (const auto& share : shares) done += share / static_cast<double>(tasks.size());
      if (!observe(done)) wanted = false;
    }
  }
  if (problem) std::rethrow_exception(problem);
  if (!wanted) throw Error("stopped", "the same command goes on where this one ended");
  return models;
}

}  // namespace lgn::studies
