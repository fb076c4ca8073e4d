#pragma once

#include <functional>
#include <string>

namespace lgn::cli {

/// What a program's main() returns: the status of `work`, or 1 where a system could not be identified and 2 for bad usage
/// and bad data, with the message of the exception as one line on standard error. Linear algebra uses one thread.
int run_program(const std::function<int()>& work);

/// One line on standard error, with settings as flags; nothing where the message is empty.
void say(const std::string& message);

}  // namespace lgn::cli
