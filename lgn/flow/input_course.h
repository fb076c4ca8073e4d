#pragma once

#include <optional>
#include <string>

#include "lgn/flow/time_steps.h"

namespace lgn {

/// How an input goes on between its samples: it keeps its value (zero-order hold), or goes straight to the next one.
enum class Hold { zoh, foh };

/// "zoh" or "foh", and the other way round: nothing for another word.
std::string hold_name(Hold hold);
std::optional<Hold> find_hold(const std::string& name);

/// How an input goes on, and how long it takes until it acts: the system sees u(t − delay).
struct InputTiming {
  Hold hold = Hold::zoh;
  double delay = 0;
};

/// An input between the samples of a run, as pieces on each of which it is a straight line. Pieces end where a sample is
/// taken and where the delayed input has a knot. Before it is known an input has its first value, afterwards its last.
struct InputCourse {
  struct Piece {
    std::size_t which;  ///< the place of its length in `lengths`
    bool to_sample;     ///< whether a sample is taken at its end
  };
  std::vector<double> lengths;  ///< those that differ
  std::vector<Piece> pieces;
  Vector edges;       ///< when pieces begin, and when the last one ends
  Matrix begin, end;  ///< what the inputs are at both ends of a piece: inputs × pieces
  Matrix at_samples;  ///< and when samples are taken: inputs × samples

  Index inputs() const { return at_samples.rows(); }
  Index samples() const { return at_samples.cols(); }
};

/// `inputs` has a column for each of increasing `times`. O(samples log samples).
InputCourse input_course(const Vector& times, const Matrix& inputs, const InputTiming& timing);
/// A course with no inputs at all: its pieces are the times between samples.
InputCourse no_inputs(const Vector& times);

/// How inputs enter: ẋ = A x + B u, y = C x + D u. Without inputs all is empty.
struct Drive {
  InputTiming timing = {};
  Matrix b;  ///< B, states × inputs
  Matrix d;  ///< D, channels × inputs; empty: zero

  bool active() const { return b.cols() > 0; }
};

}  // namespace lgn
