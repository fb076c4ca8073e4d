// Fits of large networks on the ranks of mpirun; `lgn fit --engine petsc` starts it on each.
#include <fcntl.h>
#include <signal.h>
#include <slepcsys.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <string_view>

#include "cli/program.h"
#include "lgn/core/linear_algebra.h"
#include "lgn/version.h"
#include "petsc/fit_command.h"

namespace {

using namespace std::literals;

/// Rank 0 says so when mpirun ends the others because one has died; they say nothing.
extern "C" void on_end(int) {
  constexpr auto message =
      "lgn: ended from outside, as mpirun does where a rank has died; with --checkpoint FILE the same "
      "command goes on from the last step, with any number of ranks\n"sv;
  if (::write(STDERR_FILENO, message.data(), message.size()) < 0) ::_exit(1);
  ::_exit(1);
}

/// Whether all ranks come here within some seconds: an exception that all have thrown is a message of rank 0.
bool all_come(const lgn::petsc::Ranks& ranks) {
  MPI_Request request;
  MPI_Ibarrier(ranks.comm(), &request);
  for (int tries = 0; tries < 500; ++tries) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return true;
    ::usleep(10'000);
  }
  return false;
}

}  // namespace

int main(int count, char** words) {
  // A rank that waits lets others work, where ranks or other programs share a core.
  ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  SlepcInitializeNoArguments();
  PetscPopSignalHandler();
  const lgn::petsc::Ranks ranks(PETSC_COMM_WORLD);
  // Rank 0 speaks for all; another one only about what happened to it alone.
  const int loud = ::dup(STDERR_FILENO);
  if (!ranks.is_root()) {
    const int silent = ::open("/dev/null", O_WRONLY);
    ::dup2(silent, STDOUT_FILENO);
    ::dup2(silent, STDERR_FILENO);
  }
  const int status = lgn::cli::run_program([&] {
    ::signal(SIGTERM, on_end);
    lgn::cli::CommandLine line(
        "Fits large networks on the ranks of mpirun; lgn fit --engine petsc starts it.",
        lgn::version);
    lgn::petsc::add_fit(line, ranks);
    try {
      return line.run(count, words);
    } catch (const std::exception& error) {
      if (all_come(ranks)) throw;
      ::dup2(loud, STDERR_FILENO);
      lgn::cli::say("rank " + std::to_string(ranks.rank()) + ": " + error.what());
      MPI_Abort(ranks.comm(), 1);
      throw;
    }
  });
  SlepcFinalize();
  return status;
}
