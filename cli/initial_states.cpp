#include "cli/initial_states.h"

#include <fmt/format.h>

#include "lgn/core/error.h"

namespace lgn::cli {

bool initial_states_estimated(const std::string& how) {
  if (how != "estimate" && how != "measured")
    throw Error(fmt::format("--x0 does not know \"{}\"", how), "it takes estimate or measured");
  return how == "estimate";
}

}  // namespace lgn::cli
