#pragma once

#include <string>
#include <vector>

namespace lgn {

/// The values of a decade that parts are sold in (IEC 60063): E3, E6, E12 and E24 as tabulated, E48, E96 and E192 as 10^(k/N)
/// to three digits, but 9.20 instead of 9.19. Throws Error for another name.
std::vector<double> preferred_decade(const std::string& series);

/// All of them from `low` to `high` (0 < low ≤ high), ends included, in order.
std::vector<double> preferred_numbers(const std::string& series, double low, double high);

}  // namespace lgn
