// One program for each format of arrays, which is LGN_FUZZED_FORMAT.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lgn::fuzz::read_arrays({reinterpret_cast<const char*>(data), size},
                         lgn::ArrayFormat::LGN_FUZZED_FORMAT);
  return 0;
}
