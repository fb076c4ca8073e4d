#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/input_file_internal.h"

namespace lgn::csv_internal {
namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

using array_internal::append_utf8;

/// Takes blocks of one encoding and hands out UTF-8.
class Recoded : public ByteSource {
 public:
  explicit Recoded(std::unique_ptr<ByteSource> text) : text_(std::move(text)) {}

  std::size_t read(char* to, std::size_t size) override {
    while (taken_ == ready_.size()) {
      ready_.clear();
      taken_ = 0;
      const std::size_t got = text_->read(input_.data(), input_.size());
      if (got == 0) {
        finish(ready_);
        if (ready_.empty()) return 0;
        break;
      }
      recode(std::string_view(input_.data(), got), ready_);
    }
    const std::size_t given = std::min(size, ready_.size() - taken_);
    std::copy_n(ready_.data() + taken_, given, to);
    taken_ += given;
    return given;
  }

 private:
  virtual void recode(std::string_view block, std::string& into) = 0;
  /// What a cut-off end leaves.
  virtual void finish(std::string&) {}

  std::unique_ptr<ByteSource> text_;
  std::array<char, std::size_t{1} << 16> input_;
  std::string ready_;
  std::size_t taken_ = 0;
};

class Utf16 : public Recoded {
 public:
  Utf16(std::unique_ptr<ByteSource> text, bool big_endian)
      : Recoded(std::move(text)), big_endian_(big_endian) {}

 private:
  void recode(std::string_view block, std::string& into) override {
    for (const char c : block) {
      const auto byte = static_cast<unsigned char>(c);
      if (half_ < 0) {
        half_ = byte;
        continue;
      }
      const auto other = static_cast<std::uint32_t>(std::exchange(half_, -1));
      unit(big_endian_ ? other << 8 | byte : std::uint32_t{byte} << 8 | other, into);
    }
  }
  void unit(std::uint32_t value, std::string& into) {
    const bool is_high = value >= 0xD800 && value < 0xDC00,
               is_low = value >= 0xDC00 && value < 0xE000;
    if (high_ != 0 && is_low) {
      append_utf8(into, 0x10000 + ((std::exchange(high_, 0) - 0xD800) << 10) + (value - 0xDC00));
      return;
    }
    if (std::exchange(high_, 0) != 0) append_utf8(into, kReplacement);
    if (is_high)
      high_ = value;
    else
      append_utf8(into, is_low ? kReplacement : value);
  }
  void finish(std::string& into) override {
    if (std::exchange(high_, 0) != 0 || std::exchange(half_, -1) >= 0)
      append_utf8(into, kReplacement);
  }

  bool big_endian_;
  int half_ = -1;           ///< the first byte of a pair whose second has not come
  std::uint32_t high_ = 0;  ///< the first half of a character of two units
};

/// Latin-1 as Windows has it: characters in place of the controls from 0x80 to 0x9F.
class Latin1 : public Recoded {
 public:
  using Recoded::Recoded;

 private:
  void recode(std::string_view block, std::string& into) override {
    static constexpr std::array<std::uint16_t, 32> windows = {
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};
    for (const char c : block) {
      const auto byte = static_cast<unsigned char>(c);
      append_utf8(into, byte >= 0x80 && byte < 0xA0 ? windows[byte - 0x80U] : byte);
    }
  }
};

}  // namespace

std::unique_ptr<ByteSource> from_utf16(std::unique_ptr<ByteSource> text, bool big_endian) {
  return std::make_unique<Utf16>(std::move(text), big_endian);
}

std::unique_ptr<ByteSource> from_latin1(std::unique_ptr<ByteSource> text) {
  return std::make_unique<Latin1>(std::move(text));
}

}  // namespace lgn::csv_internal
