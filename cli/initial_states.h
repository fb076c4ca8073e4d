#pragma once

#include <string>

namespace lgn::cli {

/// What `--x0 HOW` says of the initial states of the runs: whether they are estimated, or those that were measured. Throws
/// Error for another word.
bool initial_states_estimated(const std::string& how);

}  // namespace lgn::cli
