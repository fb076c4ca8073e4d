#include "lgn/core/random.h"

#include <cmath>
#include <numbers>

namespace lgn {

double Random::uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

Vector Random::normals(Index n) { return normals(n, 1); }

Matrix Random::normals(Index rows, Index cols) {
  Matrix values(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) values(i, j) = normal();
  return values;
}

}  // namespace lgn
