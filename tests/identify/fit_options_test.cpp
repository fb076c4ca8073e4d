#include "lgn/identify/fit_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "lgn/core/error.h"

namespace lgn {
namespace {

const Dataset data({"a"}, {Trajectory("1", Vector{{0, 1, 2}}, Matrix{{1, 2, 3}})});

/// A value that is not the default of each option.
const std::map<std::string, std::string> others{
    {"states", "3"},     {"record", "driven"},      {"hold", "foh"},      {"feedthrough", "yes"},
    {"delay", "0.25"},   {"structure", "sd"},       {"method", "adam"},   {"basis", "spline"},
    {"magnus", "4"},     {"loss", "huber"},         {"x0", "measured"},   {"start", "a=1,b=2.5"},
    {"holdout", "0.25"}, {"confidence", "0.9"},     {"errors", "never"},  {"bootstrap", "100"},
    {"epochs", "7"},     {"learning-rate", "0.5"},  {"seed", "3"},        {"threads", "2"},
    {"passive", "yes"},  {"noise-model", "output"}, {"max-seconds", "9"}, {"thorough", "yes"},
    {"time-unit", "ms"}, {"offset", "1.5"},         {"engine", "dense"}};

TEST(FitOptions, AreSetByTheirWords) {
  for (const auto& name : option_names()) ASSERT_TRUE(others.contains(name)) << name;
  FitOptions options;
  for (const auto& [name, value] : others) set_option(options, name, value);
  check_options(options);
  EXPECT_EQ(options.structure, "sd");
  EXPECT_EQ(options.states, States::given);
  EXPECT_EQ(options.state_count, 3);
  EXPECT_EQ(options.record, Record::driven);
  EXPECT_EQ(options.hold, InputHold::foh);
  EXPECT_EQ(options.feedthrough, Feedthrough::yes);
  EXPECT_EQ(options.delay_value, 0.25);
  EXPECT_TRUE(options.passive);
  EXPECT_EQ(options.method, Method::adam);
  EXPECT_EQ(options.engine, Engine::dense);
  EXPECT_EQ(options.basis, Basis::spline);
  EXPECT_EQ(options.magnus.method, "4");
  EXPECT_EQ(options.loss, Loss::huber);
  EXPECT_FALSE(options.estimate_initial_states);
  ASSERT_EQ(options.start.size(), 2u);
  EXPECT_EQ(options.start[1], (std::pair<std::string, double>("b", 2.5)));
  EXPECT_EQ(options.holdout, 0.25);
  EXPECT_EQ(options.confidence, 0.9);
  EXPECT_EQ(options.errors, Errors::never);
  EXPECT_EQ(options.bootstrap, 100);
  EXPECT_EQ(options.adam.epochs, 7);
  EXPECT_EQ(options.adam.learning_rate, 0.5);
  EXPECT_EQ(options.seed, 3u);
  EXPECT_EQ(options.threads, 2);
  EXPECT_EQ(options.max_seconds, 9);
  EXPECT_EQ(options.time_unit, "ms");
}

TEST(FitOptions, WhatChangesTheSearchIsSigned) {
  const std::string usual = signature({}, data);
  const std::vector<std::string> unsigned_names{"confidence", "errors", "bootstrap", "max-seconds",
                                                "time-unit"};
  for (const auto& [name, value] : others) {
    FitOptions options;
    set_option(options, name, value);
    const bool free =
        std::find(unsigned_names.begin(), unsigned_names.end(), name) != unsigned_names.end();
    EXPECT_EQ(signature(options, data) == usual, free) << name;
  }
  FitOptions ruled;
  ruled.network.rules.required.push_back({0, 1});
  EXPECT_NE(signature(ruled, data), usual);
}

TEST(FitOptions, TheDataAreSigned) {
  const std::string usual = signature({}, data);
  EXPECT_EQ(signature({}, Dataset(data)), usual);
  const Trajectory& run = data.runs()[0];
  EXPECT_NE(signature({}, Dataset({"b"}, {run})), usual);
  EXPECT_NE(signature({}, Dataset({"a"}, {Trajectory("1", run.times(), 2 * run.states())})), usual);
  EXPECT_NE(signature({}, Dataset({"a"}, {Trajectory("1", 2 * run.times(), run.states())})), usual);
}

TEST(FitOptions, RefusesWhatMakesNoSense) {
  FitOptions options;
  EXPECT_THROW(set_option(options, "colour", "red"), Error);
  for (const auto& [name, value] : std::map<std::string, std::string>{{"method", "guess"},
                                                                      {"loss", ""},
                                                                      {"epochs", "1.5"},
                                                                      {"seed", "-1"},
                                                                      {"holdout", "nan"},
                                                                      {"confidence", "1e999"},
                                                                      {"learning-rate", "1x"},
                                                                      {"start", "=1"},
                                                                      {"start", "a="}})
    EXPECT_THROW(set_option(options, name, value), Error) << name;
  EXPECT_NO_THROW(check_options(options));
  for (const auto& [name, value] : std::map<std::string, std::string>{{"confidence", "1"},
                                                                      {"epochs", "0"},
                                                                      {"threads", "0"},
                                                                      {"bootstrap", "5"},
                                                                      {"max-seconds", "-1"}}) {
    FitOptions wrong;
    set_option(wrong, name, value);
    EXPECT_THROW(check_options(wrong), Error) << name;
  }
}

}  // namespace
}  // namespace lgn
