#include "experiments/reproduction/neural_trainer.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Throws Error for a result that does not belong to the task.
void check_rollouts(const NeuralModel& model, const NeuralTask& task, const std::string& path) {
  const auto fits = [](const Matrix& states, const NeuralRollout& asked) {
    return states.rows() == asked.x0.size() && states.cols() == asked.times.size();
  };
  if (!std::equal(model.rollouts.begin(), model.rollouts.end(), task.rollouts.begin(),
                  task.rollouts.end(), fits))
    throw Error("the states of the result are not those that were asked for",
                "delete it and start again", {path, 0, 0});
}

NeuralModel read_model(const std::string& path) {
  try {
    const Json json = Json::parse(read_text(path));
    const Json& loss = json.at("loss");
    NeuralModel model{json.at("parameters").get<Index>(),
                      loss.is_null() ? std::numeric_limits<double>::infinity() : loss.get<double>(),
                      json.at("diverged").get<bool>(),
                      json.at("seconds").get<double>(),
                      false,
                      {}};
    for (const Json& rollout : json.at("rollouts"))
      model.rollouts.push_back(read_states(rollout.at("states")));
    return model;
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("not the result of a training ({})", error.what()),
                "delete it and start again", {path, 0, 0});
  }
}

/// One training: its task, its place, how far it is, and whether it is still wanted.
struct Work {
  const NeuralTask& task;
  std::string program, path;  ///< path: of its files, without ending
  std::atomic<double>& share;
  const std::atomic<bool>& wanted;
};

void run_program(const Work& work, const std::string& text) {
  const std::string task_path = work.path + ".task.json", result = work.path + ".json";
  std::remove(result.c_str());
  write_file(task_path, text);
  std::string said;
  ChildProcess child({work.program, task_path, result});
  const int status = child.wait([&](const std::string& line) {
    int epoch = 0, epochs = 0;
    if (std::sscanf(line.c_str(), "epoch %d %d", &epoch, &epochs) == 2)
      work.share = static_cast<double>(epoch) / std::max(1, epochs);
    else if (!line.empty())
      said = line;
    return work.wanted.load();
  });
  if (!work.wanted) return;
  if (status != 0)
    throw Error(fmt::format("the training of {} failed with status {}{}{}", work.task.name, status,
                            said.empty() ? "" : ": ", said));
  if (!std::ifstream(result))
    throw Error(fmt::format("the training of {} left no result", work.task.name));
}

/// The model of a training, which is done unless it was done before.
NeuralModel train_one(const Work& work, bool again) {
  const std::string result = work.path + ".json", text = to_text(work.task);
  const bool kept =
      !again && read_text(work.path + ".task.json") == text && std::ifstream(result).good();
  if (!kept) run_program(work, text);
  if (!work.wanted) return {};
  NeuralModel model = read_model(result);
  check_rollouts(model, work.task, result);
  model.kept = kept;
  work.share = 1;
  return model;
}

}  // namespace

NeuralTrainer::NeuralTrainer(std::string program, std::string folder, int jobs, bool again)
    : program_(std::move(program)), folder_(std::move(folder)), jobs_(jobs), again_(again) {}

bool NeuralTrainer::works(const std::string& program) {
  constexpr int usage = 2;  // what it ends with when it is given no task
  try {
    return ChildProcess({program}).wait([](const std::string&) { return true; }) == usage;
  } catch (const Error&) {
    return false;
  }
}

std::vector<NeuralModel> NeuralTrainer::train(const std::vector<NeuralTask>& tasks,
                                              const FractionObserver& observe) const {
  std::vector<NeuralModel> models(tasks.size());
  std::vector<std::atomic<double>> shares(tasks.size());
  std::atomic<std::size_t> next = 0, finished = 0;
  std::atomic<bool> wanted = true;
  std::exception_ptr problem;
  std::mutex mutex;
  const auto done = [&] {
    double sum = 0;
    for (const auto& share : shares) sum += share;
    return sum / static_cast<double>(std::max<std::size_t>(1, tasks.size()));
  };
  {
    std::vector<std::jthread> workers;
    for (int j = 0; j < std::max(1, jobs_); ++j)
      workers.emplace_back([&] {
        for (std::size_t k; wanted && (k = next++) < tasks.size(); ++finished) try {
            models[k] = train_one(
                {tasks[k], program_, folder_ + "/" + tasks[k].name, shares[k], wanted}, again_);
          } catch (...) {
            const std::lock_guard lock(mutex);
            if (!problem) problem = std::current_exception();
            wanted = false;
          }
      });
    while (wanted && finished < tasks.size()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (!observe(done())) wanted = false;
    }
  }
  // Who ends this program from a terminal ends its children too: that is no failure of theirs.
  if (!wanted && !observe(done()))
    throw NotIdentified("stopped", "the same command goes on where this one ended");
  if (problem) std::rethrow_exception(problem);
  return models;
}

}  // namespace lgn::studies
