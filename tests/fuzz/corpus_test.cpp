#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/fuzz/fuzzed.h"

namespace lgn {
namespace {

namespace fs = std::filesystem;

// What fuzzing found worth keeping, and files that other programs wrote, each read as every format.
TEST(FuzzCorpus, IsReadOrRefused) {
  const fs::path here = fs::path(LGN_TEST_FOLDER);
  std::size_t files = 0;
  for (const fs::path& folder : {here / "corpus", here.parent_path() / "data" / "foreign"})
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      ++files;
      std::stringstream bytes;
      bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      for (const ArrayFormat format : {ArrayFormat::npy, ArrayFormat::npz, ArrayFormat::mat5,
                                       ArrayFormat::mat73, ArrayFormat::hdf5})
        fuzz::read_arrays(bytes.str(), format);
      fuzz::read_text(entry.path());
      fuzz::read_file(entry.path());
      fuzz::read_times_and_units(bytes.str());
    }
  EXPECT_GT(files, 10u);
}

}  // namespace
}  // namespace lgn
