#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lgn/core/error.h"
#include "lgn/core/output_file.h"
#include "lgn/data/csv/csv.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn {
namespace {

/// The name as a cell: in quotes where the reader would otherwise see something else.
std::string as_cell(const std::string& name, const std::string& path) {
  if (csv_internal::first_unprintable(name) != name.size())
    throw Error(fmt::format("the name {} cannot be a CSV cell", csv_internal::quote(name)),
                "rename it without line breaks and control characters", Location{path, 0, 0});
  const bool is_plain = !name.empty() && name.find_first_of(",;\t\"") == name.npos &&
                        name.front() != ' ' && name.back() != ' ' && name.front() != '#';
  if (is_plain) return name;
  std::string cell = "\"";
  for (const char c : name) cell.append(c == '"' ? 2 : 1, c);
  return cell + "\"";
}

std::string header(const Dataset& data, const std::string& path) {
  std::string text = data.runs().size() > 1 ? "trajectory,t" : "t";
  for (const auto* names : {&data.channels(), &data.inputs()})
    for (const auto& name : *names) {
      if (name == "t" || name == "trajectory")
        throw Error(fmt::format("a channel named \"{}\" cannot be written", name),
                    "in a CSV file that column has its own meaning; rename the channel",
                    Location{path, 0, 0});
      text += "," + as_cell(name, path);
    }
  return text + "\n";
}

/// Numbers and text, gathered into large writes.
class Buffer {
 public:
  explicit Buffer(OutputFile& file) : file_(file), memory_(kBytes) {}

  void add(std::string_view text) {
    if (text.size() > kBytes - used_) flush();
    if (text.size() > kBytes) {
      file_.write(text);
      return;
    }
    std::copy(text.begin(), text.end(), memory_.data() + used_);
    used_ += text.size();
  }

  /// The shortest text that reads back to the same number, or nothing for a gap; then `after`.
  void add(double value, char after) {
    if (kBytes - used_ < kLongestNumber) flush();
    if (!Trajectory::missing(value)) {
      char* const from = memory_.data() + used_;
      const char* const stop = std::to_chars(from, from + kLongestNumber - 1, value).ptr;
      used_ += static_cast<std::size_t>(stop - from);
    }
    memory_[used_++] = after;
  }

  void flush() {
    file_.write(std::string_view(memory_.data(), used_));
    used_ = 0;
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 18;
  static constexpr std::size_t kLongestNumber = 32;  // -2.2250738585072014e-308 takes 24

  OutputFile& file_;
  std::vector<char> memory_;
  std::size_t used_ = 0;
};

void write_run(const Trajectory& run, const std::string& label_cell, Buffer& buffer) {
  const Index channels = run.states().rows(), inputs = run.inputs().rows();
  for (Index k = 0; k < run.samples(); ++k) {
    buffer.add(label_cell);
    buffer.add(run.times()[k], ',');
    for (Index c = 0; c < channels; ++c)
      buffer.add(run.states()(c, k), c + 1 < channels || inputs > 0 ? ',' : '\n');
    for (Index c = 0; c < inputs; ++c) buffer.add(run.inputs()(c, k), c + 1 < inputs ? ',' : '\n');
  }
}

}  // namespace

void write_csv(const Dataset& data, const std::string& path) {
  OutputFile file(path);
  Buffer buffer(file);
  buffer.add(header(data, path));
  std::vector<std::string> labels;
  for (const auto& run : data.runs()) labels.push_back(run.label());
  labels = csv_internal::made_unique(std::move(labels));
  for (std::size_t k = 0; k < labels.size(); ++k)
    write_run(data.runs()[k], labels.size() > 1 ? as_cell(labels[k], path) + "," : "", buffer);
  buffer.flush();
  file.commit();
}

}  // namespace lgn
