#pragma once

#include <cstdint>
#include <random>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Random numbers that are the same for a seed on every standard library: the 64-bit Mersenne
/// Twister (fixed by the C++ standard), 53-bit uniforms, and normals by Box and Muller's transform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [0, 1).
  double uniform();
  /// Normal with mean 0 and variance 1.
  double normal();
  /// A vector of independent normals.
  Vector normals(Index n);
  /// A matrix of independent normals, filled column by column.
  Matrix normals(Index rows, Index cols);

 private:
  std::mt19937_64 engine_;
};

}  // namespace lgn
