#include "lgn/core/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "lgn/core/error.h"
#include "tests/core/temporary_folder.h"

namespace lgn {
namespace {

namespace fs = std::filesystem;

class OutputFileIn : public testing::InTemporaryFolder {
 protected:
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
};

TEST_F(OutputFileIn, AppearsOnlyWithCommit) {
  OutputFile file(path("a"));
  file.write("one ");
  file.write("two");
  EXPECT_FALSE(fs::exists(path("a")));
  file.commit();
  EXPECT_EQ(text(path("a")), "one two");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutputFileIn, LeavesNothingBehindAfterAnException) {
  try {
    OutputFile file(path("a"));
    file.write("half of it");
    throw std::runtime_error("stop");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(entries(), 0u);
}

TEST_F(OutputFileIn, KeepsTheOldFileUntilCommit) {
  write_file(path("a"), "old");
  {
    OutputFile file(path("a"));
    file.write("new");
    EXPECT_EQ(text(path("a")), "old");
  }
  EXPECT_EQ(text(path("a")), "old");
  write_file(path("a"), "new");
  EXPECT_EQ(text(path("a")), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutputFileIn, KeepsThePermissionsOfTheFileItReplaces) {
  write_file(path("a"), "old");
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
  write_file(path("a"), "new");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputFileIn, WritesWhereALinkPoints) {
  write_file(path("real"), "old");
  fs::create_symlink(path("real"), path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text(path("real")), "new");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(OutputFileIn, TwoAtOnceDoNotMix) {
  OutputFile one(path("a")), other(path("a"));
  one.write("one");
  other.write("other");
  other.commit();
  one.commit();
  EXPECT_EQ(text(path("a")), "one");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutputFileIn, RefusesAFolder) {
  const std::string message = complaint([&] { write_file(folder_.string(), "x"); });
  EXPECT_EQ(message, folder_.string() + ": cannot write: Is a directory");
}

TEST_F(OutputFileIn, RefusesAMissingFolder) {
  const std::string message = complaint([&] { write_file(path("no/such/a"), "x"); });
  EXPECT_EQ(message, path("no/such/a") + ": cannot write: No such file or directory");
  EXPECT_EQ(entries(), 0u);
}

TEST_F(OutputFileIn, ReportsAFullDisk) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  const std::string message = complaint([] { write_file("/dev/full", "x"); });
  EXPECT_EQ(message, "/dev/full: cannot write: No space left on device");
}

TEST_F(OutputFileIn, WritesToADeviceDirectly) {
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFileIn, RefusesAFileThatMayNotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  write_file(path("a"), "old");
  fs::permissions(path("a"), fs::perms::owner_read);
  EXPECT_EQ(complaint([&] { write_file(path("a"), "x"); }),
            path("a") + ": cannot write: Permission denied");
  EXPECT_EQ(text(path("a")), "old");
}

TEST_F(OutputFileIn, WritesLargeTextsWhole) {
  std::string large(5'000'000, 'x');
  large.back() = 'y';
  write_file(path("a"), large);
  EXPECT_TRUE(text(path("a")) == large);
}

}  // namespace
}  // namespace lgn
