#include "experiments/neural/one_thread.h"

#include <ATen/Parallel.h>

extern "C" {
// Present where OpenBLAS is the BLAS of libtorch.
void openblas_set_num_threads(int threads) __attribute__((weak));
}

namespace lgn::neural {

void use_one_thread() {
  at::set_num_threads(1);
  if (at::get_num_interop_threads() != 1) at::set_num_interop_threads(1);
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

}  // namespace lgn::neural
