#pragma once

// How routines of LAPACK are called; not installed.

#include <algorithm>
#include <complex>
#include <vector>

namespace lgn {

/// Calls a routine twice: for the size of the workspace that it likes best, and to work with that.
template <class Scalar, class Call>
void with_workspace(const Call& call) {
  int size = -1;
  Scalar best{};
  call(&best, &size);
  size = std::max(1, static_cast<int>(std::real(best)));
  std::vector<Scalar> work(static_cast<std::size_t>(size));
  call(work.data(), &size);
}

}  // namespace lgn
