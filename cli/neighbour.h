#pragma once

#include <string>

namespace lgn::cli {

/// The path of a program that was built or installed with this one: beside it, or where `make install` puts programs that
/// others start, ../libexec/lgn; empty where there is none.
std::string find_neighbour(const std::string& name);

/// Becomes that program, with the arguments that follow words[0]: it has this one's process, streams and signals, and its
/// exit status is the answer. Returns where there is no such program. Throws Error where it is there and cannot be started.
void become_neighbour(const std::string& name, char** words);

}  // namespace lgn::cli
