#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// The error of one method at the end of a trajectory, by the length of its steps.
struct SchemeOrder {
  std::string name;
  int nominal = 0;
  Vector errors;     ///< ‖x − x*‖ at the end, one for each of order_steps()
  double order = 0;  ///< slope of log error by log step, by least squares
  double gain = 0;   ///< error of method 2 over this one's, both with steps of 0.1
};

/// 0.4, 0.2, 0.1, 0.05.
Vector order_steps();

/// Every method on the paper's oscillator, to T = 10.
std::vector<SchemeOrder> study_orders_on_oscillator();
/// Every method on a random full A(t) with two frequencies, to T = 4.
std::vector<SchemeOrder> study_orders_on_random_system(Index states = 5, std::uint64_t seed = 1);

}  // namespace lgn::studies
