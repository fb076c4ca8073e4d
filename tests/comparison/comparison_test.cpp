#include "experiments/comparison/comparison.h"

#include <gtest/gtest.h>

#include "experiments/baselines/linear_id.h"
#include "experiments/comparison/comparison_table.h"
#include "experiments/comparison/methods.h"
#include "experiments/identification/data.h"
#include "lgn/core/error.h"
#include "lgn/data/windows.h"
#include "lgn/dynamics/find_structure.h"

namespace lgn::studies {
namespace {

Dataset noisy_ladder(double noise = 0.02) {
  Random random(1);
  const Dataset exact =
      exact_runs(uniform_ladder(2), std::vector<Vector>(2, even_times(0.1, 200)), random);
  return noise > 0 ? with_noise(exact, noise * deviation(exact), random) : exact;
}

TEST(Methods, KnowsEveryStructureAndTheBaselines) {
  for (const auto& name : structure_names()) EXPECT_NO_THROW(check_method_name(name)) << name;
  for (const auto& baseline : baselines()) EXPECT_NO_THROW(check_method_name(baseline.name));
  for (const char* name : {"auto", "sd@adam", "sd@closed-form", "auto@mle", "parametric:rlc@adam"})
    EXPECT_NO_THROW(check_method_name(name)) << name;
  for (const char* name :
       {"", "@", "sd@", "sd@x", "@adam", "linear-id@adam", "SD", "sd ", "ltv-metric"})
    EXPECT_THROW(check_method_name(name), Error) << name;
}

TEST(Methods, AreThoseOfTheLibraryAndOfTheBaselines) {
  const Dataset data = noisy_ladder();
  const FitOptions options{.errors = Errors::never};
  EXPECT_TRUE(fit_method("sd", data, options).a ==
              identify(data, {.structure = "sd", .errors = Errors::never}).a);
  EXPECT_EQ(fit_method("sd@closed-form", data, options).method, "closed-form");
  const Model baseline = fit_method("linear-id", data, options);
  EXPECT_TRUE(baseline.a == linear_id(data));
  EXPECT_EQ(baseline.fit.numbers_in_a, 16);
  EXPECT_FALSE(baseline.guarantee.stable);
}

TEST(Comparison, FitsTheFirstPartAndPredictsTheRest) {
  const Dataset data = noisy_ladder();
  const Comparison found = compare(data, {.methods = {"full", "sd", "skew", "linear-id"}});
  ASSERT_EQ(found.methods.size(), 4u);
  EXPECT_EQ(found.methods[1].name, "sd");
  const Model model = identify(data, {.structure = "sd", .holdout = 0.2});
  EXPECT_TRUE(found.methods[1].model->a == model.a);
  EXPECT_DOUBLE_EQ(found.methods[1].nrmse_train, model.fit.nrmse_train);
  EXPECT_DOUBLE_EQ(found.methods[1].nrmse_holdout, *model.fit.nrmse_holdout);
  EXPECT_TRUE(found.methods[3].model->a == linear_id(split_in_time(data, 0.2).train));
  EXPECT_TRUE(found.methods[1].best);
  EXPECT_FALSE(found.methods[2].best);
  EXPECT_LT(found.methods[1].criterion, found.methods[0].criterion);
}

TEST(Comparison, KeepsWhyAMethodFailed) {
  const Comparison found = compare(noisy_ladder(), {.methods = {"parametric:rlc", "sd"}});
  EXPECT_FALSE(found.methods[0].model);
  EXPECT_NE(found.methods[0].problem.find("two states"), std::string::npos);
  EXPECT_TRUE(found.methods[1].best);
  for (const TableFormat format :
       {TableFormat::text, TableFormat::csv, TableFormat::markdown, TableFormat::latex})
    EXPECT_NE(comparison_in(format, found).find("two states"), std::string::npos);
  EXPECT_NE(comparison_json(found).find("two states"), std::string::npos);
  EXPECT_THROW(compare(noisy_ladder(), {.methods = {"parametric:rlc"}}), NotIdentified);
}

TEST(Comparison, RefusesWhatItCannotDo) {
  const Dataset data = noisy_ladder();
  EXPECT_THROW(compare(data, {.methods = {}}), Error);
  EXPECT_THROW(compare(data, {.methods = {"sd", "sd"}}), Error);
  EXPECT_THROW(compare(data, {.methods = {"nonsense"}}), Error);
  EXPECT_THROW(compare(data, {.methods = {"sd"}, .fit = {.holdout = 1.5}}), Error);
}

TEST(Comparison, EndsWhereItIsStopped) {
  ComparisonOptions options{.methods = {"linear-id", "sd", "full"}};
  options.fit.observe = [](const FitProgress& progress) {
    return !progress.task.starts_with("sd");
  };
  const Comparison found = compare(noisy_ladder(), options);
  EXPECT_TRUE(found.methods[0].model);
  EXPECT_FALSE(found.methods[1].model);
  EXPECT_NE(found.methods[2].problem.find("not tried"), std::string::npos);
}

}  // namespace
}  // namespace lgn::studies
