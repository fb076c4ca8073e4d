#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/data/arrays/array_file.h"
#include "lgn/data/dataset.h"
#include "tests/gap.h"

namespace lgn::testing {

/// What the action throws as Error; empty where it does not.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// The formats of named arrays that this build knows.
inline std::vector<ArrayFormat> named_formats() {
  std::vector<ArrayFormat> formats;
  for (const ArrayFormat format :
       {ArrayFormat::npz, ArrayFormat::mat5, ArrayFormat::mat73, ArrayFormat::hdf5})
    if (is_available(format)) formats.push_back(format);
  return formats;
}

/// A run with every kind of number that a file must keep.
inline Trajectory sample_run(const std::string& label, Index samples, Index channels, Index inputs,
                             unsigned long seed) {
  Random random(seed);
  Vector times(samples);
  for (Index k = 0; k < samples; ++k)
    times[k] = 0.1 * static_cast<double>(k) + 1e-3 * random.uniform();
  Matrix states = random.normals(channels, samples);
  states(0, 0) = kGap;
  states(channels - 1, samples - 1) = kGap;
  if (samples > 3) {
    states(0, 1) = -0.0;
    states(0, 2) = std::numeric_limits<double>::denorm_min();
    states(0, 3) = std::numeric_limits<double>::max();
  }
  return Trajectory(label, times, states, random.normals(inputs, samples));
}

/// One run, or three of different length; names beyond ASCII and beyond 16 bits.
inline Dataset sample_data(bool several, bool driven) {
  const std::vector<std::string> channels = {"Δx", "𝛼 [m/s²]", "plain"};
  const std::vector<std::string> inputs =
      driven ? std::vector<std::string>{"Kraft", "u2"} : std::vector<std::string>{};
  const auto count = static_cast<Index>(inputs.size());
  std::vector<Trajectory> runs = {sample_run(several ? "früh" : "1", 7, 3, count, 1)};
  if (several) {
    runs.push_back(sample_run("2", 12, 3, count, 2));
    runs.push_back(sample_run("last one", 2, 3, count, 3));
  }
  return Dataset(channels, runs, inputs);
}

}  // namespace lgn::testing
