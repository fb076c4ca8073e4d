#pragma once

namespace lgn::neural {

/// From here on libtorch, its pools and the BLAS below it use this thread alone: sums then have one order, so that a task
/// has one result, however busy the system is.
void use_one_thread();

}  // namespace lgn::neural
