#include "lgn/data/data_file.h"

#include <gtest/gtest.h>

#include "lgn/core/output_file.h"
#include "lgn/data/arrays/array_file.h"
#include "lgn/data/arrays/arrays_dataset.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/array_fixture.h"
#include "tests/data/csv_fixture.h"

namespace lgn {
namespace {

using testing::expect_same;
using testing::sample_data;

class DataFile : public testing::InTemporaryFolder {
 protected:
  static std::vector<std::string> endings() {
    std::vector<std::string> names{"csv", "npz", "mat", "MAT"};
    if (is_available(ArrayFormat::hdf5)) names.insert(names.end(), {"h5", "hdf5"});
    return names;
  }
};

TEST_F(DataFile, ReadsBackWhatItWrites) {
  for (const bool several : {false, true}) {
    const Dataset data = sample_data(several, false);
    for (const std::string& ending : endings()) {
      SCOPED_TRACE(ending);
      const std::string name = path("data." + ending);
      write_data(data, name);
      expect_same(read_data({name}), data);
    }
  }
}

TEST_F(DataFile, EndingsChooseTheFormatAndBytesTellIt) {
  const Dataset data = sample_data(false, false);
  write_data(data, path("a.npz"));
  std::filesystem::rename(path("a.npz"), path("a.csv"));
  expect_same(read_data({path("a.csv")}), data);
  write_data(data, path("a.txt"));
  EXPECT_TRUE(text(path("a.txt")).starts_with("t,"));
  write_data(data, path("folder.npz.without"));
  EXPECT_TRUE(text(path("folder.npz.without")).starts_with("t,"));
  write_data(data, path("table.npy"));
  EXPECT_EQ(read_data({path("table.npy")}).channels(),
            (std::vector<std::string>{"x1", "x2", "x3"}));
}

TEST_F(DataFile, FormatsMix) {
  const Dataset data = sample_data(true, false);
  std::vector<std::string> files;
  for (const std::string& ending : endings()) {
    files.push_back(path("data." + ending));
    write_data(data, files.back());
  }
  const Dataset all = read_data(files);
  ASSERT_EQ(all.runs().size(), 3 * files.size());
  EXPECT_EQ(all.channels(), data.channels());
  for (std::size_t k = 0; k < all.runs().size(); ++k) {
    EXPECT_EQ(all.runs()[k].label(), "data." + endings()[k / 3] + ":" + data.runs()[k % 3].label());
    EXPECT_TRUE(testing::same_matrix(all.runs()[k].states(), data.runs()[k % 3].states()));
  }
  write_data(Dataset({"other"}, {testing::sample_run("1", 5, 1, 0, 4)}), path("other.npz"));
  const std::string complaint = this->complaint([&] { read_data({files[0], path("other.npz")}); });
  EXPECT_NE(complaint.find("other.npz: no channel"), std::string::npos) << complaint;
}

TEST_F(DataFile, MessagesNameTheFile) {
  write_file(path("cut.npz"), "PK\3\4");
  write_file(path("cut.mat"), "MATLAB 5.0 MAT-file");
  for (const char* name : {"cut.npz", "cut.mat"}) {
    const std::string said = complaint([&] { read_data({path(name)}); });
    EXPECT_TRUE(said.starts_with(path(name) + ": ")) << said;
  }
  EXPECT_NE(complaint([&] { read_data({path("absent.npz")}); }), "");
}

TEST_F(DataFile, TimesAlone) {
  const Dataset data = sample_data(false, false);
  for (const std::string& ending : endings()) {
    write_data(data, path("data." + ending));
    EXPECT_EQ(read_data_times(path("data." + ending)), data.runs()[0].times()) << ending;
  }
  ArrayFile vector;
  vector.numbers[""] = {{3}, {0, 1, 3}};
  write_file(path("times.npy"), encode_arrays(vector, ArrayFormat::npy));
  EXPECT_EQ(read_data_times(path("times.npy")), Vector(Eigen::Vector3d(0, 1, 3)));
  write_data(sample_data(true, false), path("several.npz"));
  EXPECT_NE(complaint([&] { read_data_times(path("several.npz")); }).find("3 runs"),
            std::string::npos);
}

// As many samples as a long measurement has; 160 MB of numbers.
TEST_F(DataFile, SlowTenMillionSamples) {
  constexpr Index samples = 10000000;
  const Vector times = Vector::LinSpaced(samples, 0, 1e6);
  Matrix states = times.array().sin().matrix().transpose();
  states(0, 5) = kGap;
  const Dataset data({"x"}, {Trajectory("1", times, states)});
  std::vector<std::string> names{"csv", "npy", "npz", "mat"};
  if (is_available(ArrayFormat::hdf5)) names.insert(names.end(), {"h5", "mat73"});
  for (const std::string& ending : names) {
    SCOPED_TRACE(ending);
    const std::string name = path("long." + ending);
    if (ending == "mat73")
      write_file(name, encode_arrays(arrays_of(data), ArrayFormat::mat73));
    else
      write_data(data, name);
    const Dataset back = read_data({name});
    EXPECT_TRUE(back.runs()[0].times() == times);
    EXPECT_TRUE(testing::same_matrix(back.runs()[0].states(), states));
    std::filesystem::remove(name);
  }
}

TEST_F(DataFile, NothingIsLeftOfWhatCannotBeWritten) {
  const Dataset data = sample_data(false, true);
  EXPECT_NE(complaint([&] { write_data(data, path("data.npy")); }).find("inputs"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_NE(complaint([&] { write_data(data, path("no/folder.npz")); }), "");
  EXPECT_NO_THROW(check_data_format(path("data.npz")));
}

}  // namespace
}  // namespace lgn
