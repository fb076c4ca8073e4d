#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/csv_number_internal.h"

namespace lgn::csv_internal {
namespace {

const char* find_byte(const char* from, const char* end, char byte) {
  return static_cast<const char*>(std::memchr(from, byte, static_cast<std::size_t>(end - from)));
}

bool is_skipped(const char* begin, const char* end) {
  while (begin != end && (*begin == ' ' || *begin == '\t')) ++begin;
  return begin == end || ((*begin == '#' || *begin == '%' || *begin == '/') &&
                          is_comment_line(std::string_view(begin, end)));
}

}  // namespace

LineReader::LineReader(InputFile file, std::size_t block_bytes) : file_(std::move(file)) {
  reserve(std::max<std::size_t>(block_bytes, 1));
}

void LineReader::reserve(std::size_t bytes) {
  // realloc moves a large buffer by remapping its pages, without a second copy of a long line.
  char* memory = static_cast<char*>(std::realloc(buffer_.get(), bytes + 1 + kReadAhead));
  if (memory == nullptr) throw std::bad_alloc();
  static_cast<void>(buffer_.release());
  buffer_.reset(memory);
  capacity_ = bytes;
}

void LineReader::refuse_binary(const char* from, std::size_t bytes) const {
  const char* zero = find_byte(from, from + bytes, '\0');
  if (zero == nullptr) return;
  // The lines before this block are all handed out, so the count continues from theirs.
  const char* start = buffer_.get();
  std::size_t line = number_ + 1;
  while (const char* newline = find_byte(start, zero, '\n')) {
    start = newline + 1;
    ++line;
  }
  throw Error("a zero byte: this is no text file", "export the data as CSV text, encoded in UTF-8",
              Location{name(), line, static_cast<std::size_t>(zero - start) + 1});
}

bool LineReader::refill() {
  if (ended_) return false;
  char* const buffer = buffer_.get();
  std::memmove(buffer, buffer + whole_, filled_ - whole_);
  filled_ -= whole_;
  whole_ = position_ = 0;
  while (whole_ == 0) {
    if (filled_ == capacity_) {
      if (capacity_ >= kLongestLine)
        throw Error(fmt::format("a line is longer than {} bytes", kLongestLine),
                    "check that the file is a table", Location{name(), number_ + 1, 0});
      reserve(2 * capacity_);
    }
    const std::size_t got = file_.read(buffer_.get() + filled_, capacity_ - filled_);
    char* const fresh = buffer_.get() + filled_;
    if (got == 0) {
      ended_ = true;
      if (filled_ == 0) return false;
      *fresh = '\n';  // the last line may lack its end
      whole_ = ++filled_;
      break;
    }
    refuse_binary(fresh, got);
    filled_ += got;
    for (std::size_t k = got; k > 0 && whole_ == 0; --k)
      if (fresh[k - 1] == '\n') whole_ = static_cast<std::size_t>(fresh - buffer_.get()) + k;
  }
  return true;
}

bool LineReader::next(Line& line) {
  for (;;) {
    if (position_ == whole_ && !refill()) return false;
    const char* begin = buffer_.get() + position_;
    const char* end = find_byte(begin, buffer_.get() + whole_, '\n');
    position_ = static_cast<std::size_t>(end - buffer_.get()) + 1;
    ++number_;
    if (end != begin && end[-1] == '\r') --end;
    if (number_ == 1 && std::string_view(begin, end).starts_with("\xEF\xBB\xBF")) begin += 3;
    if (number_ < first_ || is_skipped(begin, end)) continue;
    line = {&name(), number_, begin, end};
    return true;
  }
}

}  // namespace lgn::csv_internal
