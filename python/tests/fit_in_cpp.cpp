// lgn-fit-in-cpp DATA.csv STRUCTURE THREADS: the library's own fit, A row by row in hexadecimal, for test_bits.py.

#include <fmt/format.h>

#include <exception>
#include <string>

#include "lgn/core/error.h"
#include "lgn/core/linear_algebra.h"
#include "lgn/data/csv/csv.h"
#include "lgn/identify.h"

int main(int argc, char** argv) try {
  if (argc != 4) throw lgn::Error("usage: lgn-fit-in-cpp DATA.csv STRUCTURE THREADS");
  lgn::FitOptions options;
  options.structure = argv[2];
  options.threads = std::stoi(argv[3]);
  lgn::set_threads(options.threads);
  const lgn::Matrix a = lgn::identify(lgn::read_csv({argv[1]}), options).a;
  for (const auto& row : a.rowwise())
    for (const double entry : row) fmt::print("{:a}\n", entry);
} catch (const std::exception& e) {
  fmt::print(stderr, "lgn-fit-in-cpp: {}\n", e.what());
  return 1;
}
