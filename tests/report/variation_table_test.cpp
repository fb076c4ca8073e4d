#include "lgn/report/text/variation_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/report/markup.h"
#include "tests/report/sample_variation.h"

namespace lgn {
namespace {

using testing::count;

std::vector<std::string> table_lines(const std::string& text) {
  std::stringstream stream(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

/// The harmonic model with errors that are easy to read.
Model plain_harmonic_model() {
  Model model = testing::harmonic_model();
  ModelVariation& variation = *model.variation;
  variation.errors[0] = 0.011;
  auto& entries = variation.course.entries;
  entries[0].mean_error = 0.02;
  entries[1].mean_error = std::nan("");
  entries[2].mean_error = 0.013;
  entries[2].harmonics[0].amplitude_error = 0.0021;
  entries[2].harmonics[0].phase_error = 0.3;
  return model;
}

TEST(VariationTable, ShowsHarmonics) {
  const auto all = table_lines(variation_text(plain_harmonic_model()));
  ASSERT_EQ(all.size(), 20u);
  // 2π/1.1 = 5.71199; its error is that times 0.011/1.1.
  EXPECT_EQ(all[0], "ω1 = 1.100 ± 0.011 rad/s, period 5.712 ± 0.057 s");
  EXPECT_EQ(all[1], "entries are mean + amplitude · sin(ω t + phase)");
  EXPECT_EQ(all[2], "entry           mean  varies with        amplitude  phase [rad]");
  // √(0.1² + 0.2²) = 0.22361 and atan(0.1/0.2) = 0.46365.
  EXPECT_EQ(all[4], "d2     0.350 ± 0.013           ω1  0.2236 ± 0.0021  0.46 ± 0.30");
  EXPECT_EQ(all[5], "S1,2   1.200 ± 0.020     constant");
  EXPECT_EQ(all[6], "d1              0.05     constant");
  EXPECT_EQ(all[7], "± one standard error");
  EXPECT_EQ(all[9], "Floquet multipliers μ over one period, 5.712 s");
  // det of the map over a period is exp of the trace's integral: |μ|² = exp(−0.4 · 5.712).
  EXPECT_EQ(all[12].substr(0, 7), "0.31905");
  EXPECT_EQ(all[13], "all states decay: largest |μ| 0.31905");
  EXPECT_EQ(all[15], "frozen-time poles λ(A(t)) over 0 to 20 s");
}

TEST(VariationTable, SaysFromWhenTimeCounts) {
  const auto structure = std::make_shared<ModulatedStructure>(find_structure("sd", 2),
                                                              std::make_shared<Harmonics>(1, 12.5));
  const Model model =
      testing::varying_model(structure, Vector{{2, 1, 0, 0, 1, 0, 0, 1, 0, 0}}, 12.5, 20);
  EXPECT_EQ(count(variation_text(model), "sin(ω (t − 12.5) + phase)"), 1u);
}

TEST(VariationTable, ShowsTheRangeOfADrift) {
  const auto all = table_lines(variation_text(testing::drift_model(false)));
  EXPECT_EQ(all[0], "A(t) drifts over 0 to 30 s, by 8 cubic splines; beyond, it is not identified");
  EXPECT_EQ(all[1], "entry     mean  smallest  largest");
  // Clamped splines begin and end at their first and last coefficient: 1 + 0.4/8 and 1.4.
  EXPECT_EQ(all[3].substr(0, 4), "S1,2");
  EXPECT_EQ(all[3].substr(all[3].size() - 18), "     1.05      1.4");
  EXPECT_EQ(all[6], "S1,3       0.2  constant");
  EXPECT_EQ(count(variation_text(testing::drift_model(false)), "±"), 2u);  // the poles' Im only
  EXPECT_EQ(count(variation_text(testing::drift_model(false)), "Floquet"), 0u);
}

TEST(VariationTable, ShowsTheConstantsOfALaw) {
  Model model = testing::law_model();
  // They are those of the constants themselves.
  model.variation->errors = Vector::Constant(4, 0.01);
  const auto all = table_lines(variation_text(model));
  EXPECT_EQ(all[0], "A(t) by the law ltv-oscillator");
  EXPECT_EQ(all[1], "it repeats every 5.712 s");
  EXPECT_EQ(all[5], "gamma0     0.350 ± 0.010");
  EXPECT_EQ(all[7], "omega_d    1.100 ± 0.010");
}

TEST(VariationTable, ListsTwentyRowsAndCountsTheRest) {
  // 45 couplings and 10 dampings, of which 3 vary with two frequencies each.
  const auto base = find_structure("sd", 10);
  std::vector<std::vector<Index>> active(55, {0});
  for (const std::size_t e : {50u, 52u, 54u}) active[e] = {0, 1, 2, 3, 4};
  const auto structure =
      std::make_shared<ModulatedStructure>(base, std::make_shared<Harmonics>(2), active);
  Vector theta = Vector::Constant(structure->parameters(), 0.5);
  theta[1] = 1;
  const Model model = testing::varying_model(structure, theta, 0, 20);
  const auto parts = variation_tables(model);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].table.rows.size(), 20u);
  EXPECT_EQ(parts[0].table.rows[0][0], "d6");
  EXPECT_EQ(parts[0].table.rows[1][0], "");
  EXPECT_EQ(parts[0].table.rows[1][2], "ω2");
  EXPECT_EQ(parts[0].table.rows[6][2], "constant");
  ASSERT_EQ(parts[0].below.size(), 1u);
  EXPECT_EQ(parts[0].below[0], "38 more are constant and are not listed");  // 52 − 14
  for (const auto& part : parts)
    for (const auto& row : part.table.rows) EXPECT_EQ(row.size(), part.table.header.size());
  // None of the 61 parameters stands in the summary.
  EXPECT_EQ(table_lines(summary_text(model)).size(), 2u);
}

TEST(VariationTable, SaysWhatFollowsFromTheMultipliers) {
  Model model = testing::harmonic_model();
  const auto says = [&](double largest) {
    model.variation->floquet->multipliers = ComplexVector{{0.1, largest}};
    return variation_tables(model)[1].below.back();
  };
  EXPECT_EQ(says(0.5), "all states decay: largest |μ| 0.5");
  EXPECT_EQ(says(1), "no state grows, nor do all decay: largest |μ| 1");
  EXPECT_EQ(says(-1.5), "a state grows without bound: largest |μ| 1.5");
  EXPECT_EQ(count(variation_in_words(model), "the fastest by a factor of 1.5 in each"), 1u);
}

TEST(VariationInWords, SaysWhatVaries) {
  EXPECT_EQ(variation_in_words(plain_harmonic_model()),
            "The generator varies with a period of 5.712 ± 0.057 s: 1 of its 3 parameters does. "
            "Over many periods all states decay, the slowest by a factor of 0.319 in each. ");
  EXPECT_EQ(variation_in_words(testing::drift_model()),
            "The generator varies over 0 to 30 s: 3 of its 10 parameters do. ");
  EXPECT_EQ(variation_in_words(testing::sample_model("sd", 2, 1)), "");
  EXPECT_EQ(variation_text(testing::sample_model("sd", 2, 1)), "");
}

TEST(FrozenPoles, ArePairedOnlyWhereTheyStayConjugate) {
  VariationCourse course;
  course.poles.resize(4, 2);
  course.poles << Complex(-1, 2), Complex(-1, 3), Complex(-1, -2), Complex(-1, -3), -1, -2, -3, -4;
  auto poles = frozen_poles(course);
  ASSERT_EQ(poles.size(), 3u);
  EXPECT_TRUE(poles[0].pair);
  EXPECT_FALSE(poles[1].pair);
  EXPECT_FALSE(poles[2].pair);
  course.poles(0, 1) = -1;  // the pair meets, and two real poles leave
  course.poles(1, 1) = -5;
  EXPECT_EQ(frozen_poles(course).size(), 4u);
}

TEST(ModesTable, IsHeadedWhereItIsOfAMean) {
  EXPECT_EQ(table_lines(modes_table(testing::harmonic_model()))[0],
            "modes of the mean generator; A(t) itself varies");
  EXPECT_EQ(count(modes_table(testing::sample_model("sd", 2, 1)), "mean"), 0u);
}

}  // namespace
}  // namespace lgn
