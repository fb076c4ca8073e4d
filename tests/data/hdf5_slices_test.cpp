#include "lgn/data/arrays/hdf5_slices.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/data/arrays/array_file.h"
#include "lgn/data/data_file.h"

namespace lgn {
namespace {

constexpr Index channels = 7;

Dataset example(Index runs, bool of_one_length) {
  Random random(1);
  std::vector<std::string> names;
  for (Index c = 1; c <= channels; ++c) names.push_back("v" + std::to_string(c));
  std::vector<Trajectory> all;
  for (Index r = 0; r < runs; ++r) {
    const Index samples = of_one_length ? 9 : 9 - r;
    Matrix states = random.normals(channels, samples);
    states(2, 3) = std::numeric_limits<double>::quiet_NaN();
    all.emplace_back(std::to_string(r + 1),
                     Vector::LinSpaced(samples, 0, 0.1 * static_cast<double>(samples - 1)),
                     std::move(states));
  }
  return Dataset(std::move(names), std::move(all));
}

TEST(Hdf5Slices, AreThoseOfTheWholeFile) {
  if (!is_available(ArrayFormat::hdf5)) GTEST_SKIP() << "built without HDF5";
  const std::string path = ::testing::TempDir() + "slices.h5";
  for (const Index runs : {1, 3})
    for (const bool of_one_length : {true, false}) {
      const Dataset data = example(runs, of_one_length);
      write_data(data, path);
      const Hdf5Slices file(path);
      ASSERT_EQ(file.runs(), runs);
      ASSERT_EQ(file.channels(), channels);
      EXPECT_EQ(file.names(), data.channels());
      for (Index r = 0; r < runs; ++r) {
        const Trajectory& run = data.runs()[static_cast<std::size_t>(r)];
        EXPECT_EQ(file.times(r), run.times());
        const Matrix slice = file.states(r, 2, 3), whole = run.states().middleRows(2, 3);
        ASSERT_EQ(slice.cols(), whole.cols());
        for (Index k = 0; k < slice.size(); ++k) {
          const double read = slice.data()[k], written = whole.data()[k];
          EXPECT_TRUE(read == written ||
                      (Trajectory::missing(read) && Trajectory::missing(written)));
        }
      }
    }
  std::filesystem::remove(path);
}

TEST(Hdf5Slices, RefuseOtherFiles) {
  if (!is_available(ArrayFormat::hdf5)) GTEST_SKIP() << "built without HDF5";
  const std::string path = ::testing::TempDir() + "slices.csv";
  write_data(example(1, true), path);
  EXPECT_THROW(Hdf5Slices{path}, Error);
  EXPECT_THROW(Hdf5Slices{path + "x"}, Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace lgn
