#pragma once

#include <cstdint>
#include <string>

#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// A random S − D, in which every state couples with every other.
struct DenseOptions {
  Index states = 20, runs = 3;
  double noise = 0.02;
  std::uint64_t seed = 1;
};

/// What auto says, and what is said where a network was asked for.
struct Dense {
  std::string verdict;         ///< about a network among the candidates of auto
  std::string structure;       ///< that auto chose
  std::string instead;         ///< that stands where a network was asked for
  bool warns = false;          ///< whether that model says that nothing is sparse
  double error = 0;            ///< mean |Δλ| of auto's model
  double generator_error = 0;  ///< ‖A − A*‖/‖A*‖ of it
};
Dense study_dense(const DenseOptions& options = {});

}  // namespace lgn::studies
