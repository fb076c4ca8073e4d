#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/data/csv/csv.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::testing {

/// A path that no other test or process uses; its folder goes when the program ends.
inline std::string temporary_path(const std::string& name = "data.csv") {
  struct Folder {
    std::filesystem::path path =
        std::filesystem::path(::testing::TempDir()) / ("lgn-csv-" + std::to_string(::getpid()));
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  static std::atomic<int> count{0};
  const std::filesystem::path own = folder.path / std::to_string(count++);
  std::filesystem::create_directories(own);
  return (own / name).string();
}

/// A file that holds `text`.
class TextFile {
 public:
  explicit TextFile(const std::string& text, const std::string& name = "data.csv")
      : path_(temporary_path(name)) {
    std::ofstream(path_, std::ios::binary) << text;
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline Dataset read_text(const std::string& text, const ReadOptions& options = {}) {
  const TextFile file(text);
  return read_csv({file.path()}, options);
}

inline std::string file_text(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// What the reader says about `text`, with the file's path written as FILE; empty when it accepts
/// it.
inline std::string complaint(const std::string& text, const ReadOptions& options = {}) {
  const TextFile file(text);
  try {
    read_csv({file.path()}, options);
  } catch (const Error& error) {
    std::string what = error.what();
    const std::size_t at = what.find(file.path());
    return at == what.npos ? what : what.replace(at, file.path().size(), "FILE");
  }
  return {};
}

/// The same bits, except that all NaN are alike.
inline bool same_number(double a, double b) {
  return (a != a && b != b) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

inline ::testing::AssertionResult same_matrix(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols())
    return ::testing::AssertionFailure()
           << a.rows() << " x " << a.cols() << ", not " << b.rows() << " x " << b.cols();
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i < a.rows(); ++i)
      if (!same_number(a(i, j), b(i, j)))
        return ::testing::AssertionFailure()
               << "(" << i << ", " << j << "): " << a(i, j) << ", not " << b(i, j);
  return ::testing::AssertionSuccess();
}

/// The same names, labels and numbers; labels count only where a file keeps them.
inline void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.channels(), b.channels());
  EXPECT_EQ(a.inputs(), b.inputs());
  ASSERT_EQ(a.runs().size(), b.runs().size());
  for (std::size_t k = 0; k < a.runs().size(); ++k) {
    if (a.runs().size() > 1) {
      EXPECT_EQ(a.runs()[k].label(), b.runs()[k].label());
    }
    EXPECT_TRUE(same_matrix(a.runs()[k].times(), b.runs()[k].times())) << "times of run " << k;
    EXPECT_TRUE(same_matrix(a.runs()[k].states(), b.runs()[k].states())) << "states of run " << k;
    EXPECT_TRUE(same_matrix(a.runs()[k].inputs(), b.runs()[k].inputs())) << "inputs of run " << k;
  }
}

}  // namespace lgn::testing
