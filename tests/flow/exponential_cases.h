#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "lgn/core/random.h"

/// Matrices whose exponential is hard to compute, from the formulas in the literature.
namespace lgn::testing {

struct ExponentialCase {
  std::string name;
  Matrix a;
};

inline Matrix jordan_block(Index n, double eigenvalue, double coupling = 1.0) {
  Matrix a = eigenvalue * Matrix::Identity(n, n);
  a.diagonal(1).setConstant(coupling);
  return a;
}

inline Matrix strictly_upper(Index n, double size, Random& random) {
  return size * Matrix(random.normals(n, n).triangularView<Eigen::StrictlyUpper>());
}

inline Matrix random_skew(Index n, Random& random) {
  const Matrix m = random.normals(n, n);
  return m - m.transpose();
}

inline Matrix random_sd(Index n, Random& random) {
  Matrix a = random_skew(n, random);
  a.diagonal() = -random.normals(n).cwiseAbs();
  return a;
}

/// Upper triangular with spectrum in (−3, 0) and a strong coupling: stable, and far from normal.
inline Matrix random_nonnormal(Index n, double coupling, Random& random) {
  Matrix a = strictly_upper(n, coupling, random);
  for (Index i = 0; i < n; ++i) a(i, i) = -3 * random.uniform();
  return a;
}

/// The published ones.
inline std::vector<ExponentialCase> literature_cases() {
  std::vector<ExponentialCase> cases;
  const auto add = [&](const char* name, const Matrix& a) { cases.push_back({name, a}); };
  // R. C. Ward, SIAM J. Numer. Anal. 14:600, 1977, tests 1 to 4.
  add("Ward1", Matrix{{4, 2, 0}, {1, 4, 1}, {1, 1, 4}});
  add("Ward2", Matrix{{29.87942128909879, 0.7815750847907159, -2.289519314033932},
                      {0.7815750847907159, 25.72656945571064, 8.680737820540137},
                      {-2.289519314033932, 8.680737820540137, 34.39400925519054}});
  add("Ward3", Matrix{{-131, 19, 18}, {-390, 56, 54}, {-387, 57, 52}});
  Matrix forsythe = jordan_block(10, 0);
  forsythe(9, 0) = 1e-10;
  add("Ward4Forsythe", forsythe);
  // C. S. Kenney, A. J. Laub, SIAM J. Matrix Anal. Appl. 19:640, 1998, example 2 and page 655.
  add("KenneyLaub2", Matrix{{0.1, 1e6}, {0, 0.1}});
  const double k1 = 3.8e3, k2 = 1, k3 = 5.5e6, k4 = 2.7e7;  // a chain of decays
  add("KenneyLaub655", Matrix{{0, k1, 0, 0, 0},
                              {0, -k1, k2, 0, 0},
                              {0, 0, -k2, k3, 0},
                              {0, 0, 0, -k3, k4},
                              {0, 0, 0, 0, -k4}});
  // L. Dieci, A. Papini, Linear Algebra Appl. 308:183, 2000, example 3.10.
  Matrix dieci = Matrix::Zero(8, 8);
  dieci.topLeftCorner(4, 4).setConstant(0.65 / 4);
  dieci.topRightCorner(4, 4).setConstant(5e5 / 4);
  dieci.bottomRightCorner(4, 4).setConstant(-0.65 / 4);
  add("DieciPapini310", dieci);
  // C. Moler, C. Van Loan, SIAM Rev. 20:801, 1978.
  add("MolerVanLoan", Matrix{{-49, 24}, {-64, 31}});
  // C. Moler, "A balancing act for the matrix exponential", 2012.
  const double a = 2e10, b = 4e8 / 6, c = 200.0 / 3, d = 3, e = 1e-8;
  add("MolerBalancing", Matrix{{0, e, 0}, {-(a + b), -d, a}, {c, 0, -c}});
  // A. H. Al-Mohy, N. J. Higham, SIAM J. Matrix Anal. Appl. 31:970, 2009: scaling for ‖A‖ destroys
  // it.
  add("AlMohyHigham", Matrix{{1, 1e6}, {0, -1}});
  return cases;
}

/// Classes of matrices, and random ones of several sizes.
inline std::vector<ExponentialCase> generated_cases() {
  std::vector<ExponentialCase> cases;
  const auto add = [&](std::string name, const Matrix& a) {
    cases.push_back({std::move(name), a});
  };
  Random random(20240501);
  add("Jordan", jordan_block(6, -1));
  add("JordanUnstable", jordan_block(4, 3, 10));
  add("JordanStrong", jordan_block(5, -0.5, 100));
  add("NilpotentLarge", strictly_upper(5, 1e4, random));
  add("NilpotentSmall", strictly_upper(5, 1e-6, random));
  Matrix frank(10, 10);
  for (Index i = 0; i < 10; ++i)
    for (Index j = 0; j < 10; ++j)
      frank(i, j) = j + 1 < i ? 0 : static_cast<double>(10 - std::max(i, j));
  add("Frank10", frank);
  Matrix grcar = Matrix::Identity(10, 10);
  grcar.diagonal(-1).setConstant(-1);
  for (Index k = 1; k <= 3; ++k) grcar.diagonal(k).setOnes();
  add("Grcar10", grcar);
  Matrix lesp = Matrix::Zero(8, 8);  // real spectrum, sensitive
  for (Index k = 0; k < 8; ++k) lesp(k, k) = -static_cast<double>(2 * k + 5);
  for (Index k = 0; k + 1 < 8; ++k) {
    lesp(k, k + 1) = static_cast<double>(k + 2);
    lesp(k + 1, k) = 1 / static_cast<double>(k + 2);
  }
  add("Lesp8", lesp);
  add("Triangle10", -Matrix(Matrix::Ones(10, 10).triangularView<Eigen::UnitUpper>()));
  const Matrix core = random_sd(5, random);
  const Vector scale{{1e-4, 1e-2, 1, 1e2, 1e4}};
  add("BadlyScaled", scale.asDiagonal() * core * scale.cwiseInverse().asDiagonal());
  add("BadlyScaledTwo", Matrix{{-1, 1e8}, {-1e-8, -1}});
  add("Rotation", Matrix{{0, 1e3}, {-1e3, 0}});
  add("Zero", Matrix::Zero(3, 3));
  add("Diagonal", Vector{{-700, -30, 0, 1e-9, 20}}.asDiagonal());
  for (const double size : {1e-8, 1e-3, 0.1, 1.0, 10.0, 100.0, 1e3}) {
    const Matrix skew = random_skew(6, random), sd = random_sd(6, random);
    add("Skew" + std::to_string(cases.size()), size / norm1(skew) * skew);
    add("Sd" + std::to_string(cases.size()), size / norm1(sd) * sd);
  }
  for (const double coupling : {1.0, 30.0, 1e3, 1e6})
    add("NonNormal" + std::to_string(cases.size()), random_nonnormal(7, coupling, random));
  for (Index n = 1; n <= 4; ++n)
    add("Dense" + std::to_string(cases.size()), 3 * random.normals(n, n));
  return cases;
}

inline std::vector<ExponentialCase> hard_cases() {
  auto cases = literature_cases();
  for (auto& c : generated_cases()) cases.push_back(std::move(c));
  return cases;
}

}  // namespace lgn::testing
