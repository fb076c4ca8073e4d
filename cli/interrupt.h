#pragma once

namespace lgn::cli {

/// From here on Ctrl-C and SIGTERM end the program with status 1: at once, without rests of files that were being written,
/// or, while there is an Interrupt, when the work that it guards sees that it was asked to.
void end_when_asked();

/// The same after so many seconds; a program that has hardly run by then gets a little longer.
void end_after(double seconds);

/// While it lives, being asked to end is remembered instead: there may be an answer to end with. A second Ctrl-C (or
/// SIGTERM) ends the program at once.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool requested() const;
  /// The same, by a signal: for work whose parts keep the limit of time themselves.
  bool by_signal() const;
};

}  // namespace lgn::cli
