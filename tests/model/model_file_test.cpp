#include "lgn/model/model_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "lgn/core/error.h"
#include "tests/report/bits.h"
#include "tests/report/sample_model.h"
#include "tests/report/sample_network.h"

namespace lgn {
namespace {

using testing::same;
using testing::sample_model;

void expect_same(const Network& a, const Network& b) {
  EXPECT_EQ(a.relative, b.relative);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t k = 0; k < a.nodes.size(); ++k) {
    EXPECT_EQ(a.nodes[k].name, b.nodes[k].name);
    EXPECT_EQ(a.nodes[k].kind, b.nodes[k].kind);
    EXPECT_EQ(a.nodes[k].state, b.nodes[k].state);
    EXPECT_EQ(a.nodes[k].velocity, b.nodes[k].velocity);
  }
  ASSERT_EQ(a.elements.size(), b.elements.size());
  for (std::size_t k = 0; k < a.elements.size(); ++k) {
    EXPECT_EQ(a.elements[k].type, b.elements[k].type);
    EXPECT_EQ(a.elements[k].from, b.elements[k].from);
    EXPECT_EQ(a.elements[k].to, b.elements[k].to);
    EXPECT_TRUE(same(a.elements[k].value, b.elements[k].value));
    EXPECT_TRUE(same(a.elements[k].se, b.elements[k].se));
    EXPECT_TRUE(same(a.elements[k].evidence, b.elements[k].evidence));
  }
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.version, b.version);
  EXPECT_EQ(a.structure, b.structure);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.channels, b.channels);
  EXPECT_EQ(a.time_unit, b.time_unit);
  EXPECT_TRUE(same(a.a, b.a));
  EXPECT_TRUE(same(a.starts, b.starts));
  ASSERT_EQ(a.parameters.size(), b.parameters.size());
  for (std::size_t k = 0; k < a.parameters.size(); ++k) {
    EXPECT_EQ(a.parameters[k].name, b.parameters[k].name);
    EXPECT_EQ(a.parameters[k].shape, b.parameters[k].shape);
    EXPECT_TRUE(same(a.parameters[k].value, b.parameters[k].value));
  }
  ASSERT_EQ(a.energy.has_value(), b.energy.has_value());
  EXPECT_TRUE(!a.energy || same(*a.energy, *b.energy));
  ASSERT_EQ(a.modes.size(), b.modes.size());
  for (std::size_t k = 0; k < a.modes.size(); ++k) {
    EXPECT_EQ(a.modes[k].pole, b.modes[k].pole);
    EXPECT_EQ(a.modes[k].identifiable, b.modes[k].identifiable);
    EXPECT_EQ(a.modes[k].reason, b.modes[k].reason);
    ASSERT_EQ(a.modes[k].se.has_value(), b.modes[k].se.has_value());
    if (!a.modes[k].se) continue;
    EXPECT_TRUE(same(a.modes[k].se->re, b.modes[k].se->re));
    EXPECT_TRUE(same(a.modes[k].se->damping_ratio, b.modes[k].se->damping_ratio));
    EXPECT_TRUE(same(a.modes[k].se->time_constant, b.modes[k].se->time_constant));
  }
  ASSERT_EQ(a.candidates.size(), b.candidates.size());
  for (std::size_t k = 0; k < a.candidates.size(); ++k) {
    EXPECT_EQ(a.candidates[k].structure, b.candidates[k].structure);
    EXPECT_TRUE(same(a.candidates[k].criterion, b.candidates[k].criterion));
    EXPECT_EQ(a.candidates[k].verdict, b.candidates[k].verdict);
  }
  EXPECT_TRUE(same(a.fit.channel_noise, b.fit.channel_noise));
  EXPECT_TRUE(same(a.fit.interval, b.fit.interval));
  EXPECT_EQ(a.fit.bootstrap, b.fit.bootstrap);
  EXPECT_EQ(a.guarantee.stable, b.guarantee.stable);
  EXPECT_EQ(a.guarantee.dissipative, b.guarantee.dissipative);
  EXPECT_EQ(a.guarantee.conservative, b.guarantee.conservative);
  ASSERT_EQ(a.warnings.size(), b.warnings.size());
  for (std::size_t k = 0; k < a.warnings.size(); ++k) {
    EXPECT_EQ(a.warnings[k].code, b.warnings[k].code);
    EXPECT_EQ(a.warnings[k].message, b.warnings[k].message);
  }
  EXPECT_TRUE(same(a.fit.nrmse_train, b.fit.nrmse_train));
  EXPECT_EQ(a.fit.nrmse_holdout, b.fit.nrmse_holdout);
  EXPECT_TRUE(same(a.fit.noise_sigma, b.fit.noise_sigma));
  EXPECT_EQ(a.fit.iterations, b.fit.iterations);
  EXPECT_EQ(a.fit.numbers_in_a, b.fit.numbers_in_a);
  EXPECT_EQ(a.fit.converged, b.fit.converged);
  EXPECT_TRUE(same(a.fit.seconds, b.fit.seconds));
  EXPECT_EQ(a.data.files, b.data.files);
  EXPECT_EQ(a.data.runs, b.data.runs);
  EXPECT_EQ(a.data.samples, b.data.samples);
  EXPECT_EQ(a.data.sha256, b.data.sha256);
  EXPECT_TRUE(same(a.data.step, b.data.step));
  ASSERT_EQ(a.network.has_value(), b.network.has_value());
  if (a.network) expect_same(*a.network, *b.network);
}

void expect_round_trip(const Model& model) {
  const std::string text = model_to_json(model);
  const Model again = model_from_json(text, "model.json");
  expect_same(model, again);
  EXPECT_EQ(model_to_json(again), text);
}

class ModelFileOf : public ::testing::TestWithParam<std::string> {};

TEST_P(ModelFileOf, RoundTripsBitForBit) {
  for (const Index dimension : {2, 4, 10}) {
    if (dimension != 2 && (GetParam() == "parametric:rlc" || GetParam() == "parametric:oscillator"))
      continue;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      expect_round_trip(sample_model(GetParam(), dimension, seed));
  }
}

INSTANTIATE_TEST_SUITE_P(EveryStructure, ModelFileOf,
                         ::testing::Values("sd", "skew", "psd", "full", "parametric:oscillator",
                                           "parametric:rlc", "parametric:ladder"));

TEST(ModelFile, KeepsOneStateAndAnyName) {
  expect_round_trip(sample_model("sd", 1, 1));
  Model model = sample_model("full", 3, 2);
  model.channels = {"温度 µ", "say \"hi\" \\ 'there'", "tab\there <b>&amp;</b>"};
  model.data.files = {"a b/ü.csv", "-"};
  model.warnings[0].message = "line\nbreak \u001b";
  expect_round_trip(model);
}

TEST(ModelFile, KeepsExtremeNumbers) {
  Model model = sample_model("full", 2, 3);
  using Limits = std::numeric_limits<double>;
  model.starts << Limits::denorm_min(), -0.0, 0.1 + 0.2, 1e23, Limits::max(), Limits::min();
  expect_round_trip(model);
}

TEST(ModelFile, KeepsNetworks) {
  Model model = sample_model("sd", 12, 8);
  for (const Network& network : {testing::ladder(6, true), testing::mass_chain(6),
                                 testing::heat_grid(4, 3), testing::random_graph(12, 6, 1)}) {
    model.network = network;
    expect_round_trip(model);
  }
  model.network->relative = true;
  model.network->elements[0].se = 0;
  model.network->elements[1].se = Network::unknown;
  model.network->elements[2].value = 0.1 + 0.2;
  model.network->nodes[0].name = "温度 \"µ\" \\";
  expect_round_trip(model);
  const auto json = nlohmann::json::parse(model_to_json(model));
  EXPECT_TRUE(json["network"]["elements"][1]["se"].is_null());
  EXPECT_TRUE(json["network"]["elements"][0]["to"].is_null());
  EXPECT_EQ(json["network"]["elements"][0]["name"], "m1");
  // Of a force the value is the compliance, the name says so.
  model.network = testing::nodes_of(1, ChannelKind::force, "f");
  const auto force = nlohmann::json::parse(model_to_json(model))["network"]["elements"][0];
  EXPECT_EQ(force["name"], "1/k1");
  EXPECT_EQ(force["quantity"], "1/stiffness");
  EXPECT_EQ(force["value"], model.network->elements[0].value);
}

TEST(ModelFile, KeepsHiddenStates) {
  Model model = testing::sample_hidden_model(5, 3, 1);
  model.modes[1].shape_errors = ComplexVector{{Complex(0.1, 0), Complex(0.2, 0.3), Complex(0, 0)}};
  expect_round_trip(model);
  const Model again = model_from_json(model_to_json(model), "model.json");
  EXPECT_TRUE(same(again.c, model.c));
  EXPECT_EQ(again.modes[0].spurious, model.modes[0].spurious);
  ASSERT_TRUE(again.stabilisation);
  EXPECT_TRUE(same(again.stabilisation->singular_values, model.stabilisation->singular_values));
  ASSERT_EQ(again.stabilisation->orders.size(), 3u);
  EXPECT_EQ(again.stabilisation->orders[2].states, 6);
  EXPECT_EQ(again.stabilisation->orders[2].poles, model.stabilisation->orders[2].poles);
  EXPECT_EQ(again.stabilisation->orders[2].shapes, model.stabilisation->orders[2].shapes);
  model.stabilisation.reset();
  EXPECT_NE(model_to_json(model).find("\"stabilisation\": null"), std::string::npos);
  expect_round_trip(model);
}

TEST(ModelFile, WritesWhatDoesNotExistAsNull) {
  Model model = sample_model("skew", 2, 4);
  model.energy.reset();
  model.fit.nrmse_holdout.reset();
  model.fit.noise_sigma = std::nan("");
  model.data.sha256.clear();
  expect_round_trip(model);
  const auto json = nlohmann::json::parse(model_to_json(model));
  EXPECT_TRUE(json["energy"].is_null());
  EXPECT_TRUE(json["network"].is_null());
  EXPECT_TRUE(json["fit"]["nrmse_holdout"].is_null());
  EXPECT_TRUE(json["fit"]["noise_sigma"].is_null());
  EXPECT_TRUE(json["data"]["sha256"].is_null());
  EXPECT_TRUE(json["modes"][0]["time_constant"].is_null());  // it rings for ever
}

TEST(ModelFile, SaysWhatTheContractLists) {
  const Model model = sample_model("sd", 2, 5);
  const auto json = nlohmann::json::parse(model_to_json(model));
  EXPECT_EQ(json["schema"], "lgn-model/1");
  EXPECT_EQ(json["dimension"], 2);
  EXPECT_EQ(json["A"][0][1], model.a(0, 1));
  EXPECT_EQ(json["x0"].size(), 3u);
  EXPECT_EQ(json["x0"][2][1], model.starts(1, 2));
  EXPECT_EQ(json["parameters"]["d"].size(), 2u);
  EXPECT_EQ(json["modes"][1]["re"], model.modes[1].pole.real());
  EXPECT_EQ(json["modes"][1]["frequency_hz"], model.modes[1].frequency_hz);
  EXPECT_TRUE(json["modes"][1]["se"].contains("damping_ratio"));
}

TEST(ModelFile, ReplacesBytesThatAreNoText) {
  Model model = sample_model("sd", 1, 6);
  model.data.files = {"bad \xFF name.csv"};
  EXPECT_EQ(model_from_json(model_to_json(model), "").data.files[0], "bad \uFFFD name.csv");
}

std::string complaint(const std::string& text) {
  try {
    model_from_json(text, "FILE");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(ModelFile, SaysWhereItIsNoJson) {
  EXPECT_EQ(complaint("{\n  \"schema\": x}").substr(0, 10), "FILE:2:13:");
  EXPECT_EQ(complaint("").substr(0, 5), "FILE:");
}

TEST(ModelFile, NeedsEveryFieldOfTheContract) {
  const std::set<std::string> more{"command",
                                   "engine",
                                   "modes_complete",
                                   "B_se",
                                   "C_se",
                                   "D_se",
                                   "delay",
                                   "system_se",
                                   "D",
                                   "D_se",
                                   "delay",
                                   "K",
                                   "K_se",
                                   "innovation_covariance",
                                   "K_step",
                                   "system_se",
                                   "passivity",
                                   "guarantees.passive",
                                   "states",
                                   "record",
                                   "ambient",
                                   "hold",
                                   "stabilisation",
                                   "guarantees.passive",
                                   "passivity",
                                   "offset",
                                   "offset_se",
                                   "parameters_se",
                                   "fit.error_widening",
                                   "energy",
                                   "estimate",
                                   "network",
                                   "variation",
                                   "nonlinear",
                                   "candidates",
                                   "data.step",
                                   "data.assumptions",
                                   "fit.holdout",
                                   "fit.numbers_in_A",
                                   "fit.confidence",
                                   "fit.interval_factor",
                                   "fit.bootstrap",
                                   "fit.noise_per_channel"};
  const auto json = nlohmann::ordered_json::parse(model_to_json(sample_model("sd", 2, 7)));
  const auto expect_named = [](const nlohmann::ordered_json& edited, const std::string& key) {
    EXPECT_NE(complaint(edited.dump()).find(key == "schema" ? "model" : "\"" + key + "\""),
              std::string::npos)
        << key << ": " << complaint(edited.dump());
  };
  for (const auto& [key, value] : json.items()) {
    auto edited = json;
    edited.erase(key);
    if (more.contains(key)) {
      EXPECT_EQ(complaint(edited.dump()), "");
      continue;
    }
    expect_named(edited, key);
    if (key != "fit" && key != "guarantees" && key != "data") continue;
    for (const auto& [inner, ignored] : value.items()) {
      edited = json;
      edited[key].erase(inner);
      const std::string name = key + "." + inner;
      if (more.contains(name)) {
        EXPECT_EQ(complaint(edited.dump()), "");
      } else {
        expect_named(edited, name);
      }
    }
  }
}

}  // namespace
}  // namespace lgn
