#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/design/preferred_numbers.h"
#include "tests/design/designed_systems.h"

namespace lgn {
namespace {

TEST(PreferredNumbers, SeriesAreThoseOfTheStandard) {
  EXPECT_EQ(preferred_decade("E6"), (std::vector<double>{1.0, 1.5, 2.2, 3.3, 4.7, 6.8}));
  EXPECT_EQ(preferred_decade("E24").size(), 24U);
  // Each series holds the one of half its number; of E48 on, three digits.
  for (const auto& [small, large] :
       {std::pair("E3", "E6"), {"E6", "E12"}, {"E12", "E24"}, {"E48", "E96"}, {"E96", "E192"}}) {
    const auto all = preferred_decade(large);
    for (const double value : preferred_decade(small))
      EXPECT_NE(std::find(all.begin(), all.end(), value), all.end()) << value << " of " << small;
  }
  const auto finest = preferred_decade("E192");
  EXPECT_NE(std::find(finest.begin(), finest.end(), 9.2), finest.end());
  EXPECT_EQ(std::find(finest.begin(), finest.end(), 9.19), finest.end());
  EXPECT_THROW(preferred_decade("E25"), Error);
  EXPECT_EQ(preferred_numbers("E3", 0.47, 22), (std::vector<double>{0.47, 1, 2.2, 4.7, 10, 22}));
}

bool is_preferred(double value, const std::string& series) {
  for (const double number : preferred_numbers(series, value / 2, value * 2))
    if (std::abs(value - number) <= 1e-14 * number) return true;
  return false;
}

DesignOptions damped() {
  DesignOptions options;
  options.free = {"R1", "R2", "R3"};
  options.bounds = {"R*=0.1:10"};
  options.targets = {"zeta>=0.2"};
  options.minimise = "sum(R*)";
  return options;
}

TEST(PreferredValues, AreTheNearestThatMeetTheTargets) {
  DesignOptions options = damped();
  const Model ladder = ladder_model(3, 0.1), optimum = design(ladder, options);
  options.series = {"E24"};
  const Model found = design(ladder, options);
  double own = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_TRUE(is_preferred(found.design->values[k].after, "E24"));
    own += std::pow(std::log(found.design->values[k].after / optimum.design->values[k].after), 2);
  }
  EXPECT_GE(found.design->targets.front().after, 0.2);
  EXPECT_EQ(found.design->series, "E24");
  // None that is nearer meets them, by trying all.
  const auto numbers = preferred_numbers("E24", 0.1, 10);
  const auto least = [&](const Vector& r) {
    double zeta = 1;
    Vector p = Vector::Ones(9);
    p.head(3) = r;
    for (const Complex pole : eigenvalues(ladder_law(3).generator(p)))
      zeta = std::min(zeta, -pole.real() / std::abs(pole));
    return zeta;
  };
  for (const double a : numbers)
    for (const double b : numbers)
      for (const double c : numbers) {
        double distance = 0;
        const Vector r{{a, b, c}};
        for (Index k = 0; k < 3; ++k)
          distance += std::pow(
              std::log(r[k] / optimum.design->values[static_cast<std::size_t>(k)].after), 2);
        if (distance < own * (1 - 1e-12)) {
          EXPECT_LT(least(r), 0.2);
        }
      }
}

TEST(PreferredValues, MayBeThoseOfSomeValues) {
  DesignOptions options = damped();
  options.series = {"R1=E6", "R2=E12"};
  const Model found = design(ladder_model(3, 0.1), options);
  EXPECT_TRUE(is_preferred(after(found, "R1"), "E6"));
  EXPECT_TRUE(is_preferred(after(found, "R2"), "E12"));
  EXPECT_GE(found.design->targets.front().after, 0.2 * (1 - 1e-9));
}

TEST(PreferredValues, ManyAreFixedOneByOne) {
  DesignOptions options;
  options.free = {"R*"};
  options.bounds = {"R*=1e-3:10"};
  options.targets = {"zeta>=0.1"};
  options.minimise = "sum(R*)";
  options.series = {"E12"};
  const Model found = design(ladder_model(8, 0.1), options);
  for (const DesignedValue& value : found.design->values)
    EXPECT_TRUE(is_preferred(value.after, "E12")) << value.name << " = " << value.after;
  EXPECT_GE(found.design->targets.front().after, 0.1 * (1 - 1e-9));
}

TEST(PreferredValues, ThatDoNotExistAreRefused) {
  DesignOptions options = damped();
  options.series = {"E25"};
  EXPECT_THROW(design(ladder_model(3, 0.1), options), Error);
  options.series = {"E3"};
  options.bounds = {"R*=0.5:0.9"};
  options.targets = {"zeta>=0.1"};
  EXPECT_THROW(design(ladder_model(3, 0.6), options), Error);  // nothing of E3 is between them
  // Equality is met by no round number.
  options = damped();
  options.targets = {"zeta[slowest]=0.2"};
  options.series = {"E24"};
  EXPECT_THROW(design(ladder_model(3, 0.1), options), NotIdentified);
}

}  // namespace
}  // namespace lgn
