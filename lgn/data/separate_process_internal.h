#pragma once

// Decoding that may crash or never end, in a process of its own; not installed.

#include <cstddef>
#include <functional>

#include "lgn/core/error.h"
#include "lgn/data/array_file.h"

namespace lgn::array_internal {

/// What `decode` returns, or the Error that it throws. When it crashes, throws something else, or
/// computes for longer than `seconds`, throws Error(`otherwise`).
///
/// It runs in a child process made by fork(): it sees all that the caller sees and can change none
/// of it. It must not wait for another thread.
ArrayFile decode_in_child(const std::function<ArrayFile()>& decode, std::size_t seconds,
                          const Error& otherwise);

}  // namespace lgn::array_internal
