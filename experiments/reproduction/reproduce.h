#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/reproduction/laboratory.h"

namespace lgn::studies {

/// What to reproduce, and where to.
struct ReproductionOptions {
  std::vector<std::string> experiments;  ///< ids; "all" or none: all
  std::string folder = "reproduction";
  LaboratoryOptions laboratory = {};
  std::string neural_program = {};  ///< path of lgn-neural; empty: none
  int jobs = 1;                     ///< trainings of neural models at a time
  bool again = false;               ///< also what was finished before

  /// How far the whole has come.
  struct Progress {
    std::string task;         ///< "exp1: HNN on RLC"
    double fraction = 0;      ///< of all experiments asked for, by the time they take
    double seconds_left = 0;  ///< NaN: not known yet
  };
  /// Returning false ends it.
  std::function<bool(const Progress&)> observe = {};
  /// Called with each experiment when it is there, and whether the folder held it before.
  std::function<void(const Findings&, bool finished_before)> done = {};
};

/// Runs the experiments one after the other and writes, after each,
///   folder/results.json        every number
///   folder/reproduction.md     settings, tables, figures and remarks
///   folder/index.html          the same as one self-contained page
///   folder/tables/ID.md        the table of an experiment
///   folder/figures/NAME.svg    each panel of a figure
///   folder/experiments/ID.json what was found, to go on from
/// Experiments that the folder holds, made by the same program, are not run again unless asked for. A folder
/// made with other settings is cleared by `again` and refused without. Throws Error for that, an unknown
/// experiment, a folder that cannot be written or that holds damaged files; NotIdentified when the observer ends it.
void reproduce(const ReproductionOptions& options);

}  // namespace lgn::studies
