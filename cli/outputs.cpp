#include "cli/outputs.h"

#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/interrupt.h"
#include "lgn/core/error.h"
#include "lgn/core/output_file.h"

namespace lgn::cli {
namespace {

namespace fs = std::filesystem;

/// Whether writing one would change the other. Devices and pipes are streams: they may repeat.
bool same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return a == b;
  std::error_code ignored;
  if (fs::exists(a, ignored) && !fs::is_regular_file(a, ignored)) return false;
  const auto place = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  };
  return fs::equivalent(a, b, ignored) || place(a) == place(b);
}

}  // namespace

void check_outputs(const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const std::string& path = outputs[k];
    if (path.empty()) continue;
    const std::string name = path == "-" ? "standard output" : path;
    for (std::size_t other = 0; other < k; ++other)
      if (!outputs[other].empty() && same_file(path, outputs[other]))
        throw Error("two outputs would go there", "name one of them differently", {name, 0, 0});
    for (const auto& input : inputs)
      if (input != "-" && same_file(path, input))
        throw Error("the output would replace an input", "write to another file", {name, 0, 0});
    // A pipe can be opened only once; anything else shows here whether it can be written.
    std::error_code ignored;
    if (path != "-" && !fs::is_fifo(path, ignored)) OutputFile{path};
  }
}

void add_figures(std::vector<std::pair<std::string, std::string>>& files, const std::string& folder,
                 const std::vector<Figure>& figures) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw Error("the folder cannot be made: " + failed.message(), {}, {folder, 0, 0});
  for (const auto& figure : figures)
    files.emplace_back(folder + "/" + figure.name + ".svg", figure.svg);
}

void write_together(const std::vector<std::pair<std::string, std::string>>& files) {
  const Interrupt all_or_none;
  std::vector<std::unique_ptr<OutputFile>> open;
  for (const auto& [path, text] : files) {
    if (path.empty()) continue;
    open.push_back(std::make_unique<OutputFile>(path));
    open.back()->write(text);
    open.back()->finish();
  }
  for (const auto& file : open) file->commit();
}

}  // namespace lgn::cli
