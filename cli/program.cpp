#include "cli/program.h"

#include <fcntl.h>
#include <unistd.h>
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "cli/flags.h"
#include "cli/interrupt.h"
#include "lgn/core/error.h"
#include "lgn/core/linear_algebra.h"
#include "lgn/core/stop.h"

namespace lgn::cli {
namespace {

/// One line on standard error, whatever a file's name holds; where that cannot be written either,
/// the exit status says it alone.
void complain(std::string message) {
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  std::fputs(("lgn: " + message + "\n").c_str(), stderr);
}

/// A file opened in place of a closed standard stream would be taken for that stream.
void keep_standard_streams_open() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1) {
      // The wrong way round for its purpose, so that reading or writing it fails.
      const int opened = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
      if (opened != stream) return;
    }
}

}  // namespace

void say(const std::string& message) {
  if (!message.empty()) complain(with_flags(message));
}

int run_program(const std::function<int()>& work) {
  keep_standard_streams_open();
#ifdef M_TRIM_THRESHOLD
  // Training frees and takes the same matrices thousands of times; giving them back to the system
  // in between costs more than the arithmetic.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 25);  // the most that every glibc takes
#endif
  set_threads(1);
  end_when_asked();
  try {
    const int status = work();
    std::cout.flush();
    if (!std::cout) throw Error("cannot write", "is the disk full?", {"standard output", 0, 0});
    return status;
  } catch (const NotIdentified& error) {
    complain(with_flags(error.what()));
    return 1;
  } catch (const Stopped& stopped) {
    complain(std::string(stopped.what()) + "; allow more with --max-seconds");
    return 1;
  } catch (const std::bad_alloc&) {
    complain("not enough memory; choose fewer channels with --channels, or fewer samples");
    return 2;
  } catch (const std::exception& error) {
    complain(with_flags(error.what()));
    return 2;
  }
}

}  // namespace lgn::cli
