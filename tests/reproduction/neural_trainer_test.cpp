#include "experiments/reproduction/neural_trainer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lgn/core/error.h"

namespace lgn::studies {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, with a program in place of lgn-neural that gets the task as $1 and the result as $2.
class NeuralTrainerTest : public ::testing::Test {
 protected:
  NeuralTrainerTest() {
    folder_ = fs::temp_directory_path() / ("lgn-trainer-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  ~NeuralTrainerTest() override { fs::remove_all(folder_); }

  NeuralTrainer trainer(const std::string& script, int jobs = 2) {
    const fs::path program = folder_ / "program";
    std::ofstream(program) << "#!/bin/sh\necho run >>" << (folder_ / "log").string() << "\n"
                           << script << "\n";
    fs::permissions(program, fs::perms::owner_all);
    return NeuralTrainer(program, folder_, jobs);
  }
  int runs() const {
    std::ifstream log(folder_ / "log");
    int count = 0;
    for (std::string line; std::getline(log, line);) ++count;
    return count;
  }
  static NeuralTask task(const std::string& name) {
    NeuralTask task;
    task.name = name;
    task.model = "hnn";
    task.runs = {{Vector{{0, 0.1}}, Matrix{{1, 0.9}, {0, -0.1}}}};
    task.rollouts = {{Vector{{1, 0}}, Vector{{0, 0.1}}}};
    return task;
  }

  fs::path folder_;
};

const std::string good =
    "echo epoch 5 10 0.1\n"
    "case $1 in *second*) p=2 ;; *) p=1 ;; esac\n"
    "echo '{\"parameters\": '$p', \"loss\": 0.5, \"diverged\": false, \"seconds\": 1, \"rollouts\": "
    "[{\"states\": [[1, 2], [3, null]]}]}' >\"$2\"";

bool go_on(double) { return true; }

TEST_F(NeuralTrainerTest, BringsModelsBackInTheOrderOfTheirTasks) {
  const auto models = trainer(good).train({task("first"), task("second")}, go_on);
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(models[0].parameters, 1);
  EXPECT_EQ(models[1].parameters, 2);
  ASSERT_EQ(models[0].rollouts.size(), 1u);
  EXPECT_EQ(models[0].rollouts[0](1, 0), 3);
  EXPECT_TRUE(std::isnan(models[0].rollouts[0](1, 1)));
}

TEST_F(NeuralTrainerTest, DoesNothingTwiceUnlessTheTaskChanges) {
  const NeuralTrainer one = trainer(good);
  one.train({task("first")}, go_on);
  one.train({task("first")}, go_on);
  EXPECT_EQ(runs(), 1);
  NeuralTask other = task("first");
  other.epochs = 7;
  one.train({other}, go_on);
  EXPECT_EQ(runs(), 2);
}

TEST_F(NeuralTrainerTest, SaysWhatAProgramThatFailsSaid) {
  try {
    trainer("echo lgn-neural: the field seed is missing >&2; exit 2").train({task("first")}, go_on);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(
        std::string(error.what()).find("first failed with status 2: lgn-neural: the field seed"),
        std::string::npos)
        << error.what();
  }
}

TEST_F(NeuralTrainerTest, TrainsAgainWhereItIsToldTo) {
  trainer(good).train({task("first")}, go_on);
  NeuralTrainer(folder_ / "program", folder_, 1, true).train({task("first")}, go_on);
  EXPECT_EQ(runs(), 2);
}

TEST_F(NeuralTrainerTest, KnowsAProgramThatWorks) {
  trainer("exit 2");  // as it does without a task
  EXPECT_TRUE(NeuralTrainer::works(folder_ / "program"));
  trainer("exit 127");  // as the loader does without a library
  EXPECT_FALSE(NeuralTrainer::works(folder_ / "program"));
  EXPECT_FALSE(NeuralTrainer::works(folder_ / "missing"));
}

TEST_F(NeuralTrainerTest, RefusesStatesThatWereNotAskedFor) {
  NeuralTask longer = task("first");
  longer.rollouts[0].times = Vector{{0, 0.1, 0.2}};
  EXPECT_THROW(trainer(good).train({longer}, go_on), Error);
  longer.rollouts.clear();
  EXPECT_THROW(trainer(good).train({longer}, go_on), Error);
  EXPECT_THROW(trainer("exit 0").train({task("second")}, go_on), Error);
}

TEST_F(NeuralTrainerTest, RefusesAResultThatIsNone) {
  EXPECT_THROW(trainer("echo '{\"loss\": 1' >\"$2\"").train({task("first")}, go_on), Error);
  EXPECT_THROW(NeuralTrainer(folder_ / "missing", folder_, 1).train({task("x")}, go_on), Error);
}

TEST_F(NeuralTrainerTest, EndsItsProgramsWhenToldTo) {
  // A training of an hour: only because it is ended does this test end.
  EXPECT_THROW(
      trainer("exec sleep 3600")
          .train({task("first"), task("second"), task("third")}, [](double) { return false; }),
      NotIdentified);
  EXPECT_LE(runs(), 2);
}

TEST_F(NeuralTrainerTest, ReportsTheShareThatIsDone) {
  double last = 0;
  trainer(good + "\nsleep 0.5", 1).train({task("first"), task("second")}, [&](double fraction) {
    EXPECT_GE(fraction, last);
    EXPECT_LE(fraction, 1);
    last = fraction;
    return true;
  });
  EXPECT_GT(last, 0.2);  // half of the first of two, at least
}

TEST(NeuralTrainer, WithoutAProgramHasNothingToOffer) {
  EXPECT_FALSE(NeuralTrainer("", "", 1).available());
}

}  // namespace
}  // namespace lgn::studies
