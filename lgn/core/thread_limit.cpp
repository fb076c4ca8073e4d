#include "lgn/core/thread_limit.h"

#include "lgn/core/linear_algebra.h"

// Present in OpenBLAS only, as openblas_set_num_threads is.
extern "C" int openblas_get_num_threads() __attribute__((weak));

namespace lgn {

ThreadLimit::ThreadLimit(int threads)
    : before_(openblas_get_num_threads != nullptr ? openblas_get_num_threads() : 1) {
  set_threads(threads);
}

ThreadLimit::~ThreadLimit() { set_threads(before_); }

}  // namespace lgn
