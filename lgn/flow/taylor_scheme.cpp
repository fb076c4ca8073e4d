#include "lgn/flow/taylor_scheme.h"

namespace lgn {
namespace {

using Product = TaylorScheme::Product;
using Combination = TaylorScheme::Combination;

constexpr Combination A{0, 1}, A2{0, 0, 1}, A3{0, 0, 0, 1};

constexpr std::array<Product, 2> products4{{{A, A}, {A2, {0, 1.0 / 6, 1.0 / 24}}}};

constexpr double root177 = 13.30413469565007;
constexpr double x3 = 2.0 / 3;
constexpr std::array<Product, 3> products8{{
    {A, A},
    {A2, {0, x3*(1 + root177) / 88, x3*(1 + root177) / 352}},
    {{0, 0, x3, 1},
     {(-271 + 29 * root177) / (315 * x3), 11 * (-1 + root177) / (1260 * x3),
      11 * (-9 + root177) / (5040 * x3), (89 - root177) / (5040 * x3 * x3)}},
}};

constexpr Combination square12{-2.0861320e-13, -0.13181061013830184015, -0.02027855540589259079,
                               -0.00675951846863086359};
constexpr std::array<Product, 4> products12{{
    {A, A},
    {A2, A},
    {square12, square12},
    {{0.18188869982170434744 + 5.31597895759871264183,
      0.05502798439925399070 + 1.19926790417132231573,
      0.09351590770535414968 + 0.01179296240992997031,
      0.00610700528898058230 + 0.01108844528519167989, 1},
     {0.18188869982170434744, 0.05502798439925399070, 0.09351590770535414968,
      0.00610700528898058230, 1}},
}};

constexpr std::array<Product, 5> products18{{
    {A, A},
    {A2, A},
    {A3, A3},
    {{0, -1.00365581030144618291e-01, -8.02924648241156932449e-03, -8.92138498045729985177e-04},
     {0, 0, -9.23364619367118555360e-02, -1.69364939002081722752e-02, -1.40086798182036094347e-05}},
    {{-1.09676396052962061844e+01 - 9.04316832390810593223e-02,
      1.68015813878906206114e+00 - 6.76404519071381882256e-02,
      5.71779846478865511061e-02 + 6.75961301770459654925e-02,
      -6.98210122488052056106e-03 + 2.95552570429315521194e-02,
      3.34975017086070470649e-05 - 1.39180257516060693404e-05, 1},
     {-9.04316832390810593223e-02, -6.76404519071381882256e-02, 6.75961301770459654925e-02,
      2.95552570429315521194e-02, -1.39180257516060693404e-05, 1}},
}};

constexpr std::array<TaylorScheme, 4> taylor_table{{
    {4, 2.2718e-4, products4, {1, 1, 0.5, 1}},
    {8, 3.7958e-2, products8, {1, 1, (857 - 58 * root177) / 630, 0, 1}},
    {12,
     2.4267e-1,
     products12,
     {9.0198e-16, 0.46932117595418237389, -0.20099424927047284052, -0.04623946134063071740, 0, 1}},
    {18,
     9.3171e-1,
     products18,
     {0, 3.97849749499645077844e-01, 1.36783778460411720168e+00, 4.98289622525382669416e-01,
      -6.37898194594723280150e-04, 0, 1}},
}};

// Expands a scheme as a polynomial in a scalar and compares with 1/k! up to its degree.
// Coefficients are given to 17 digits, and sums of a few of them carry a few roundings: 1e-14
// relative.
constexpr bool is_taylor(const TaylorScheme& scheme) {
  using Polynomial = std::array<double, 65>;
  const auto terms = static_cast<std::size_t>(scheme.degree) + 1;  // higher ones are not compared
  std::array<Polynomial, TaylorScheme::registers> r{};
  r[0][0] = 1;
  r[1][1] = 1;
  const auto combine = [&](const Combination& c) {
    Polynomial sum{};
    for (std::size_t i = 0; i < c.size(); ++i)
      for (std::size_t k = 0; k < terms; ++k) sum[k] += c[i] * r[i][k];
    return sum;
  };
  std::size_t next = 2;
  for (const auto& product : scheme.products) {
    const Polynomial left = combine(product.left), right = combine(product.right);
    for (std::size_t i = 0; i < terms; ++i)
      for (std::size_t j = 0; i + j < terms; ++j) r[next][i + j] += left[i] * right[j];
    ++next;
  }
  const Polynomial sum = combine(scheme.result);
  double factorial = 1;
  for (int k = 0; k <= scheme.degree; ++k) {
    if (k > 0) factorial *= k;
    const double error = sum[static_cast<std::size_t>(k)] * factorial - 1;
    if (error > 1e-14 || error < -1e-14) return false;
  }
  return true;
}
static_assert(is_taylor(taylor_table[0]) && is_taylor(taylor_table[1]));
static_assert(is_taylor(taylor_table[2]) && is_taylor(taylor_table[3]));

}  // namespace

std::span<const TaylorScheme> taylor_schemes() { return taylor_table; }

}  // namespace lgn
