#include <lgn/core/linear_algebra.h>
#include <lgn/version.h>

#include <cmath>
#include <cstdio>

// The poles of x'' + 2ζω x' + ω² x = 0 with ω = 5 and ζ = 0.6 are −3 ± 4i.
int main() {
  lgn::Matrix a(2, 2);
  a << 0, 1, -25, -6;
  const lgn::ComplexVector poles = lgn::eigenvalues(a);
  // The error of an eigenvalue is at most its condition number (here below 10) times ‖A‖ε (26ε).
  const double tolerance = 260 * 2.3e-16;
  for (const lgn::Complex& pole : poles) {
    if (!(std::abs(pole.real() + 3) < tolerance &&
          std::abs(std::abs(pole.imag()) - 4) < tolerance)) {
      std::fprintf(stderr, "pole %.17g%+.17gi, expected -3+-4i\n", pole.real(), pole.imag());
      return 1;
    }
  }
  std::printf("lgn %s: poles %g%+gi and %g%+gi\n", lgn::version, poles[0].real(), poles[0].imag(),
              poles[1].real(), poles[1].imag());
}
