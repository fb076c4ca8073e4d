#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "lgn/core/error.h"

namespace lgn::testing {

/// A test with an empty folder of its own, gone afterwards.
class InTemporaryFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::path(::testing::TempDir()) /
        ("lgn-" + std::to_string(::getpid()) + "-" + test->test_suite_name() + "-" + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string text(const std::string& path) {
    std::stringstream stream;
    stream << std::ifstream(path, std::ios::binary).rdbuf();
    return stream.str();
  }
  /// What the action throws as Error; empty where it does not.
  static std::string complaint(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  std::filesystem::path folder_;
};

}  // namespace lgn::testing
