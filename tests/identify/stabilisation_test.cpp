#include "lgn/identify/hidden/stabilisation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/random.h"
#include "lgn/core/stop.h"
#include "lgn/identify/realisation/realisation.h"

namespace lgn {
namespace {

/// Two damped oscillations in two channels with 1% noise, at even times.
Dataset two_modes(Index samples) {
  Random random(5);
  const Vector times = Vector::LinSpaced(samples, 0, 0.1 * static_cast<double>(samples - 1));
  Matrix y = 0.01 * random.normals(2, samples);
  for (Index k = 0; k < samples; ++k) {
    const double a = std::exp(-0.02 * times[k]) * std::cos(2 * times[k]);
    const double b = std::exp(-0.05 * times[k]) * std::cos(7 * times[k] + 1);
    y.col(k) += Vector{{a + b, 0.5 * a - b}};
  }
  return Dataset({"u", "v"}, {Trajectory("1", times, y)});
}

TEST(StablePoles, AreThoseThatTheOrderBeforeHas) {
  const auto pole = [](double frequency, double damping) {
    return Complex(-damping * frequency, frequency * std::sqrt(1 - damping * damping));
  };
  const ComplexMatrix shapes{{1.0, 1.0, 1.0, 1.0}, {0.0, 0.0, 0.0, 1.0}};
  const auto order = [&](std::vector<Complex> poles, const ComplexMatrix& seen) {
    return OrderPoles{2 * std::ssize(poles),
                      Eigen::Map<ComplexVector>(poles.data(), std::ssize(poles)), seen};
  };
  const auto stable =
      stable_poles({order({pole(1, 0.01), pole(2, 0.01), pole(3, 0.01), pole(4, 0.01)}, shapes),
                    order({pole(1.009, 0.01), pole(2.03, 0.01), pole(3, 0.0106), pole(4, 0.01)},
                          ComplexMatrix{{1.0, 1.0, 1.0, 1.0}, {0.1, 0.0, 0.0, 0.0}}),
                    order({pole(1.009, 0.01)}, ComplexMatrix{{-1.0}, {-0.1}})});
  EXPECT_EQ(stable[0], std::vector<bool>(4, false));
  // Within all; frequency off; damping off by 5.7%; shape at 45°.
  EXPECT_EQ(stable[1], (std::vector<bool>{true, false, false, false}));
  EXPECT_EQ(stable[2], std::vector<bool>{true});
}

TEST(Stabilisation, ShowsPolesOfTheSystemAsStable) {
  const HankelRealisation realisation(two_modes(400), true);
  const Stabilisation found = find_stabilisation(realisation, 4);
  // Orders 2, 4, … 24: twenty more than were chosen.
  ASSERT_EQ(found.orders.size(), 12u);
  EXPECT_EQ(found.orders.back().states, 24);
  EXPECT_EQ(found.singular_values.size(),
            std::min<Index>(100, realisation.singular_values().size()));
  const auto stable = stable_poles(found.orders);
  for (std::size_t k = 2; k < found.orders.size(); ++k) {
    const OrderPoles& order = found.orders[k];
    EXPECT_EQ(order.shapes.rows(), 2);
    EXPECT_LE(order.poles.size(), order.states / 2);
    EXPECT_TRUE((order.poles.imag().array() > 0).all());
    for (const double frequency : {2.0, 7.0}) {
      bool seen = false;
      for (Index p = 0; p < order.poles.size(); ++p) {
        if (std::abs(order.poles[p].imag() - frequency) > 0.01 * frequency) continue;
        if (!stable[k][static_cast<std::size_t>(p)]) continue;
        seen = true;
        // In the second channel half of the first, or opposite; noise is some per cent of that.
        const double ratio = frequency == 2 ? 0.5 : -1;
        EXPECT_NEAR((order.shapes(1, p) / order.shapes(0, p)).real(), ratio, 0.05);
      }
      EXPECT_TRUE(seen) << order.states << " states, " << frequency;
    }
  }
}

TEST(Stabilisation, HasAsManyOrdersAsTheDataAllow) {
  const HankelRealisation few(two_modes(12), true);
  const Stabilisation found = find_stabilisation(few, 4);
  EXPECT_LT(found.orders.size(), 12u);
  const HankelRealisation many(two_modes(2000), true);
  EXPECT_EQ(find_stabilisation(many, 80).orders.back().states, 60);
}

TEST(Stabilisation, EndsWhenItIsAskedTo) {
  const HankelRealisation realisation(two_modes(400), true);
  StopScope stop;
  stop.request();
  EXPECT_NO_THROW({
    const Stabilisation found = find_stabilisation(realisation, 4);
    EXPECT_LT(found.orders.size(), 12u);
  });
}

TEST(Stabilisation, CostsLittle) {
  const HankelRealisation realisation(two_modes(2000), true);
  const double before = work_done();
  find_stabilisation(realisation, 60);
  // Half a second, and the last piece of work before it was noticed.
  EXPECT_LT(work_done() - before, 8e8);
}

}  // namespace
}  // namespace lgn
