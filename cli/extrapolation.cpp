#include "cli/extrapolation.h"

#include <fmt/format.h>

#include <iostream>

namespace lgn::cli {

void warn_extrapolation(const Model& model, const Vector& times) {
  if (!model.extrapolated(times)) return;
  std::cerr << fmt::format(
      "lgn: warning [extrapolation]: the generator was identified from t = {:.6g} to {:.6g} and its basis does not repeat; "
      "beyond that it is extrapolated, and the data say nothing about it\n",
      model.variation->begin, model.variation->end);
}

}  // namespace lgn::cli
