#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "lgn/core/linear_algebra.h"

namespace lgn {

using Json = nlohmann::ordered_json;

/// A number, or null for one that does not exist.
inline Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

inline Json json_vector(const Vector& v) {
  Json list = Json::array();
  for (const double value : v) list.push_back(json_number(value));
  return list;
}

/// A list of pairs [re, im].
inline Json json_complex(const ComplexVector& v) {
  Json list = Json::array();
  for (const Complex& value : v)
    list.push_back({json_number(value.real()), json_number(value.imag())});
  return list;
}

/// A list of rows.
inline Json json_rows(const Matrix& m) {
  Json rows = Json::array();
  for (Index i = 0; i < m.rows(); ++i) rows.push_back(json_vector(m.row(i).transpose()));
  return rows;
}

}  // namespace lgn
