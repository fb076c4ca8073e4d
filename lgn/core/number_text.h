#pragma once

#include <optional>
#include <string>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// "1 run", "3 runs", "2 capacities", "2 losses".
std::string counted(Index count, std::string word);

/// A number as people read it: five significant digits, "–" for one that does not exist.
std::string short_number(double value);

/// A number with its standard error, the error to two digits and the number to the same place:
/// "0.39694 ± 0.00012". Without a finite error as short_number.
std::string with_error(double value, double error);

/// Decimals that show an error with two digits; nothing where a plain decimal would be too long.
std::optional<int> decimals_for(double value, double error);

}  // namespace lgn
