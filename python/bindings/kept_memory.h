#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lgn::python {

/// While one lives, freed memory stays with the process, as the program lgn has it: otherwise glibc
/// returns pages after every product of large matrices and asks for them again, which is a tenth of
/// a large fit. After that glibc is left as it is once an array of 32 MiB was freed: smaller ones
/// come from the heap, of which at most 64 MiB stay unused. What the environment says about memory
/// goes before.
class KeptMemory {
 public:
#ifdef __GLIBC__
  KeptMemory() {
    if (!chosen_by_user()) set(1 << 30);
  }
  ~KeptMemory() {
    if (!chosen_by_user()) set(1 << 26);
  }
#else
  KeptMemory() {}
#endif
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;

 private:
#ifdef __GLIBC__
  static bool chosen_by_user() {
    static const bool chosen = [] {
      for (const char* name :
           {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "GLIBC_TUNABLES"})
        if (std::getenv(name) != nullptr) return true;
      return false;
    }();
    return chosen;
  }
  static void set(int unused) {
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, unused);
  }
#endif
};

}  // namespace lgn::python
