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

/// A number whose digits stand in groups of three, 1,234.5, or 1.234,5 where the point is a comma; false
/// for anything else.
bool parse_grouped_number(std::string_view text, char point, double& value);

/// Words that stand for a missing sample beside an empty cell, nan and NA: -, --, #N/A, null, ….
bool is_missing_word(std::string_view text);

/// Bytes after the end of a line that `parse_number_fast` may load (it uses none of them).
inline constexpr std::size_t kReadAhead = 8;

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

inline constexpr std::ptrdiff_t kSafeDigits = 19;    ///< as many fit 64 bits, whatever they are
inline constexpr std::ptrdiff_t kLargestScale = 27;  ///< 5²⁷ < 2⁶⁴ < 5²⁸

__extension__ using Wide = unsigned __int128;

/// A power of five, shifted until its highest bit is set.
struct PowerOfFive {
  std::uint64_t shifted = 0;
  std::uint64_t reciprocal = 0;  ///< ⌊2¹²⁶ / shifted⌋
  int shift = 0;
};

/// 5ᵏ for 0 ≤ k ≤ 27.
inline constexpr auto kPowersOfFive = [] {
  std::array<PowerOfFive, kLargestScale + 1> powers = {};
  std::uint64_t five = 1;
  for (auto& power : powers) {
    power.shift = std::countl_zero(five);
    power.shifted = five << power.shift;
    power.reciprocal = static_cast<std::uint64_t>((Wide{1} << 126) / power.shifted);
    five *= 5;
  }
  return powers;
}();

/// w / 10ᵏ to the nearest double, ties to even, for 0 ≤ k ≤ 27.
///
/// With both numbers shifted to 64 bits, q = 2⁶² w 2ᵃ / (5ᵏ 2ᵇ) lies between 2⁶¹ and 2⁶³. The product
/// with the reciprocal falls short of q by less than 2: where the double nearest to it is also the
/// one nearest to 2 more, it is the one nearest to q. Where it is not, in one of a few hundred
/// numbers, q is divided. The lowest bit of the quotient then also records whether a remainder is
/// left; eight bits or more stand between that one and the 53 of a double, so the conversion to
/// double rounds as the exact value would.
inline double divided_by_power_of_ten(std::uint64_t w, int k) {
  if (w == 0) return 0.0;
  const PowerOfFive& five = kPowersOfFive[static_cast<std::size_t>(k)];
  const int a = std::countl_zero(w);
  w <<= a;
  const auto least = static_cast<std::uint64_t>((Wide{w} * five.reciprocal) >> 64);
  // As signed numbers, which processors convert at once; one beyond their range agrees with none.
  const auto nearest = [](std::uint64_t q) {
    return static_cast<double>(static_cast<std::int64_t>(q));
  };
  double quotient = nearest(least);
  if (quotient != nearest(least + 2)) [[unlikely]] {
    const Wide dividend = Wide{w} << 62;
    auto exact = static_cast<std::uint64_t>(dividend / five.shifted);
    exact |= static_cast<std::uint64_t>(dividend) != exact * five.shifted;
    quotient = static_cast<double>(exact);
  }
  const auto exponent = static_cast<std::uint64_t>(1023 + five.shift - a - k - 62);
  return quotient * std::bit_cast<double>(exponent << 52);
}

/// Eight characters less '0', the first in the lowest byte: digits are 0 … 9 in it.
inline std::uint64_t load_eight(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word ^ 0x3030303030303030;
}

/// The highest bits of those bytes that are no digits, correct up to the first of them.
inline std::uint64_t other_bytes(std::uint64_t word) {
  // The sum with 0x76 sets that bit for 10 … 127. One that carries disturbs only what comes after it.
  return ((word + 0x7676767676767676) | word) & 0x8080808080808080;
}

/// The number that eight digits make: neighbours are joined three times, to pairs, to fours, to eight.
inline std::uint64_t joined(std::uint64_t digits) {
  digits = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FF;
  digits = (digits * 100 + (digits >> 16)) & 0x0000FFFF0000FFFF;
  return (digits * 10000 + (digits >> 32)) & 0x00000000FFFFFFFF;
}

/// Continues `number` with the digits at `at`; returns where they stop.
inline const char* take_digits(const char* at, std::uint64_t& number) {
  if constexpr (std::endian::native != std::endian::little) {
    for (; is_digit(*at); ++at) number = 10 * number + static_cast<std::uint64_t>(*at - '0');
    return at;
  }
  static constexpr std::uint64_t kTens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  std::uint64_t word = load_eight(at), others = other_bytes(word);
  for (; others == 0; others = other_bytes(word)) {
    number = 100000000 * number + joined(word);
    word = load_eight(at += 8);
  }
  if ((others & 0x80) != 0) return at;
  // How many are left is hard to foretell: no branch. Zeros go in front of them.
  const int left = std::countr_zero(others) / 8;
  number = kTens[left] * number + joined(word << (64 - 8 * left));
  return at + left;
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
    // Signs are hard to foretell: no branch.
    value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) |
                                  static_cast<std::uint64_t>(negative) << 63);
    return at;
  }
  if (point != '.') return nullptr;
  const auto [stop, error] = std::from_chars(from, end, value);
  constexpr double kLargest = std::numeric_limits<double>::max();
  return error == std::errc{} && value <= kLargest && value >= -kLargest ? stop : nullptr;
}

}  // namespace lgn::csv_internal
