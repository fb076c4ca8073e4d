#include <gtest/gtest.h>

#include <filesystem>

#include "lgn/data/arrays/array_file.h"
#include "lgn/data/data_file.h"
#include "tests/data/array_fixture.h"

namespace lgn {
namespace {

// What foreign/write.py and foreign/write.m wrote.
std::string path_of(const std::string& name) {
  return (std::filesystem::path(LGN_TEST_FOLDER) / "foreign" / name).string();
}

void expect_contents(const std::string& name, std::size_t runs, bool named) {
  SCOPED_TRACE(name);
  const Dataset data = read_data({path_of(name)});
  EXPECT_EQ(data.channels(),
            named ? (std::vector<std::string>{"Δq", "p"}) : (std::vector<std::string>{"x1", "x2"}));
  ASSERT_EQ(data.runs().size(), runs);
  for (std::size_t r = 0; r < runs; ++r) {
    const Trajectory& run = data.runs()[r];
    ASSERT_EQ(run.samples(), 4);
    if (named && runs > 1) {
      EXPECT_EQ(run.label(), r == 0 ? "a" : "b");
    }
    for (Index k = 0; k < 4; ++k) {
      EXPECT_EQ(run.times()[k], static_cast<double>(k) / 2);
      for (Index c = 0; c < 2; ++c) {
        if (r == 0 && k == 1 && c == 0)
          EXPECT_TRUE(Trajectory::missing(run.states()(c, k)));
        else
          EXPECT_EQ(run.states()(c, k),
                    static_cast<double>(100 * r) + static_cast<double>(10 * k + c));
      }
    }
  }
}

TEST(ForeignFiles, NumPy) {
  expect_contents("numpy.npz", 2, true);
  expect_contents("numpy_compressed.npz", 2, true);
  expect_contents("numpy_types.npz", 2, false);
  expect_contents("numpy.npy", 1, false);
  expect_contents("numpy_runs.npy", 2, false);
}

TEST(ForeignFiles, SciPy) {
  expect_contents("scipy.mat", 2, true);
  expect_contents("scipy_compressed.mat", 1, true);
}

TEST(ForeignFiles, Octave) {
  expect_contents("octave_v6.mat", 2, true);
  expect_contents("octave_v7.mat", 2, true);
  expect_contents("octave_row.mat", 1, false);
}

TEST(ForeignFiles, Hdf5) {
  if (!is_available(ArrayFormat::hdf5)) GTEST_SKIP() << "built without HDF5";
  expect_contents("h5py.h5", 2, true);
  expect_contents("h5py_chunked.h5", 2, false);
  expect_contents("matlab73.mat", 2, true);
}

}  // namespace
}  // namespace lgn
