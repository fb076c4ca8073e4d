#pragma once

// Decoding that may crash or never end, in a process of its own; not installed.

#include <cstddef>
#include <functional>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_file.h"

namespace lgn::array_internal {

/// What a child process may use: seconds of computing, and bytes beside what its parent has.
struct ChildLimits {
  std::size_t seconds = 0, bytes = 0;
};

/// What `decode` returns, or the Error that it throws. When it crashes, throws something else, or
/// wants more than `limits`, throws Error(`otherwise`).
///
/// It runs in a child process made by fork(): it sees all that the caller sees and can change none
/// of it. It must not wait for another thread.
ArrayFile decode_in_child(const std::function<ArrayFile()>& decode, const ChildLimits& limits,
                          const Error& otherwise);

}  // namespace lgn::array_internal
