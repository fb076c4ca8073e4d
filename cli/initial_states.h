#pragma once

#include <string>

namespace lgn::cli {

/// What `--x0 HOW` says of the starts of runs: whether they are estimated, or those that were measured. Throws Error for
/// another word.
bool starts_estimated(const std::string& how);

}  // namespace lgn::cli
