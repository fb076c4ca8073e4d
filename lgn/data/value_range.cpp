#include "lgn/data/value_range.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgn/core/error.h"

namespace lgn {

void check_value_range(const Dataset& data) {
  constexpr double tiny = 1e-100, huge = 1e100;
  double largest = 0;
  for (const auto& run : data.runs()) {
    const auto present = run.states().array().isNaN().select(0.0, run.states());
    largest = std::max(largest, present.cwiseAbs().maxCoeff());
    const double duration = run.times()[run.samples() - 1] - run.times()[0];
    if (!(duration > tiny && duration < huge))
      throw Error(fmt::format("run \"{}\" takes a time of {:.1g}", run.label(), duration),
                  "write the times in another unit");
  }
  if (largest > 0 && !(largest > tiny && largest < huge))
    throw Error(fmt::format("the values are as large as {:.1g}", largest),
                "write them in another unit");
}

}  // namespace lgn
