#include "lgn/core/checkpoint.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "lgn/core/error.h"
#include "lgn/core/output_file.h"

// The format, a line each:
//     lgn-checkpoint/1
//     signature TEXT
//     stage COUNT NAME            then COUNT lines, the 16 hexadecimal digits of a double's bits
//     end CHECKSUM                of every byte before this line
// TEXT and NAME have \n, \r and \\ for a line's end, a carriage return and a backslash.

namespace lgn {
namespace {

constexpr std::string_view magic = "lgn-checkpoint/1";
constexpr auto least_pause = std::chrono::seconds(1);

/// FNV-1a over 64 bits: finds truncation and accidents, which is all that is asked of it.
std::uint64_t checksum(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\r') {
      line += "\\r";
    } else if (c == '\\') {
      line += "\\\\";
    } else {
      line += c;
    }
  }
  return line;
}

std::string from_one_line(std::string_view line) {
  std::string text;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] != '\\' || k + 1 == line.size()) {
      text += line[k];
      continue;
    }
    const char c = line[++k];
    text += c == 'n' ? '\n' : c == 'r' ? '\r' : c;
  }
  return text;
}

/// Takes a checkpoint's text apart, line by line; anything unexpected throws.
class Reader {
 public:
  Reader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  bool ends() const { return text_.empty(); }
  bool next_is(std::string_view word) const { return text_.starts_with(word); }
  /// The rest of the next line, which starts with `word`.
  std::string_view line(std::string_view word) {
    const auto end = text_.find('\n');
    if (!text_.starts_with(word) || end == std::string_view::npos) damaged();
    const auto rest = text_.substr(word.size(), end - word.size());
    text_.remove_prefix(end + 1);
    return rest;
  }
  template <class Number>
  Number number(std::string_view digits, int base) const {
    Number value{};
    const char* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, value, base);
    if (error != std::errc{} || end != last) damaged();
    return value;
  }
  std::size_t left() const { return text_.size(); }
  [[noreturn]] void damaged() const {
    throw Error("is not a whole checkpoint", "remove it or name another file", {path_, 0, 0});
  }

 private:
  std::string_view text_;
  const std::string& path_;
};

}  // namespace

Checkpoint::Checkpoint(std::string path, std::string signature)
    : path_(std::move(path)), signature_(std::move(signature)) {
  if (path_.empty() || path_ == "-")
    throw Error("a checkpoint needs a file", "standard output cannot be read again");
  std::error_code unreachable;  // which the probe below reports
  const auto status = std::filesystem::status(path_, unreachable);
  const bool exists = std::filesystem::is_regular_file(status);
  if (std::filesystem::exists(status) && !exists && !std::filesystem::is_directory(status))
    throw Error("a checkpoint needs a regular file", "name another file", {path_, 0, 0});
  // Opens a temporary file beside it and drops it: better an error now than after an hour.
  const OutputFile probe(path_);
  if (exists) read();
}

bool Checkpoint::restore(const std::string& stage, Vector& state) const {
  const auto found = states_.find(stage);
  if (found == states_.end()) return false;
  state = found->second;
  return true;
}

void Checkpoint::keep(const std::string& stage, const Vector& state, bool now) {
  if (path_.empty()) return;
  states_[stage] = state;
  const auto time = std::chrono::steady_clock::now();
  if (!now && written_ && time - *written_ < least_pause) return;
  write();
  written_ = time;
}

void Checkpoint::read() {
  std::ifstream file(path_, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw Error("cannot read", {}, {path_, 0, 0});
  Reader reader(text, path_);
  if (!reader.line(magic).empty()) reader.damaged();
  const std::string signature = from_one_line(reader.line("signature "));
  while (reader.next_is("stage ")) {
    const auto line = reader.line("stage ");
    const auto space = line.find(' ');
    if (space == std::string_view::npos) reader.damaged();
    const auto count = reader.number<std::size_t>(line.substr(0, space), 10);
    if (count > reader.left()) reader.damaged();  // before memory is asked for
    Vector& state = states_[from_one_line(line.substr(space + 1))];
    state.resize(static_cast<Index>(count));
    for (double& value : state)
      value = std::bit_cast<double>(reader.number<std::uint64_t>(reader.line(""), 16));
  }
  const auto body = std::string_view(text).substr(0, text.size() - reader.left());
  if (reader.number<std::uint64_t>(reader.line("end "), 16) != checksum(body) || !reader.ends())
    reader.damaged();
  if (signature != signature_)
    throw Error("belongs to another command or other data", "remove it or name another file",
                {path_, 0, 0});
}

void Checkpoint::write() {
  std::string text = fmt::format("{}\nsignature {}\n", magic, in_one_line(signature_));
  for (const auto& [stage, state] : states_) {
    text += fmt::format("stage {} {}\n", state.size(), in_one_line(stage));
    for (const double value : state)
      fmt::format_to(std::back_inserter(text), "{:016x}\n", std::bit_cast<std::uint64_t>(value));
  }
  text += fmt::format("end {:016x}\n", checksum(text));
  write_file(path_, text);
}

}  // namespace lgn
