#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "lgn/core/random.h"
#include "lgn/data/csv/csv.h"

namespace lgn {
namespace {

/// Largest resident size, in bytes, of a child process that does `work`.
template <class F>
double peak_memory(F work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) return -1;
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// Reading takes at most three times the data's size (of the file, or of its numbers as doubles, the
// larger): what the process holds before it reads is told by a child that reads nothing. Sanitizers
// keep memory of their own.
TEST(CsvMemorySlow, AtMostThreeTimesTheData) {
  constexpr int rows = 200000, columns = 8;
  const auto path =
      std::filesystem::path(::testing::TempDir()) / fmt::format("memory-{}.csv", getpid());
  for (const char* format : {"{:.17g}", "{:.1f}"}) {
    Random random(1);
    {
      std::ofstream file(path);
      file << "t,a,b,c,d,e,f,g,h\n";
      for (int r = 0; r < rows; ++r) {
        std::string line = std::to_string(r);
        for (int c = 0; c < columns; ++c)
          line += "," + fmt::format(fmt::runtime(format), random.normal());
        file << line << '\n';
      }
    }
    const double size =
        std::max(static_cast<double>(std::filesystem::file_size(path)), 8.0 * rows * (columns + 1));
    const double idle = peak_memory([] {});
    const double reading = peak_memory([&] {
      if (read_csv({path.string()}).samples() != rows) _exit(1);
    });
    std::filesystem::remove(path);
    ASSERT_GT(idle, 0);
    ASSERT_GT(reading, 0);
    EXPECT_LE(reading - idle, 3 * size) << format;
  }
}

}  // namespace
}  // namespace lgn
