#include "lgn/physics/transfer_function.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/physics/response_figures.h"
#include "tests/physics/response_fixture.h"

namespace lgn::testing {
namespace {

TEST(TransferFunction, IsTheResolventBetweenInputsAndOutputs) {
  const DrivenSystem s = five_states();
  const TransferFunction transfer(s);
  for (const Complex z : {Complex(0, 0), Complex(0, 1.99), Complex(0, 40), Complex(-0.5, 3)}) {
    const ComplexMatrix shifted = z * ComplexMatrix::Identity(5, 5) - s.a.cast<Complex>();
    const ComplexMatrix h =
        (s.c.cast<Complex>() * complex_inverse(shifted).value * s.b.cast<Complex>() +
         s.d.cast<Complex>()) *
        std::exp(-z * s.delay);
    // Both solve systems of condition below 1e3.
    EXPECT_LE((transfer.at(z).value - h).norm(), 1e-12 * h.norm());
    EXPECT_LE((transfer.value(z) - h).norm(), 1e-12 * h.norm());
    EXPECT_LE(std::abs(transfer.pair(1, 0).value(z)(0, 0) - h(1, 0)), 1e-12 * h.norm());
    const double step = 1e-5;
    const ComplexMatrix rise =
        (transfer.at(z + step).value - transfer.at(z - step).value) / (2 * step);
    // Central differences: the third derivative is below 1e4 of H.
    EXPECT_LE((transfer.at(z).slope - rise).norm(), 1e4 * step * step * h.norm());
  }
}

TEST(TransferFunction, EndsAtTheStaticGainAndAtTheFeedthrough) {
  DrivenSystem s = five_states();
  s.delay = 0;
  const TransferFunction transfer(s);
  const Matrix gain = s.d - s.c * *solve_well_conditioned(s.a, s.b, 0);
  EXPECT_LE((transfer.on_axis(0).value - gain.cast<Complex>()).norm(), 1e-13 * gain.norm());
  const double far = 1e9;
  // What is left is C B/(iω).
  EXPECT_LE((transfer.on_axis(far).value - s.d.cast<Complex>()).norm(),
            1.1 * (s.c * s.b).norm() / far);
}

TEST(TransferFunction, MovesAsDifferencesSay) {
  const DrivenSystem s = five_states();
  const SystemErrors errors = random_errors(s, 3, 1);
  const TransferFunction transfer(s, errors);
  const double part = 1e-3;
  for (const double omega : {0.0, 0.7, 2.0, 5.0, 30.0}) {
    const auto point = transfer.on_axis(omega);
    for (Index r = 0; r < 3; ++r) {
      const ComplexMatrix rise =
          (TransferFunction(moved(s, errors, r, part)).on_axis(omega).value -
           TransferFunction(moved(s, errors, r, -part)).on_axis(omega).value) /
          (2 * part);
      for (Index i = 0; i < 2; ++i)
        for (Index j = 0; j < 2; ++j)
          // Moves of 1e-5 over distances from poles of 0.1 at least: third derivatives are below 1e-2 of H.
          EXPECT_LE(std::abs(transfer.moves(point, i, j)[r] - rise(i, j)),
                    1e-7 * point.value.norm() + 1e-10);
    }
  }
}

TEST(TransferFunction, ErrorsOfMagnitudeAndPhase) {
  const DrivenSystem s = five_states();
  const SystemErrors errors = random_errors(s, 1, 2);
  const Vector omega{{0.3, 1.9, 2.4, 6.0}};
  const double part = 1e-3;
  const auto here = frequency_responses(TransferFunction(s, errors), omega);
  const auto up = frequency_responses(TransferFunction(moved(s, errors, 0, part)), omega);
  const auto down = frequency_responses(TransferFunction(moved(s, errors, 0, -part)), omega);
  for (std::size_t p = 0; p < 4; ++p) {
    const Vector size = (up[p].values.cwiseAbs() - down[p].values.cwiseAbs()) / (2 * part);
    const Vector angle = (up[p].phases() - down[p].phases()) / (2 * part);
    EXPECT_LE((here[p].magnitude_errors() - size.cwiseAbs()).norm(), 1e-6 * size.norm());
    EXPECT_LE((here[p].phase_errors() - angle.cwiseAbs()).norm(), 1e-6 * angle.norm());
  }
  EXPECT_EQ(up[0].covariance.size(), 0);
}

TEST(TransferFunction, PhasesDoNotJump) {
  DrivenSystem s = five_states();
  s.delay = 3;
  const TransferFunction transfer(s);
  const auto curves = frequency_responses(transfer, frequency_grid(transfer.poles(), 0.1, 20, 600));
  const Vector phases = curves[0].phases();
  for (Index k = 1; k < phases.size(); ++k) EXPECT_LE(std::abs(phases[k] - phases[k - 1]), 1.6);
  EXPECT_LE(phases.tail(1)[0], -50);  // the delay alone turns by 60
}

TEST(TransferFunction, GridIsDenseAtResonances) {
  const ComplexVector poles{{Complex(-1e-3, 1), Complex(-1e-3, -1), Complex(-3, 0)}};
  const Vector grid = frequency_grid(poles, 0.01, 100, 50);
  EXPECT_EQ(grid[0], 0.01);
  EXPECT_EQ(grid.tail(1)[0], 100);
  EXPECT_TRUE((grid.tail(grid.size() - 1).array() > grid.head(grid.size() - 1).array()).all());
  EXPECT_GE(((grid.array() - 1).abs() < 1e-3).count(), 9);
  EXPECT_THROW(frequency_grid(poles, 0, 1, 50), Error);
  EXPECT_THROW(TransferFunction({Matrix::Zero(2, 2), Matrix::Zero(1, 1), Matrix::Zero(1, 2),
                                 Matrix::Zero(1, 1)}),
               Error);
}

/// (s + 2)(s² + 0.2 s + 4) over a polynomial of degree `degree`, in companion form.
DrivenSystem known_zeros(Index degree) {
  DrivenSystem s{Matrix::Zero(degree, degree), Matrix::Zero(degree, 1), Matrix::Zero(1, degree),
                 Matrix::Zero(1, 1)};
  s.a.diagonal(1).setOnes();
  for (Index k = 0; k < degree; ++k) s.a(degree - 1, k) = -static_cast<double>(k + 1);
  s.b(degree - 1, 0) = 3;
  // s³ + 2.2 s² + 4.4 s + 8.
  s.c.leftCols(4) << 8, 4.4, 2.2, 1;
  return s;
}

TEST(TransmissionZeros, OfAKnownSystem) {
  for (const Index degree : {4, 5, 7}) {
    const ComplexVector zeros = transmission_zeros(known_zeros(degree));
    ASSERT_EQ(zeros.size(), 3) << degree;
    // Orthogonal steps on matrices of size 10: ε times the condition of simple zeros.
    EXPECT_NEAR(zeros[0].real(), -2, 1e-11);
    EXPECT_NEAR(zeros[1].real(), -0.1, 1e-11);
    EXPECT_NEAR(std::abs(zeros[1].imag()), std::sqrt(3.99), 1e-11);
  }
  DrivenSystem fed = known_zeros(4);
  fed.d(0, 0) = 0.7;
  EXPECT_EQ(transmission_zeros(fed).size(), 4);
  for (const Complex& z : transmission_zeros(fed))
    EXPECT_LE(std::abs(TransferFunction(fed).at(z).value(0, 0)), 1e-10);
}

TEST(TransmissionZeros, OfSeveralInputsAndOutputs) {
  const DrivenSystem s = five_states();
  const ComplexVector zeros = transmission_zeros(s);
  ASSERT_EQ(zeros.size(), 5);  // D is invertible
  for (const Complex& z : zeros) {
    const ComplexMatrix h = TransferFunction(s).at(z).value;
    EXPECT_LE(std::abs(h(0, 0) * h(1, 1) - h(0, 1) * h(1, 0)), 1e-10 * h.squaredNorm());
  }
  // More outputs than inputs vanish together by chance only; nothing at all has no zeros.
  DrivenSystem one = s;
  one.b = s.b.col(0);
  one.d = s.d.col(0);
  EXPECT_EQ(transmission_zeros(one).size(), 0);
  one.b.setZero();
  one.d.setZero();
  EXPECT_EQ(transmission_zeros(one).size(), 0);
}

/// What is compared with differences: values, and the standard errors that one direction gives.
std::vector<Estimated> flattened(const ResponseFigures& f) {
  return {f.static_gain, f.bandwidth,     f.peak,         f.peak_frequency,
          f.gain_margin, f.gain_crossing, f.phase_margin, f.phase_crossing};
}

TEST(ResponseFigures, MoveAsDifferencesSay) {
  DrivenSystem s = five_states();
  s.d.setZero();
  s.c *= 4;
  SystemErrors errors = random_errors(s, 1, 5);
  errors.root.bottomRows(4).setZero();  // D stays zero, or zeros would come from infinity
  const TransferFunction transfer(s, errors);
  const Vector omega = frequency_grid(transfer.poles(), 0.05, 50, 400);
  const double part = 1e-3;
  const auto here = response_figures(transfer, omega);
  const auto up = response_figures(TransferFunction(moved(s, errors, 0, part)), omega);
  const auto down = response_figures(TransferFunction(moved(s, errors, 0, -part)), omega);
  int compared = 0;
  for (std::size_t p = 0; p < here.size(); ++p) {
    const auto now = flattened(here[p]), above = flattened(up[p]), below = flattened(down[p]);
    for (std::size_t k = 0; k < now.size(); ++k) {
      if (!std::isfinite(now[k].error)) continue;
      ++compared;
      const double slope = std::abs(above[k].value - below[k].value) / (2 * part);
      // Golden sections place a maximum to the root of rounding, 1e-8 of ω, over steps of 1e-3.
      EXPECT_NEAR(now[k].error, slope, 1e-4 * slope + 1e-5 * std::abs(now[k].value))
          << p << " " << k;
    }
    ASSERT_EQ(here[p].zeros.size(), up[p].zeros.size());
    for (std::size_t z = 0; z < here[p].zeros.size(); ++z) {
      const Complex slope = (up[p].zeros[z].value - down[p].zeros[z].value) / (2 * part);
      EXPECT_NEAR(here[p].zeros[z].re_error, std::abs(slope.real()), 1e-5 * (1 + std::abs(slope)));
      EXPECT_NEAR(here[p].zeros[z].im_error, std::abs(slope.imag()), 1e-5 * (1 + std::abs(slope)));
    }
  }
  EXPECT_GE(compared, 20);
  const auto whole = estimated_zeros(transfer);
  const auto above = transmission_zeros(moved(s, errors, 0, part)),
             below = transmission_zeros(moved(s, errors, 0, -part));
  ASSERT_EQ(whole.size(), 3u);
  for (std::size_t z = 0; z < whole.size(); ++z) {
    const auto place = static_cast<Index>(z);
    const Complex slope = (above[place] - below[place]) / (2 * part);
    EXPECT_NEAR(whole[z].re_error, std::abs(slope.real()), 1e-4 * (1 + std::abs(slope)));
  }
}

TEST(ResponseFigures, OfTheSecondOrderSystem) {
  // H = ω²/(s² + 2ζωs + ω²): |H| peaks at ω√(1 − 2ζ²) with 1/(2ζ√(1 − ζ²)) and has fallen by 3 dB where
  // x = (Ω/ω)² solves (1 − x)² + 4ζ²x = 2.
  const double w = 3, zeta = 0.1;
  const DrivenSystem s{Matrix{{0, 1}, {-w * w, -2 * zeta * w}}, Matrix{{0}, {w * w}},
                       Matrix{{1, 0}}, Matrix::Zero(1, 1)};
  const TransferFunction transfer(s);
  const auto f = response_figures(transfer, frequency_grid(transfer.poles(), 0.1, 100, 300))[0];
  const double b = 1 - 2 * zeta * zeta;
  EXPECT_NEAR(f.static_gain.value, 1, 1e-13);
  EXPECT_NEAR(f.peak.value, 1 / (2 * zeta * std::sqrt(1 - zeta * zeta)), 1e-12);
  EXPECT_NEAR(f.peak_frequency.value, w * std::sqrt(b), 1e-6);  // the root of rounding
  EXPECT_NEAR(f.bandwidth.value, w * std::sqrt(b + std::sqrt(b * b + 1)), 1e-12);
  // |H| = 1 at x = 2 − 4ζ² too, where the phase is −(π − atan(2ζ√x/(x − 1))).
  const double x = 2 * b;
  EXPECT_NEAR(f.phase_crossing.value, w * std::sqrt(x), 1e-11);
  EXPECT_NEAR(f.phase_margin.value, std::atan(2 * zeta * std::sqrt(x) / (x - 1)), 1e-11);
  EXPECT_TRUE(std::isnan(f.gain_margin.value));  // the phase never reaches −π
  EXPECT_TRUE(std::isnan(f.static_gain.error));
  EXPECT_TRUE(f.zeros.empty());
}

TEST(ResponseFigures, GainMarginOfThreeDecays) {
  // 4/(s + 1)³ turns by −π at ω = √3, where it is 4/8.
  const DrivenSystem s{Matrix{{-1, 1, 0}, {0, -1, 1}, {0, 0, -1}}, Matrix{{0}, {0}, {4}},
                       Matrix{{1, 0, 0}}, Matrix::Zero(1, 1)};
  const TransferFunction transfer(s);
  const auto f = response_figures(transfer, frequency_grid(transfer.poles(), 0.1, 100, 300))[0];
  EXPECT_NEAR(f.gain_margin.value, 2, 1e-12);
  EXPECT_NEAR(f.gain_crossing.value, std::sqrt(3.0), 1e-12);
  EXPECT_EQ(f.peak_frequency.value, 0);
  EXPECT_NEAR(f.peak.value, 4, 1e-12);
}

}  // namespace
}  // namespace lgn::testing
