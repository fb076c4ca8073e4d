#include <fmt/format.h>

#include <charconv>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/npy_header_internal.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::array_internal {
namespace {

/// A Python dictionary of the few forms that NumPy writes, taken apart from left to right.
class Dictionary {
 public:
  explicit Dictionary(std::string_view text) : text_(text), whole_(text) {}

  void read_into(NpyHeader& header) {
    expect('{');
    bool has_type = false, has_order = false, has_shape = false;
    while (!next_is('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !has_type) {
        header.type = next_is('[') ? list() : quoted();
        has_type = true;
      } else if (key == "fortran_order" && !has_order) {
        header.fortran_order = truth();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        header.shape = tuple();
        has_shape = true;
      } else {
        fail();
      }
      if (!next_is('}')) expect(',');
    }
    if (!has_type || !has_order || !has_shape) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw Error(fmt::format("the array's header {} is not understood", csv_internal::quote(whole_)),
                "the file is damaged: write it again with numpy.save or numpy.savez");
  }

  bool next_is(char c) {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) text_.remove_prefix(1);
    return text_.starts_with(c);
  }

  void expect(char c) {
    if (!next_is(c)) fail();
    text_.remove_prefix(1);
  }

  std::string quoted() {
    const char quote = next_is('"') ? '"' : '\'';
    expect(quote);
    const std::size_t end = text_.find(quote);
    if (end == text_.npos) fail();
    std::string content(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return content;
  }

  /// Everything up to the bracket that closes the list; names in it may hold brackets.
  std::string list() {
    std::size_t depth = 0, at = 0;
    char quote = '\0';
    for (; at < text_.size(); ++at) {
      const char c = text_[at];
      if (quote != '\0')
        quote = c == quote ? '\0' : quote;
      else if (c == '\'' || c == '"')
        quote = c;
      else if (c == '[')
        ++depth;
      else if (c == ']' && --depth == 0)
        break;
    }
    if (at == text_.size()) fail();
    std::string content(text_.substr(0, at + 1));
    text_.remove_prefix(at + 1);
    return content;
  }

  bool truth() {
    const bool value = next_is('T');
    const std::string_view word = value ? "True" : "False";
    if (!text_.starts_with(word)) fail();
    text_.remove_prefix(word.size());
    return value;
  }

  std::vector<std::size_t> tuple() {
    constexpr std::size_t most_dimensions = 32;  // NumPy's own limit
    std::vector<std::size_t> sizes;
    expect('(');
    while (!next_is(')')) {
      std::size_t size = 0;
      const char* const end = text_.data() + text_.size();
      const auto [stopped, error] = std::from_chars(text_.data(), end, size);
      if (error != std::errc() || sizes.size() == most_dimensions) fail();
      text_.remove_prefix(static_cast<std::size_t>(stopped - text_.data()));
      if (next_is('L')) expect('L');  // as Python 2 wrote long numbers
      sizes.push_back(size);
      if (!next_is(')')) expect(',');
    }
    expect(')');
    return sizes;
  }

  std::string_view text_, whole_;
};

}  // namespace

NpyHeader read_npy_header(std::string_view file) {
  constexpr std::string_view magic = "\x93NUMPY";
  const auto cut_off = [] {
    throw Error("the array's header is cut off", "the file is damaged: write it again");
  };
  if (!file.starts_with(magic))
    throw Error("it does not start as an NPY array does",
                "write it with numpy.save or numpy.savez");
  if (file.size() < magic.size() + 2) cut_off();
  const int version = file[magic.size()];
  if (version < 1 || version > 3)
    throw Error(fmt::format("version {} of the NPY format is not known", version),
                "versions 1 to 3 are");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t before = magic.size() + 2 + length_bytes;
  if (file.size() < before) cut_off();
  const char* const at = file.data() + magic.size() + 2;
  const std::size_t length =
      version == 1 ? load<std::uint16_t>(at, false) : load<std::uint32_t>(at, false);
  if (length > file.size() - before) cut_off();
  NpyHeader header;
  Dictionary(file.substr(before, length)).read_into(header);
  header.bytes = before + length;
  return header;
}

}  // namespace lgn::array_internal
