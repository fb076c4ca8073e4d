// Dates, clock times, units, intervals of a preamble and numbers in groups: what single cells and lines may hold.

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lgn::fuzz::read_times_and_units({reinterpret_cast<const char*>(data), size});
  return 0;
}
