#include "experiments/neural/task.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "experiments/neural/json_entry.h"
#include "experiments/neural/perform.h"

namespace lgn::neural {
namespace {

using Json = nlohmann::json;

Json good_task() {
  return Json::parse(R"({
    "model": "neural-ode", "hidden": [8], "gain": 0.3, "seed": 1, "loss": "field", "epochs": 3,
    "runs": [
      {"times": [0, 1, 2], "states": [[1, 2, 3], [4, 5, 6]], "rates": [[1, 1, 1], [0, 0, 0]]},
      {"times": [0, 1], "states": [[0, 0], [1, 1]], "rates": [[0, 0], [0, 0]]},
      {"times": [0, 1, 2], "states": [[7, 8, 9], [0, 0, 0]], "rates": [[1, 1, 1], [0, 0, 0]]}],
    "rollouts": [{"x0": [1, 0], "times": [0, 0.1, 0.2], "integrator": {"method": "rk4"}}]})");
}

TEST(NeuralTask, BatchesRunsOfTheSameTimes) {
  const Task task = task_from(good_task());
  ASSERT_EQ(task.batches.size(), 2U);
  EXPECT_EQ(task.batches[0].states.sizes(), at::IntArrayRef({3, 2, 2}));
  EXPECT_EQ(task.batches[0].states[1][1][0].item<double>(), 8);
  EXPECT_EQ(task.batches[0].states[2][0][1].item<double>(), 6);
  EXPECT_EQ(task.batches[1].rates.sizes(), at::IntArrayRef({2, 1, 2}));
}

TEST(NeuralTask, IsPerformedByEveryModel) {
  for (const auto& [model, loss] : {std::pair{"neural-ode", "field"},
                                    {"neural-ode", "trajectory"},
                                    {"hnn", "trajectory"},
                                    {"residual", "step"}}) {
    Json json = good_task();
    json["model"] = model;
    json["loss"] = loss;
    std::int64_t told = 0;
    const Json result =
        json_of(perform(task_from(json), [&](std::int64_t done, double) { told = done; }));
    EXPECT_EQ(told, 3);
    EXPECT_EQ(result["epochs"], 3);
    EXPECT_EQ(result["diverged"], false);
    EXPECT_TRUE(result["loss"].is_number());
    ASSERT_EQ(result["rollouts"][0]["states"].size(), 2U) << model;
    EXPECT_EQ(result["rollouts"][0]["states"][0].size(), 3U);
    EXPECT_EQ(result["rollouts"][0]["states"][0][0], 1.0);
  }
}

TEST(NeuralTask, WritesWhatIsNotANumberAsNull) {
  Result result;
  result.rollouts.push_back(
      {.states = torch::full({2, 1, 1}, std::nan(""), real()), .diverged = true, .steps = {}});
  EXPECT_EQ(json_of(result)["rollouts"].dump(), R"([{"diverged":true,"states":[[null,null]]}])");
}

/// Where a task goes wrong, what stands there (nothing: the field is missing), and what is said.
struct Fault {
  const char *where, *what, *said;
};

TEST(NeuralTask, IsRejectedByTheNameOfTheField) {
  const std::vector<Fault> faults = {
      {"/model", "", "the task has no field \"model\""},
      {"/model", "\"transformer\"", "model is \"transformer\", not one of \"hnn\""},
      {"/model", "\"residual\"", "loss must be \"step\""},
      {"/loss", "\"step\"", "loss must be \"step\""},
      {"/loss", "7", "loss is 7"},
      {"/hidden", "[]", "hidden is an empty list"},
      {"/hidden", "[0]", "hidden[0] is 0, not between"},
      {"/hidden", "[1.5]", "hidden[0] is 1.5, not an integer"},
      {"/gain", "-1", "gain is -1, out of range"},
      {"/gain", "null", "gain is null, not a number"},
      {"/seed", "18446744073709551615", "seed is 18446744073709551615"},
      {"/epochs", "\"many\"", "epochs is \"many\", not an integer"},
      {"/epochs", "", "the task has no field \"epochs\""},
      {"/learning_rate", "0", "learning_rate is 0"},
      {"/learning-rate", "0.1", "unknown field \"learning-rate\""},
      {"/time", "\"fourier\"", "the task has no field \"frequencies\""},
      {"/runs", "{}", "runs is an object, not a list"},
      {"/runs/0/times", "[0, 1]", "runs[0].states[0] has 3 entries where 2 belong"},
      {"/runs/0/times", "[0, 2, 1]", "runs[0].times does not ascend at 2"},
      {"/runs/0/times", "[0]", "runs[0].times has 1 entries"},
      {"/runs/0/rates", "", "runs[0] has no field \"rates\""},
      {"/runs/0/rates", "[[0, 0, 0]]", "runs[0].rates has 1 channels"},
      {"/runs/1/states", "[[0, 0]]", "runs[1].rates has 2 channels"},
      {"/runs/0/states/1", "[0, null, 0]", "runs[0].states[1] holds null at 1"},
      {"/rollouts/0/x0", "[1]", "rollouts[0].x0 has 1 entries"},
      {"/rollouts/0/integrator/method", "\"euler\"", "rollouts[0].integrator.method is \"euler\""},
      {"/integrator", "{\"method\": \"rk4\", \"tolerance\": 0}", "integrator.tolerance is 0"},
      {"", "[]", "the task is a list, not an object"}};
  for (const Fault& fault : faults) {
    Json json = good_task();
    const Json::json_pointer where(fault.where);
    if (*fault.what == '\0') {
      json[where.parent_pointer()].erase(where.back());
    } else {
      json[where] = Json::parse(fault.what);
    }
    try {
      task_from(json);
      ADD_FAILURE() << fault.where << " " << fault.what << " was accepted";
    } catch (const BadTask& error) {
      EXPECT_NE(std::string(error.what()).find(fault.said), std::string::npos) << error.what();
    }
  }
}

class NeuralProgram : public ::testing::Test {
 protected:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("lgn-neural-" + std::to_string(getpid()));

  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int run(const std::string& task, const std::string& result = "result.json") {
    std::ofstream(folder_ / "task.json") << task;
    const std::string line = "cd '" + folder_.string() +
                             "' && '" LGN_NEURAL_PROGRAM "' task.json " + result +
                             " > out.txt 2> error.txt";
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string text(const char* name) {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(NeuralProgram, WritesAWholeResult) {
  ASSERT_EQ(run(good_task().dump()), 0) << text("error.txt");
  EXPECT_EQ(Json::parse(text("result.json"))["parameters"], 42);
  EXPECT_NE(text("out.txt").find("epoch 3 3 "), std::string::npos);
  // The task, both streams and the result: no draft is left.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 4);
}

TEST_F(NeuralProgram, NeedsAPlaceForItsResultBeforeItTrains) {
  EXPECT_EQ(run(good_task().dump(), "missing/result.json"), 2);
  EXPECT_EQ(text("out.txt"), "");
  EXPECT_EQ(text("error.txt"), "lgn-neural: cannot write missing/result.json: no folder\n");
}

TEST_F(NeuralProgram, RejectsABadTaskInOneLine) {
  for (const std::string& task :
       {std::string("{"), std::string(), std::string("[1e999]"), std::string(100000, '['),
        std::string("{\"model\": \"\xff\"}"), std::string("{\"model\": \"hnn\"}")}) {
    EXPECT_EQ(run(task), 2);
    const std::string error = text("error.txt");
    EXPECT_EQ(error.rfind("lgn-neural: ", 0), 0U) << error;
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "result.json"));
  }
}

}  // namespace
}  // namespace lgn::neural
