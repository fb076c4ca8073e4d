#pragma once

// The text of one cell as a number; private to the CSV reader and its tests.

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace lgn::csv_internal {

enum class NumberKind { present, missing, infinite, out_of_range, malformed };

/// Reads a whole cell, whatever it holds; `value` is NaN unless the kind is `present`.
/// What is too small for a double is zero.
NumberKind parse_number(std::string_view text, char point, double& value);

/// A number whose digits stand in groups of three, 1,234.5; false for anything else.
bool parse_grouped_number(std::string_view text, double& value);

/// Words that stand for a missing sample beside an empty cell, nan and NA: -, --, #N/A, null, ….
bool is_missing_word(std::string_view text);

/// Bytes after the end of a line that `parse_number_fast` may load (it uses none of them).
inline constexpr std::size_t kReadAhead = 8;

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

inline constexpr std::ptrdiff_t kSafeDigits = 19;    ///< as many fit 64 bits, whatever they are
inline constexpr std::ptrdiff_t kLargestScale = 27;  ///< 5²⁷ < 2⁶⁴ < 5²⁸

/// w / 10ᵏ to the nearest double, ties to even, for 0 ≤ k ≤ 27.
///
/// If w and 10ᵏ are doubles, their quotient is that. Otherwise, with both numbers shifted to 64
/// bits, w 2ᵃ / (5ᵏ 2ᵇ) lies between 1/2 and 2, so that 2⁶³ times it is a quotient of 63 or 64
/// bits. Its lowest bit also records whether a remainder is left; ten bits stand between that one
/// and the 53 of a double, so the conversion to double rounds as the exact value would.
inline double divided_by_power_of_ten(std::uint64_t w, int k) {
  static constexpr double kTens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (w <= std::uint64_t{1} << 53 && k <= 22) return static_cast<double>(w) / kTens[k];
  if (w == 0) return 0.0;
  __extension__ using Wide = unsigned __int128;
  static constexpr auto kFives = [] {
    std::array<std::uint64_t, kLargestScale + 1> powers = {};
    powers[0] = 1;
    for (std::size_t j = 1; j < powers.size(); ++j) powers[j] = 5 * powers[j - 1];
    return powers;
  }();
  const std::uint64_t five = kFives[static_cast<std::size_t>(k)];
  const int a = std::countl_zero(w), b = std::countl_zero(five);
  const Wide dividend = static_cast<Wide>(w << a) << 63;
  const std::uint64_t divisor = five << b;
  auto quotient = static_cast<std::uint64_t>(dividend / divisor);
  quotient |= static_cast<std::uint64_t>(dividend) != quotient * divisor;
  const auto exponent = static_cast<std::uint64_t>(1023 + b - a - k - 63);
  return static_cast<double>(quotient) * std::bit_cast<double>(exponent << 52);
}

/// The eight characters at `at` as a number; false if one is not a digit (or bytes are in the other
/// order).
inline bool eight_digits(const char* at, std::uint64_t& number) {
  if constexpr (std::endian::native != std::endian::little) return false;
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  // Digits are 0x30 … 0x39: the high half is 3, and adding 6 does not carry into it.
  constexpr std::uint64_t kHigh = 0xF0F0F0F0F0F0F0F0, kZeros = 0x3030303030303030;
  if ((word & kHigh) != kZeros || ((word + 0x0606060606060606) & kHigh) != kZeros) return false;
  // Neighbours are joined three times: digits to pairs, to fours, to eight.
  word -= kZeros;
  word = (word * 10 + (word >> 8)) & 0x00FF00FF00FF00FF;
  word = (word * 100 + (word >> 16)) & 0x0000FFFF0000FFFF;
  number = (word * 10000 + (word >> 32)) & 0x00000000FFFFFFFF;
  return true;
}

/// Continues `number` with the digits at `at`; returns where they stop.
inline const char* take_digits(const char* at, std::uint64_t& number) {
  std::uint64_t eight = 0;
  while (eight_digits(at, eight)) {
    number = 100000000 * number + eight;
    at += 8;
  }
  for (; is_digit(*at); ++at) number = 10 * number + static_cast<std::uint64_t>(*at - '0');
  return at;
}

/// Takes e-12 at `at` into the power of ten that the digits are divided by; `at` if it is
/// malformed.
inline const char* take_exponent(const char* at, std::ptrdiff_t& scale) {
  const char* digit = at + 1;
  const bool negative = *digit == '-';
  digit += negative || *digit == '+';
  const char* const first = digit;
  std::ptrdiff_t exponent = 0;
  for (; is_digit(*digit) && digit - first < 4; ++digit) exponent = 10 * exponent + (*digit - '0');
  if (digit == first || is_digit(*digit)) return at;
  scale += negative ? exponent : -exponent;
  return digit;
}

/// Reads an ordinary finite number that starts at `from`, correctly rounded, and returns where it
/// stops; nullptr where `parse_number` has to look.
/// `*end` must be no digit (a line's end is none), with kReadAhead readable bytes from there.
inline const char* parse_number_fast(const char* from, const char* end, char point, double& value) {
  const bool negative = *from == '-';
  const char* at = from + negative;
  const char* const first = at;
  std::uint64_t mantissa = 0;
  for (; is_digit(*at); ++at) mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at - '0');
  std::ptrdiff_t digits = at - first, scale = 0;
  if (*at == point) {
    const char* const fraction = ++at;
    at = take_digits(at, mantissa);
    scale = at - fraction;
    digits += scale;
  }
  if (digits == 0) return nullptr;
  if (digits > kSafeDigits)  // leading zeros do not count
    for (const char* zero = first; *zero == '0' || *zero == point; ++zero) digits -= *zero == '0';
  if ((*at | 0x20) == 'e') at = take_exponent(at, scale);
  if (digits <= kSafeDigits && scale >= 0 && scale <= kLargestScale) {
    const double magnitude = divided_by_power_of_ten(mantissa, static_cast<int>(scale));
    value = negative ? -magnitude : magnitude;
    return at;
  }
  if (point != '.') return nullptr;
  const auto [stop, error] = std::from_chars(from, end, value);
  constexpr double kLargest = std::numeric_limits<double>::max();
  return error == std::errc{} && value <= kLargest && value >= -kLargest ? stop : nullptr;
}

}  // namespace lgn::csv_internal
