// lgn-neural TASK.json RESULT.json: trains the network that a task describes and writes what it predicts.
// Progress goes to the standard output, "epoch DONE ALL LOSS". Ends with 0, or with 2 for a task that
// cannot be done.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/neural/json_entry.h"
#include "experiments/neural/one_thread.h"
#include "experiments/neural/perform.h"

namespace {

using lgn::neural::BadTask;

nlohmann::json read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw BadTask("cannot read " + path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw BadTask(path + " is not JSON: " + error.what());
  }
}

/// A result without a place to go is better known before the training than after it.
void expect_folder_of(const std::string& path) {
  const auto folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder)) throw BadTask("cannot write " + path + ": no folder");
}

/// All or nothing: whoever sees the file sees a whole result.
void write(const std::string& path, const std::string& text) {
  const std::string draft = path + "." + std::to_string(getpid()) + ".tmp";
  std::error_code failure;
  std::ofstream file(draft, std::ios::binary);
  file << text << '\n';
  file.close();
  if (file) std::filesystem::rename(draft, path, failure);
  if (file && !failure) return;
  std::filesystem::remove(draft, failure);
  throw BadTask("cannot write " + path);
}

/// Prints at most twice a second, and the last epoch.
class Reporter {
 public:
  explicit Reporter(std::int64_t all) : all_(all) {}
  void operator()(std::int64_t done, double loss) {
    const auto now = std::chrono::steady_clock::now();
    if (done != all_ && now < next_) return;
    next_ = now + std::chrono::milliseconds(500);
    std::printf("epoch %lld %lld %.3e\n", static_cast<long long>(done),
                static_cast<long long>(all_), loss);
    std::fflush(stdout);
  }

 private:
  std::int64_t all_;
  std::chrono::steady_clock::time_point next_{};
};

int fail(std::string why) {
  for (char& c : why)
    if (c == '\n') c = ' ';
  std::fprintf(stderr, "lgn-neural: %s\n", why.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return fail("usage: lgn-neural TASK.json RESULT.json");
  lgn::neural::use_one_thread();
  try {
    const lgn::neural::Task task = lgn::neural::task_from(read(argv[1]));
    expect_folder_of(argv[2]);
    const lgn::neural::Result result = perform(task, Reporter(task.training.epochs));
    write(argv[2], json_of(result).dump());
  } catch (const c10::Error& error) {
    return fail(error.what_without_backtrace());
  } catch (const std::exception& error) {
    return fail(error.what());
  }
  return 0;
}
