#pragma once

namespace lgn::cli {

/// While it lives, the first Ctrl-C (or SIGTERM) is remembered instead of ending the program; the
/// second one ends it.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool requested() const;
};

}  // namespace lgn::cli
