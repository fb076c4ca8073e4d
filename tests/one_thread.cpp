#include "lgn/core/linear_algebra.h"

namespace {

/// Started by hand, too, the tests use one thread: their sums have one order.
[[maybe_unused]] const bool one_thread = (lgn::set_threads(1), true);

}  // namespace
