#include "cli/interrupt.h"

#include <csignal>

namespace lgn::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void remember(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  interrupted = 0;
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interrupt::requested() const { return interrupted != 0; }

}  // namespace lgn::cli
