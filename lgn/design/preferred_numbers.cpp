#include "lgn/design/preferred_numbers.h"

#include <cmath>

#include "lgn/core/error.h"

namespace lgn {

std::vector<double> preferred_decade(const std::string& series) {
  static const std::vector<double> twenty_four{1.0, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2.0,
                                               2.2, 2.4, 2.7, 3.0, 3.3, 3.6, 3.9, 4.3,
                                               4.7, 5.1, 5.6, 6.2, 6.8, 7.5, 8.2, 9.1};
  for (const int count : {3, 6, 12, 24})
    if (series == "E" + std::to_string(count)) {
      std::vector<double> decade;
      for (std::size_t k = 0; k < twenty_four.size(); k += 24 / static_cast<std::size_t>(count))
        decade.push_back(twenty_four[k]);
      return decade;
    }
  for (const int count : {48, 96, 192})
    if (series == "E" + std::to_string(count)) {
      std::vector<double> decade;
      for (int k = 0; k < count; ++k) {
        const double digits = std::round(100 * std::pow(10, static_cast<double>(k) / count));
        decade.push_back((digits == 919 ? 920 : digits) / 100);
      }
      return decade;
    }
  throw Error("there is no series \"" + series + "\" of preferred values",
              "series are E3, E6, E12, E24, E48, E96 and E192");
}

std::vector<double> preferred_numbers(const std::string& series, double low, double high) {
  const std::vector<double> decade = preferred_decade(series);
  std::vector<double> all;
  // Ends that are preferred values themselves belong to the range, whatever their last digit.
  const double slack = 1e-12;
  const int first = static_cast<int>(std::floor(std::log10(low) - slack));
  const int last = static_cast<int>(std::ceil(std::log10(high) + slack));
  for (int power = first; power <= last; ++power)
    for (const double value : decade) {
      // The double nearest to the decimal number, from its three digits: 4.7e-6, not 4.7 · 1e-6.
      const double digits = std::round(100 * value), ten = std::pow(10, std::abs(power - 2));
      const double number = power < 2 ? digits / ten : digits * ten;
      if (number >= low * (1 - slack) && number <= high * (1 + slack)) all.push_back(number);
    }
  return all;
}

}  // namespace lgn
