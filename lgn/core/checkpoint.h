#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// A file from which a killed computation goes on: for each named stage, the last state kept.
///
///     Checkpoint checkpoint(path, signature);     // what an earlier run left, if it did
///     checkpoint.restore("refine", x);            // x as it was, bit for bit
///     while (…) { x = better(x); checkpoint.keep("refine", x); }
///     checkpoint.keep("refine", x, true);         // a stage's end is written at once
///
/// The signature says what is computed (the command, its options, a checksum of the data); a file
/// with another one is refused, so that no state of another computation is taken for one of this.
/// The file is text, replaced in one step: at any moment it is whole, of the last second or of the
/// one before. A default Checkpoint keeps and restores nothing.
class Checkpoint {
 public:
  Checkpoint() = default;
  /// Reads `path` if it exists and checks that it can be written. Throws Error when it cannot be,
  /// when it belongs to another signature, and when it is not a whole checkpoint.
  explicit Checkpoint(std::string path, std::string signature);
  Checkpoint(Checkpoint&&) = default;
  Checkpoint& operator=(Checkpoint&&) = default;

  /// Puts the state last kept for `stage` into `state`; false, and `state` untouched, if there is
  /// none.
  bool restore(const std::string& stage, Vector& state) const;
  /// Replaces the state of `stage`. The file is written if that was last done a second ago or more,
  /// or if `now`; otherwise the state waits for a later keep(). Throws Error when the file cannot
  /// be written.
  void keep(const std::string& stage, const Vector& state, bool now = false);

 private:
  void read();
  void write();

  std::string path_, signature_;
  std::map<std::string, Vector> states_;
  std::optional<std::chrono::steady_clock::time_point> written_;
};

}  // namespace lgn
