#include "lgn/dynamics/structures.h"

#include <gtest/gtest.h>

#include <limits>

#include "lgn/core/error.h"
#include "lgn/dynamics/find_structure.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

TEST(Structures, HaveTheNumberOfParametersOfTheirMathematics) {
  for (const Index n : {1, 2, 5}) {
    EXPECT_EQ(find_structure("skew", n)->parameters(), n * (n - 1) / 2);
    EXPECT_EQ(find_structure("sd", n)->parameters(), n * (n + 1) / 2);
    EXPECT_EQ(find_structure("psd", n)->parameters(), n * n);
    EXPECT_EQ(find_structure("full", n)->parameters(), n * n);
    EXPECT_EQ(find_structure("scaled-sd", n)->parameters(), n * (n + 1) / 2 + n - 1);
    EXPECT_EQ(find_structure("metric", n)->parameters(), n * (n - 1) / 2 + n * (n + 1));
  }
}

TEST(Structures, AreFoundByTheirNames) {
  for (const char* name : {"skew", "sd", "scaled-sd", "psd", "metric", "full"}) {
    EXPECT_EQ(find_structure(name, 4)->name(), name);
    EXPECT_EQ(find_structure(name, 4)->dimension(), 4);
  }
  for (const char* name : {"parametric:oscillator", "parametric:rlc", "parametric:ladder"})
    EXPECT_EQ(find_structure(name, 2)->name(), name);
}

TEST(Structures, UnknownNamesAreErrorsThatNameTheKnownOnes) {
  for (const char* name : {"", "SD", "parametric", "scaled", "sd "}) {
    try {
      find_structure(name, 2);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_NE(error.problem().find("unknown structure \"" + std::string(name) + "\""),
                std::string::npos);
      EXPECT_NE(error.help().find("parametric:ladder"), std::string::npos);
    }
  }
}

TEST(Skew, GeneratorIsExactlySkew) {
  const SkewStructure s(6);
  Random random(1);
  for (const double scale : {1e-8, 1.0, 1e6}) {
    const Matrix a = s.generator(scale * random.normals(s.parameters()));
    EXPECT_TRUE(a == -a.transpose());
  }
}

TEST(Skew, ParametersAreTheEntriesAboveTheDiagonal) {
  const SkewStructure s(3);
  EXPECT_EQ(s.parameter_names(), (std::vector<std::string>{"S1,2", "S1,3", "S2,3"}));
  EXPECT_TRUE(s.generator(Vector{{1, 2, 3}}) == (Matrix{{0, 1, 2}, {-1, 0, 3}, {-2, -3, 0}}));
}

TEST(Sd, NamedValuesRebuildTheGenerator) {
  const SdStructure s(5);
  Random random(2);
  const Vector theta = random.normals(s.parameters());
  const auto values = s.named_values(theta);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].name, "S");
  EXPECT_EQ(values[1].name, "d");
  EXPECT_EQ(values[1].shape, NamedValue::Shape::vector);
  EXPECT_TRUE((values[1].value.array() >= 0).all());
  const Matrix d = values[1].value.col(0).asDiagonal();
  EXPECT_TRUE(s.generator(theta) == values[0].value - d);
}

TEST(Sd, DampingIsNeverNegativeAndItsGradientStopsThere) {
  const SdStructure s(2);
  const Vector theta{{1, -3, 4}};
  EXPECT_TRUE(s.generator(theta) == (Matrix{{0, 1}, {-1, -4}}));
  EXPECT_TRUE(s.pullback(theta, Matrix::Identity(2, 2)) == (Vector{{0, 0, -1}}));
  EXPECT_TRUE(s.pullback(Vector::Zero(3), Matrix::Identity(2, 2)) ==
              (Vector{{0, -1, -1}}));  // it can leave zero
}

TEST(Sd, BoundsAreZeroForDampingOnly) {
  EXPECT_TRUE(SdStructure(2).lower_bounds() == (Vector{{-kUnbounded, 0, 0}}));
  EXPECT_TRUE((SkewStructure(3).lower_bounds().array() == -kUnbounded).all());
  EXPECT_TRUE((PsdStructure(3).lower_bounds().array() == -kUnbounded).all());
  EXPECT_TRUE((FullStructure(3).lower_bounds().array() == -kUnbounded).all());
}

TEST(Psd, NamedValuesRebuildTheGenerator) {
  const PsdStructure s(5);
  Random random(3);
  const Vector theta = random.normals(s.parameters());
  const auto values = s.named_values(theta);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[1].name, "L");
  const Matrix &skew = values[0].value, &l = values[1].value;
  EXPECT_TRUE(l.isLowerTriangular(0.0));
  // A sum of five products may be added up in another order.
  EXPECT_LE((s.generator(theta) - (skew - l * l.transpose())).norm(),
            5 * epsilon * l.squaredNorm());
}

TEST(Psd, ProjectionOfAnUnstableMatrixHasNoDamping) {
  const PsdStructure s(3);
  const Vector theta = s.project(2 * Matrix::Identity(3, 3));
  EXPECT_TRUE(s.generator(theta) == Matrix::Zero(3, 3));
}

TEST(Psd, ProjectionKeepsASingularDampingMatrix) {
  const PsdStructure s(3);
  const Vector v{{1, 2, -2}};
  const Matrix a = -v * v.transpose();  // rank one
  EXPECT_LE((s.generator(s.project(a)) - a).norm(), 20 * 3 * epsilon * a.norm());
}

TEST(Full, ParametersAreTheEntriesColumnByColumn) {
  const FullStructure s(2);
  EXPECT_EQ(s.parameter_names(), (std::vector<std::string>{"A1,1", "A2,1", "A1,2", "A2,2"}));
  EXPECT_TRUE(s.generator(Vector{{1, 2, 3, 4}}) == (Matrix{{1, 3}, {2, 4}}));
  EXPECT_FALSE(s.energy(Vector::Zero(4)));
}

TEST(EnergyGrowthRate, IsTheLargestRateOfGrowth) {
  // ½(4q² + p²): q̇ = p, ṗ = −4q + 0.5p feeds p² at the rate 0.5 at most.
  const Matrix a{{0, 1}, {-4, 0.5}}, q{{4, 0}, {0, 1}};
  EXPECT_NEAR(energy_growth_rate(a, q), 0.5, 10 * epsilon);
  EXPECT_NEAR(energy_growth_rate(-3 * Matrix::Identity(2, 2), q), -3, 10 * epsilon);
}

}  // namespace
}  // namespace lgn
