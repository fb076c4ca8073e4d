#include "lgn/dynamics/modal.h"

#include <gtest/gtest.h>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "tests/dynamics/structure_laws.h"

namespace lgn::testing {
namespace {

TEST(Modal, KeepsTheLawsOfAStructure) {
  Random random(4);
  for (const bool lossless : {false, true})
    for (const Index n : {2, 4, 5}) {
      if (lossless && n % 2 != 0) continue;
      const auto blocks = static_cast<std::size_t>(n / 2 + n % 2);
      const ModalStructure s(n, 2, std::vector<Index>(blocks, 1), lossless);
      const Vector theta = interior(s, random);
      EXPECT_TRUE(pullback_is_adjoint(s, theta, random));
      EXPECT_TRUE(pushforward_is_derivative(s, theta, random));
      EXPECT_TRUE(guarantee_holds(s, theta));
      EXPECT_EQ(static_cast<Index>(s.parameter_names().size()), s.parameters());
    }
}

TEST(Modal, HasThePolesAndShapesItIsMadeFrom) {
  // A pair, two real poles and one alone, in three channels.
  ComplexVector poles(5);
  poles << Complex(-0.1, 2), Complex(-0.1, -2), -0.5, -3.0, -7.0;
  ComplexMatrix shapes = ComplexMatrix::Random(3, 5);
  shapes.col(1) = shapes.col(0).conjugate();
  for (Index k = 2; k < 5; ++k) shapes.col(k) = shapes.col(k).real().cast<Complex>();
  const ModalSystem system = modal_system(poles, shapes, Vector::Ones(3));
  const ComplexVector found = eigenvalues(system.structure->generator(system.theta));
  for (const Complex& pole : poles)
    EXPECT_LE((found.array() - pole).abs().minCoeff(), 1e-12) << pole;
  const ModalPoles back = modal_poles(*system.structure, system.theta);
  for (Index k = 0; k < 5; ++k) {
    Index same = 0;
    EXPECT_LE((poles.array() - back.poles[k]).abs().minCoeff(&same), 1e-12);
    // Up to a factor.
    const ComplexVector a = shapes.col(same).normalized(), b = back.shapes.col(k).normalized();
    EXPECT_NEAR(std::abs(a.dot(b)), 1, 1e-12);
  }
}

TEST(Modal, ReflectsPolesThatGrow) {
  ComplexVector poles(2);
  poles << Complex(0.1, 2), Complex(0.1, -2);
  const ModalSystem system = modal_system(poles, ComplexMatrix::Ones(1, 2), Vector::Ones(1));
  EXPECT_LE(eigenvalues(system.structure->generator(system.theta)).real().maxCoeff(), -0.1 + 1e-12);
}

TEST(Modal, ShowsItsFirstStateInTheReferenceChannel) {
  const ModalStructure s(3, 2, {1, 0});
  Vector theta(s.parameters());
  theta << 2, 0.1, 0.5, 3, 4, 5;  // w, d, s; rows of the pair in channel 0, of the single one in 1
  const Matrix c = s.observation(theta).matrix();
  EXPECT_EQ(c, (Matrix{{3, 4, 1}, {1, 0, 5}}));
}

TEST(Modal, RefusesWhatMakesNoSense) {
  EXPECT_THROW(ModalStructure(3, 1, {0, 0}, true), Error);
  EXPECT_THROW(ModalStructure(2, 1, {1}), Error);
  EXPECT_THROW(ModalStructure(4, 1, {0}), Error);
  ComplexVector unpaired(2);
  unpaired << Complex(-1, 2), Complex(-1, 3);
  EXPECT_THROW(modal_system(unpaired, ComplexMatrix::Ones(1, 2), Vector::Ones(1)), Error);
}

}  // namespace
}  // namespace lgn::testing
