#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// The paper's model of experiment 2: S(t) − D(t) of 25 frequencies drawn log-uniformly from [0.1, 10],
/// softplus dampings, learned from t < 20 with the start known.
struct FeaturesOptions {
  std::string method = "2";  ///< one step of it from sample to sample
  int seeds = 8;             ///< 1, 2, …: of frequencies and weights
  bool full = false;         ///< A(t) without structure (LGN-FA) instead of S(t) − D(t)
  /// By maximum likelihood from the constant generator instead of Adam from random weights, with steps as
  /// many as are needed.
  bool likelihood = false;
  /// Called after every epoch with its number, counted over all seeds, and the best loss; false ends it.
  std::function<bool(int, double)> observe = {};
};

struct FeaturesStudy {
  Index parameters = 0;
  Vector train, test, beyond;  ///< NRMSE over t < 20, t < 100 and 20 ≤ t < 100, one for each seed
  Matrix first;                ///< the first seed's states at test_times()
  double seconds = 0;          ///< mean
  double mean() const { return test.mean(); }
  double median() const;
  double deviation() const;
};

/// The frequencies of a seed.
Vector feature_frequencies(std::uint64_t seed);

FeaturesStudy study_features(const FeaturesOptions& options = {});

}  // namespace lgn::studies
