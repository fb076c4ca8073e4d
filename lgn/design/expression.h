#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lgn/design/named_system.h"

namespace lgn {

/// One node of an expression in values and properties of a system, and where it stands in its text.
struct Expression {
  enum class Kind {
    number,
    value,  ///< a named value
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    sum,
    largest,
    least,   ///< of the named values that patterns match, or of one expression
    change,  ///< Σ log²(p/p₀) of the free values
    zeta,
    frequency,
    tau,
    re,
    im,     ///< of every mode, of one end, or of those in a band
    poles,  ///< all of them, for a target that places them
    peak,
    gain,       ///< |H| of the transfer function from an input to a channel
    band,       ///< the frequency at which |H| falls below |H(0)|/√2
    overshoot,  ///< of the response to a step, relative to its final value
    settling,   ///< the time from which on that response stays near its final value
    lost        ///< the part of the energy that a free motion loses in a time
  };
  Kind kind = Kind::number;
  double number = 0;               ///< its value; how near a response settles; the time of a loss
  double imaginary = 0;            ///< of a pole that is wanted
  std::vector<Index> values = {};  ///< of `value`, and of sums by patterns
  std::vector<std::shared_ptr<const Expression>> parts = {};
  /// Frequencies, in Hz or per unit of time; the whole axis where low > high.
  double low = 1, high = 0;
  bool slowest = false;
  std::string input = {}, output = {};  ///< of a loss, `input` is the state that is not zero
  std::size_t place = 0;                ///< byte of the text

  bool in_band() const { return low <= high; }
};

/// expression ≥, ≤ or = numbers.
struct Target {
  std::string text;
  enum class Relation { at_least, at_most, equal } relation = Relation::at_least;
  std::shared_ptr<const Expression> left;
  std::vector<std::shared_ptr<const Expression>> right;  ///< several where equal
};

/// Reads an expression, or a target such as "zeta>=0.2" or "f=0.126,0.229". Throws Error with the text, the column of what is wrong, and what is
/// known there.
std::shared_ptr<const Expression> parse_expression(const std::string& text,
                                                   const NamedSystem& system);
Target parse_target(const std::string& text, const NamedSystem& system);

/// The values whose names match a pattern, * for any letters and ? for one; those that no pattern may free are left out where it has
/// one. `text` and `place` are for the message. Throws Error where none does.
std::vector<Index> matching_values(const std::string& pattern, const NamedSystem& system,
                                   const std::string& text = {}, std::size_t place = 0);

/// Names of the values that may change, the first of many, for messages.
std::string value_names(const NamedSystem& system);

/// Throws Error with a text, the column of what is wrong in it, and what would help.
[[noreturn]] void complain_at(const std::string& text, std::size_t place, const std::string& what,
                              const std::string& help);

}  // namespace lgn
