#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_map>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/csv/csv.h"
#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/csv_number_internal.h"

namespace lgn::csv_internal {
namespace {

/// The samples of one run while rows arrive.
///
/// The matrices grow in place: for large ones realloc remaps pages, so that neither growth nor the
/// final cut needs a second copy, and pages beyond the last sample are never touched.
class RunBuilder {
 public:
  RunBuilder(const Layout& layout, std::string label, std::size_t first_line)
      : label_(std::move(label)),
        first_line_(first_line),
        states_(static_cast<Index>(layout.channels.size()), 0),
        inputs_(static_cast<Index>(layout.inputs.size()), 0) {}

  void append(const double* sample) {
    if (samples_ == times_.size()) resize(samples_ + samples_ / 2 + 2);
    times_[samples_] = sample[0];
    const Index channels = states_.rows(), inputs = inputs_.rows();
    std::copy_n(sample + 1, channels, states_.data() + samples_ * channels);
    std::copy_n(sample + 1 + channels, inputs, inputs_.data() + samples_ * inputs);
    ++samples_;
  }

  const std::string& label() const { return label_; }
  bool is_empty() const { return samples_ == 0; }
  double last_time() const { return times_[samples_ - 1]; }

  /// Moves the samples out.
  Trajectory finish(const std::string& file) {
    if (samples_ == 1)
      throw Error(fmt::format("run {} has only this sample", quote(label_)),
                  "a run needs at least two samples to show how the system moves",
                  Location{file, first_line_, 0});
    resize(samples_);
    return Trajectory(std::move(label_), std::move(times_), std::move(states_), std::move(inputs_));
  }

 private:
  void resize(Index capacity) {
    times_.conservativeResize(capacity);
    states_.conservativeResize(Eigen::NoChange, capacity);
    inputs_.conservativeResize(Eigen::NoChange, capacity);
  }

  std::string label_;
  std::size_t first_line_;
  Index samples_ = 0;
  Vector times_;
  Matrix states_, inputs_;
};

/// Reads one file: the header, then row after row into the run that the row belongs to.
class FileReader {
 public:
  /// `label` names the run of a file without labels; `prefix` goes before labels in the file.
  FileReader(InputFile file, std::size_t block_bytes, const CsvOptions& options, std::string label,
             std::string prefix)
      : lines_(std::move(file), block_bytes),
        options_(options),
        point_(options.decimal_comma ? ',' : '.'),
        file_label_(std::move(label)),
        prefix_(std::move(prefix)) {}

  void read(Layout& layout, std::vector<Trajectory>& runs);

 private:
  RunBuilder& read_row(const Line& line, const Layout& layout);
  const char* read_careful(const Line& line, const char* from, std::size_t column, double& value);
  void check_row(const Line& line, const RunBuilder& run, const Layout& layout) const;
  RunBuilder& run_labelled(const Line& line, const Cell& label, const char* at,
                           const Layout& layout);
  /// The label as it stands in the file.
  std::string_view own_label(const RunBuilder& run) const {
    return std::string_view(run.label()).substr(prefix_.size());
  }
  std::size_t count_cells(const Line& line, const char*& extra) const;
  [[noreturn]] void fail_width(const Line& line) const;
  [[noreturn]] void fail_cell(const Line& line, const char* at, std::size_t column,
                              const std::string& problem, const std::string& help) const;
  const char* start_of(const Line& line, std::size_t column) const;

  LineReader lines_;
  const CsvOptions& options_;
  char point_;
  std::string file_label_, prefix_;
  Columns columns_;
  std::vector<double> sample_;  ///< the time, the channels, the inputs
  /// A deque, because elements stay in place as it grows: the map looks into their labels.
  std::deque<RunBuilder> runs_;
  std::unordered_map<std::string_view, RunBuilder*> run_of_label_;
  /// Rows of a run mostly stand together, which spares most look-ups.
  RunBuilder* last_run_ = nullptr;
  std::string unquoted_, unquoted_label_;
};

const char* FileReader::start_of(const Line& line, std::size_t column) const {
  std::string unquoted;
  const char* at = line.begin;
  for (std::size_t c = 0; c < column; ++c)
    at = take_cell(line, at, columns_.separator, unquoted).next + 1;
  return at;
}

/// Counts cells; `extra` becomes the start of the first that the header has no column for.
std::size_t FileReader::count_cells(const Line& line, const char*& extra) const {
  std::string unquoted;
  std::size_t found = 0;
  extra = line.end;
  for (const char* at = line.begin;; ++at) {
    if (found++ == columns_.names.size()) extra = at;
    at = take_cell(line, at, columns_.separator, unquoted).next;
    if (at == line.end) return found;
  }
}

void FileReader::fail_width(const Line& line) const {
  const char* extra = nullptr;
  const std::size_t found = count_cells(line, extra);
  const std::string separator =
      columns_.separator == '\t' ? "tab" : fmt::format("\"{}\"", columns_.separator);
  line.fail(extra,
            fmt::format("{} cell{} in this row, expected {} as in the header", found,
                        found == 1 ? "" : "s", columns_.names.size()),
            fmt::format("as in the header, {} separates cells; a cell that holds it needs quotes",
                        separator));
}

/// A bad cell is often only the sign of a row that is not split as the header is: say that first.
void FileReader::fail_cell(const Line& line, const char* at, std::size_t column,
                           const std::string& problem, const std::string& help) const {
  const char* extra = nullptr;
  if (count_cells(line, extra) != columns_.names.size()) fail_width(line);
  line.fail(at, fmt::format("column {}: {}", quote(columns_.names[column]), problem), help);
}

/// Reads any cell, at the price of looking at it more than once.
const char* FileReader::read_careful(const Line& line, const char* from, std::size_t column,
                                     double& value) {
  const Cell cell = take_cell(line, from, columns_.separator, unquoted_);
  const NumberKind kind = parse_number(cell.text, point_, value);
  if (kind == NumberKind::present || kind == NumberKind::missing) return cell.next;
  const std::string shown = quote(cell.text);
  if (kind == NumberKind::infinite)
    fail_cell(line, from, column, shown + " is infinite",
              "leave the cell empty where a sample is missing");
  if (kind == NumberKind::out_of_range)
    fail_cell(line, from, column, shown + " is beyond the range of a double",
              "check the cell, or use another unit");
  std::string help = "write a number, or leave the cell empty where a sample is missing";
  if (options_.decimal_comma)
    help = "with " + setting("decimal_comma") + " numbers are written 0,5";
  else if (columns_.separator != ',' && parse_number(cell.text, ',', value) == NumberKind::present)
    help = "read numbers written 0,5 with " + setting("decimal_comma");
  fail_cell(line, from, column, shown + " is not a number", help);
}

RunBuilder& FileReader::run_labelled(const Line& line, const Cell& label, const char* at,
                                     const Layout& layout) {
  if (last_run_ != nullptr && label.text == own_label(*last_run_)) return *last_run_;
  const auto place = run_of_label_.find(label.text);
  if (place != run_of_label_.end()) return *(last_run_ = place->second);
  if (label.text.empty() && !label.quoted)
    line.fail(at, "column \"trajectory\": the label is missing",
              "every row needs the label of its run");
  if (first_unprintable(label.text) != label.text.size())
    line.fail(at, fmt::format("the label {} is not UTF-8 text", quote(label.text)),
              "export the data as CSV text, encoded in UTF-8");
  last_run_ = &runs_.emplace_back(layout, prefix_ + std::string(label.text), line.number);
  run_of_label_.emplace(own_label(*last_run_), last_run_);
  return *last_run_;
}

/// Checks what needs the whole row: its place in the run, and gaps where none may be.
void FileReader::check_row(const Line& line, const RunBuilder& run, const Layout& layout) const {
  const double time = sample_[0];
  const auto fail = [&](std::size_t column, const std::string& problem, const std::string& help) {
    fail_cell(line, start_of(line, column), column, problem, help);
  };
  if (std::isnan(time)) fail(columns_.time, "the time is missing", "every row needs a time");
  if (!run.is_empty() && !(time > run.last_time()))
    fail(columns_.time, fmt::format("the time {} follows {}", time, run.last_time()),
         "times must increase within a run; a column trajectory tells runs apart");
  for (std::size_t k = 1 + layout.channels.size(); k < sample_.size(); ++k) {
    if (!std::isnan(sample_[k])) continue;
    const auto slot =
        std::find(columns_.slots.begin(), columns_.slots.end(), static_cast<Index>(k));
    fail(static_cast<std::size_t>(slot - columns_.slots.begin()), "the input is missing",
         "inputs need every sample: fill the gap, or list other inputs with " + setting("inputs"));
  }
}

RunBuilder& FileReader::read_row(const Line& line, const Layout& layout) {
  const char separator = columns_.separator;
  const std::size_t width = columns_.slots.size();
  const Index* const slots = columns_.slots.data();
  const char* const end = line.end;
  const char* at = line.begin;
  const char* label_at = nullptr;
  Cell label;
  for (std::size_t c = 0; c < width; ++c) {
    if (c > 0) {
      if (at == end) fail_width(line);
      ++at;
    }
    if (const Index slot = slots[c]; slot >= 0) {
      double& value = sample_[static_cast<std::size_t>(slot)];
      const char* const stop = parse_number_fast(at, end, point_, value);
      const bool whole = stop != nullptr && (stop == end || *stop == separator);
      at = whole ? stop : read_careful(line, at, c, value);
    } else if (slot == Columns::kLabel) {
      label_at = at;
      label = take_cell(line, at, separator, unquoted_label_);
      at = label.next;
    } else {
      at = take_cell(line, at, separator, unquoted_).next;
    }
  }
  if (at != end) fail_width(line);

  if (label_at == nullptr && runs_.empty()) runs_.emplace_back(layout, file_label_, line.number);
  RunBuilder& run =
      label_at == nullptr ? runs_.front() : run_labelled(line, label, label_at, layout);
  check_row(line, run, layout);
  return run;
}

void FileReader::read(Layout& layout, std::vector<Trajectory>& runs) {
  Line line;
  if (!lines_.next(line))
    throw Error(
        lines_.lines() == 0 ? "the file is empty" : "no header: only comments or blank lines",
        "the first row names the columns, such as t,x1,x2", Location{lines_.name(), 0, 0});
  columns_ = read_header(line, options_, layout);
  sample_.resize(1 + layout.channels.size() + layout.inputs.size());
  while (lines_.next(line)) read_row(line, layout).append(sample_.data());
  if (runs_.empty())
    throw Error("no data row after the header", "the file needs at least two rows of numbers",
                Location{lines_.name(), lines_.lines(), 0});
  // Exact for a single file, geometric growth for many.
  if (const std::size_t total = runs.size() + runs_.size(); total > runs.capacity())
    runs.reserve(std::max(total, 2 * runs.capacity()));
  for (; !runs_.empty(); runs_.pop_front()) runs.push_back(runs_.front().finish(lines_.name()));
}

}  // namespace

void read_csv_file(InputFile file, std::size_t block_bytes, const CsvOptions& options,
                   const std::string& label, const std::string& prefix, Layout& layout,
                   std::vector<Trajectory>& runs) {
  FileReader(std::move(file), block_bytes, options, label, prefix).read(layout, runs);
}

}  // namespace lgn::csv_internal
