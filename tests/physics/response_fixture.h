#pragma once

#include "lgn/core/random.h"
#include "lgn/physics/driven_system.h"

namespace lgn::testing {

/// Two lightly damped modes and a decay, two inputs, two outputs, with feedthrough and a delay.
inline DrivenSystem five_states() {
  DrivenSystem s{Matrix::Zero(5, 5), Matrix(5, 2), Matrix(2, 5), Matrix(2, 2), 0.05};
  s.a.block(0, 0, 2, 2) << 0, 2, -2, -0.2;
  s.a.block(2, 2, 2, 2) << 0, 5, -5, -0.6;
  s.a(4, 4) = -1;
  s.a(0, 4) = 0.3;
  s.b << 0, 1, 1, 0.5, 0.2, 0, 1, -0.4, 0.5, 2;
  s.c << 1, 0, 0.5, 0, 1, 0, 0.3, 1, 0, -0.4;
  s.d << 0.1, 0, -0.05, 0.2;
  return s;
}

/// Errors along so many random directions of all entries.
inline SystemErrors random_errors(const DrivenSystem& s, Index columns, std::uint64_t seed) {
  Random random(seed);
  const Index rows = s.a.size() + s.b.size() + s.c.size() + s.d.size();
  return system_errors_from(s, 0.01 * random.normals(rows, columns));
}

/// The system so far along a column of its errors.
inline DrivenSystem moved(const DrivenSystem& s, const SystemErrors& errors, Index column,
                          double part) {
  const DrivenSystem move = errors.move(column, s);
  return {s.a + part * move.a, s.b + part * move.b, s.c + part * move.c, s.d + part * move.d,
          s.delay};
}

}  // namespace lgn::testing
