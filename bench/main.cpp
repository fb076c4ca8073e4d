// lgn-bench CLAIM FOLDER: our side of a benchmark, as a small server that bench/run drives.
//
// It writes the inputs to FOLDER, evaluates once, writes the answers to FOLDER/CLAIM and says
// "ready". For every line "SECONDS" that it then reads it evaluates for about so long and prints
// the time that each evaluation took.

#include <fmt/format.h>
#include <malloc.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "claim.h"
#include "lgn/core/error.h"

namespace lgn::bench {
namespace {

Claim find_claim(const std::string& name, const std::string& folder) {
  if (name == "bootstrap_1000_ladder6") return bootstrap_1000_ladder6(folder);
  if (name == "csv_read") return csv_read(folder);
  if (name == "driven_8") return driven_8(folder);
  if (name == "hidden40") return hidden40(folder, 100'000);
  if (name == "hidden40_million") return hidden40(folder, 1'000'000);
  if (name == "expm_100") return expm(folder, 100);
  if (name == "expm_500") return expm(folder, 500);
  if (name == "expm_adjoint_100") return expm_adjoint(folder, 100);
  if (name == "expm_adjoint_500") return expm_adjoint(folder, 500);
  if (name == "fit_ladder100") return fit_ladder100(folder);
  if (name == "fit_varying_sd20") return fit_varying_sd20(folder);
  if (name == "gradient_ladder100") return gradient_ladder100(folder);
  if (name == "identify_ladder100") return identify_ladder100(folder);
  if (name == "identify_ladder100_auto") return identify_ladder100_auto(folder);
  if (name == "ltv_gradient") return ltv_gradient(folder, 2);
  if (name == "ltv_gradient20") return ltv_gradient(folder, 20);
  if (name == "many_samples") return many_samples(folder, "sd");
  if (name == "many_samples_auto") return many_samples(folder, "auto");
  if (name == "many_samples_csv") return many_samples_read(folder, "csv");
  if (name == "many_samples_npz") return many_samples_read(folder, "npz");
  if (name == "mle_ladder6") return mle_ladder6(folder);
  if (name == "sparse_flow_1e4") return sparse_flow(folder, 58);
  if (name == "sparse_flow_1e5") return sparse_flow(folder, 183);
  if (name == "same_flops") return same_flops(folder);
  throw Error(fmt::format("there is no benchmark '{}'", name));
}

/// Processor time of all threads. On a busy machine the clock on the wall favours the shorter work,
/// which more often ends before another process gets its turn.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_for(const std::function<void()>& work) {
  const double start = processor_seconds();
  work();
  return processor_seconds() - start;
}

void serve(const Claim& claim) {
  for (double duration; std::cin >> duration;) {
    claim.work();  // the other side has used the caches meanwhile
    for (double total = 0; total < duration;) {
      const double seconds = seconds_for(claim.work);
      total += seconds;
      fmt::print("{} ", seconds);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
}

}  // namespace

void write_numbers(const std::string& folder, const std::string& name, const Matrix& values) {
  std::ofstream file(folder + "/" + name + ".f64", std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(sizeof(double)) * values.size());
  if (!file.flush()) throw Error("cannot write to " + folder);
}

}  // namespace lgn::bench

int main(int argc, char** argv) try {
  using namespace lgn::bench;
  if (argc != 3) throw lgn::Error("usage: lgn-bench CLAIM FOLDER");
  // As the program lgn does: glibc gives freed memory back to the system at once and asks for it
  // again, page by page, in the next evaluation. bench/run sets the same for the peers through the
  // environment.
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  lgn::set_threads(1);
  const std::string name = argv[1], folder = argv[2];
  const Claim claim = find_claim(name, folder);
  claim.work();
  std::filesystem::create_directory(folder + "/" + name);
  for (const auto& [part, values] : claim.answer())
    write_numbers(folder + "/" + name, part, values);
  fmt::print("ready\n");
  std::fflush(stdout);
  serve(claim);
} catch (const std::exception& e) {
  fmt::print(stderr, "lgn-bench: {}\n", e.what());
  return 1;
}
