#include "lgn/core/checkpoint.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <thread>

#include "lgn/core/error.h"
#include "lgn/core/output_file.h"
#include "tests/core/temporary_folder.h"

namespace lgn {
namespace {

namespace fs = std::filesystem;
constexpr double infinity = std::numeric_limits<double>::infinity();

class CheckpointIn : public testing::InTemporaryFolder {
 protected:
  void SetUp() override {
    InTemporaryFolder::SetUp();
    path_ = path("state");
  }
  Vector kept(const std::string& stage) const {
    Vector state;
    EXPECT_TRUE(Checkpoint(path_, "fit").restore(stage, state));
    return state;
  }

  std::string path_;
};

TEST_F(CheckpointIn, BringsBackEveryDoubleBitForBit) {
  const double odd_nan = std::bit_cast<double>(std::uint64_t{0xfff8'0000'dead'beef});
  const Vector state{{0.1, -0.0, infinity, -infinity, odd_nan, 5e-324, 1.7976931348623157e308}};
  Checkpoint(path_, "fit").keep("a", state);
  const Vector back = kept("a");
  ASSERT_EQ(back.size(), state.size());
  for (Index k = 0; k < state.size(); ++k)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back[k]), std::bit_cast<std::uint64_t>(state[k]));
}

TEST_F(CheckpointIn, KeepsEachStageAndReplacesItsState) {
  {
    Checkpoint checkpoint(path_, "fit");
    checkpoint.keep("", Vector(0), true);
    checkpoint.keep("two words\n\r\\n", Vector{{1, 2}}, true);
    checkpoint.keep("b", Vector{{3}}, true);
    checkpoint.keep("b", Vector{{4, 5, 6}}, true);
  }
  EXPECT_EQ(kept("").size(), 0);
  EXPECT_TRUE(kept("two words\n\r\\n") == (Vector{{1, 2}}));
  EXPECT_TRUE(kept("b") == (Vector{{4, 5, 6}}));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(CheckpointIn, GoesOnWithWhatItRead) {
  Checkpoint(path_, "fit").keep("a", Vector{{1}});
  Checkpoint(path_, "fit").keep("b", Vector{{2}});
  EXPECT_TRUE(kept("a") == (Vector{{1}}));
  EXPECT_TRUE(kept("b") == (Vector{{2}}));
}

TEST_F(CheckpointIn, LeavesTheStateOfAnUnknownStageAlone) {
  const Checkpoint checkpoint(path_, "fit");
  Vector state{{7}};
  EXPECT_FALSE(checkpoint.restore("a", state));
  EXPECT_TRUE(state == (Vector{{7}}));
  EXPECT_FALSE(fs::exists(path_));  // nothing kept, nothing written
}

TEST_F(CheckpointIn, WritesNotMoreOftenThanOnceASecondUnlessNow) {
  Checkpoint checkpoint(path_, "fit");
  const auto start = std::chrono::steady_clock::now();
  checkpoint.keep("a", Vector{{1}});  // the first at once
  checkpoint.keep("a", Vector{{2}});
  if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(500)) {
    EXPECT_TRUE(kept("a") == (Vector{{1}}));
  }
  Vector state;
  EXPECT_TRUE(checkpoint.restore("a", state) && state == (Vector{{2}}));
  checkpoint.keep("a", Vector{{3}}, true);
  EXPECT_TRUE(kept("a") == (Vector{{3}}));
  std::this_thread::sleep_for(std::chrono::milliseconds(1010));
  checkpoint.keep("b", Vector{{4}});
  EXPECT_TRUE(kept("b") == (Vector{{4}}));
}

TEST_F(CheckpointIn, IsWholeWhenItsProgramIsKilled) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    try {
      Checkpoint checkpoint(path_, "fit");
      for (double k = 0;; ++k) checkpoint.keep("a", Vector::Constant(2000, k), true);
    } catch (const Error&) {
    }
    ::_exit(1);
  }
  // A slow disk may need a while for the first file; then somewhere in the middle of the next ones.
  while (!fs::exists(path_) && ::waitpid(child, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const Vector state = kept("a");
  ASSERT_EQ(state.size(), 2000);
  EXPECT_TRUE((state.array() == state[0]).all());
}

TEST_F(CheckpointIn, RefusesAnotherSignature) {
  Checkpoint(path_, "fit").keep("a", Vector{{1}});
  EXPECT_EQ(complaint([&] { Checkpoint(path_, "fit --seed 2"); }),
            path_ + ": belongs to another command or other data; remove it or name another file");
  EXPECT_TRUE(kept("a") == (Vector{{1}}));
}

TEST_F(CheckpointIn, RefusesEveryTruncationAndChange) {
  Checkpoint(path_, "fit").keep("a", Vector{{1, 2}});
  const std::string whole = text(path_);
  const std::string message = path_ + ": is not a whole checkpoint; remove it or name another file";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_file(path_, whole.substr(0, length));
    EXPECT_EQ(complaint([&] { Checkpoint(path_, "fit"); }), message) << length;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = changed[at] == '1' ? '2' : '1';
    write_file(path_, changed);
    EXPECT_EQ(complaint([&] { Checkpoint(path_, "fit"); }), message) << at;
  }
  write_file(path_, whole + "\n");
  EXPECT_EQ(complaint([&] { Checkpoint(path_, "fit"); }), message);
  write_file(path_, "lgn-checkpoint/1\nsignature fit\nstage 99999999999999999 a\n");
  EXPECT_EQ(complaint([&] { Checkpoint(path_, "fit"); }), message);
}

TEST_F(CheckpointIn, SaysAtOnceWhenItCannotBeWritten) {
  const std::string missing = (folder_ / "no/such/file").string();
  EXPECT_EQ(complaint([&] { Checkpoint(missing, "fit"); }),
            missing + ": cannot write: No such file or directory");
  EXPECT_EQ(complaint([&] { Checkpoint(folder_.string(), "fit"); }),
            folder_.string() + ": cannot write: Is a directory");
  EXPECT_THROW(Checkpoint("-", "fit"), Error);
  EXPECT_THROW(Checkpoint("", "fit"), Error);
  EXPECT_THROW(Checkpoint("/dev/null", "fit"), Error);
}

TEST(Checkpoint, ThatIsDefaultDoesNothing) {
  Checkpoint none;
  none.keep("a", Vector{{1}}, true);
  Vector state;
  EXPECT_FALSE(none.restore("a", state));
}

}  // namespace
}  // namespace lgn
