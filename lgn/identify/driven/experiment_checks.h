#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/data/distortion.h"
#include "lgn/identify/fit.h"

namespace lgn {

/// Throws NotIdentified, with the name of the input and what would help, for inputs that can show nothing: one that is
/// constant, or changes at the last sample of its runs alone, or holds the same values as a channel, up to three samples later
/// or earlier, or as another input.
void check_experiment(const Dataset& data);

/// How many states an input can tell apart, at most `enough`: its order of persistent excitation, the rank of its block
/// Hankel matrix. A sum of k sinusoids has 2k.
Index excitation_order(const Dataset& data, Index enough);

/// Poles of a fit, of a pair the one above the real axis, whose gain from every input is within three standard errors of
/// zero: the inputs have nothing at their frequencies, or do not reach them, and what is known of these modes comes from
/// initial states. Empty where A varies in time or has more than sixty states. O(K l (n m)²).
std::vector<Complex> unseen_poles(const Fit& fit, const Dataset& data);

/// What can be said of an experiment with inputs before anything is fitted, a sentence each: why it shows nothing, how many
/// states its inputs can tell apart where that is fewer than ten, distortion at harmonics without excitation.
std::vector<std::string> experiment_remarks(const Dataset& data);

/// Distortion in words.
std::string distortion_text(const Distortion& found);

}  // namespace lgn
