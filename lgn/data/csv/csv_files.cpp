#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/data/csv/csv.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn {
namespace csv_internal {
namespace {

std::string base_name(const std::string& path) {
  if (path == "-") return "stdin";
  const std::size_t slash = path.find_last_of('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

}  // namespace

Dataset read_files(const std::vector<std::string>& paths, const ReadFile& read, Reading* reading) {
  if (paths.empty()) throw Error("no file to read", "name a data file, or - for standard input");
  if (std::count(paths.begin(), paths.end(), "-") > 1)
    throw Error("standard input (-) is named twice", "it can be read once");
  const bool several = paths.size() > 1;
  std::vector<std::string> labels(paths.size());
  std::transform(paths.begin(), paths.end(), labels.begin(), base_name);
  labels = made_unique(std::move(labels));

  Layout layout;
  std::vector<Trajectory> runs;
  Reading understood;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    FileReading& file = understood.files.emplace_back();
    file.file = paths[k] == "-" ? "stdin" : paths[k];
    read(paths[k], {several ? labels[k] : "1", several ? labels[k] + ":" : "", layout, runs, file});
  }
  if (reading != nullptr) *reading = std::move(understood);
  try {
    return Dataset(std::move(layout.channels), std::move(runs), std::move(layout.inputs));
  } catch (const Error& error) {
    // What is wrong with the data as a whole belongs to no line, and with several files to none.
    throw Error(error.problem(), error.help(), Location{several ? "" : layout.first_file, 0, 0});
  }
}

namespace {

InputFile opened(const std::string& path, FileReading& reading) {
  InputFile file(path);
  reading.compression = file.unpack();
  return file;
}

}  // namespace

Dataset read_csv(const std::vector<std::string>& paths, const ReadOptions& options,
                 std::size_t block_bytes, Reading* reading) {
  return read_files(
      paths,
      [&](const std::string& path, const FilePlace& place) {
        read_csv_file(opened(path, place.reading), block_bytes, options, place);
      },
      reading);
}

Vector read_csv_times(InputFile file, const ReadOptions& options, Reading* reading) {
  const std::string name = file.name();
  ReadOptions times_only = options;
  times_only.times_only = true;
  times_only.channels.clear();
  Layout layout;
  std::vector<Trajectory> runs;
  FileReading understood;
  understood.file = name;
  read_csv_file(std::move(file), kBlockBytes, times_only, {"1", "", layout, runs, understood});
  if (reading != nullptr) reading->files = {std::move(understood)};
  if (runs.size() != 1)
    throw Error(fmt::format("{} runs where one is expected", runs.size()),
                "leave one trajectory in the file", Location{name, 0, 0});
  return runs.front().times();
}

}  // namespace csv_internal

Vector read_times(const std::string& path, const ReadOptions& options) {
  FileReading ignored;
  return csv_internal::read_csv_times(csv_internal::opened(path, ignored), options, nullptr);
}

Dataset read_csv(const std::vector<std::string>& paths, const ReadOptions& options,
                 Reading* reading) {
  return csv_internal::read_csv(paths, options, csv_internal::kBlockBytes, reading);
}

}  // namespace lgn
