#pragma once

#include <functional>

namespace lgn::cli {

/// What a program's main() returns: the status of `work`, or 1 where a system could not be identified and 2 for bad usage
/// and bad data, with the message of the exception as one line on standard error. Linear algebra uses one thread.
int run_program(const std::function<int()>& work);

}  // namespace lgn::cli
