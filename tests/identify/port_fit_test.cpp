#include "lgn/identify/driven/port_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/excitation.h"
#include "lgn/flow/forced_response.h"
#include "lgn/identify.h"
#include "lgn/identify/regression/weak_form.h"
#include "lgn/model/model_file.h"
#include "lgn/model/ports.h"

namespace lgn::testing {
namespace {

Dataset driven(const System& system, const Matrix& b, Index samples, double step, double noise,
               std::uint64_t seed, const std::vector<std::string>& inputs) {
  Random random(seed);
  const Vector times = Vector::LinSpaced(samples, 0, step * static_cast<double>(samples - 1));
  Matrix u(b.cols(), samples);
  for (Index j = 0; j < u.rows(); ++j) u.row(j) = excitation("steps", times, random).transpose();
  Matrix x =
      forced_states(system.a, random.normals(b.rows()), b, input_course(times, u, {Hold::zoh, 0}));
  x += noise * random.normals(x.rows(), x.cols());
  return Dataset(system.channels, {Trajectory("1", times, x, u)}, inputs);
}

FitOptions network(const std::string& structure) {
  FitOptions options;
  options.structure = structure;
  options.hold = InputHold::zoh;
  options.feedthrough = Feedthrough::no;
  return options;
}

TEST(PortFit, TellsTheNodeThatACurrentEnters) {
  const System system = ladder(Vector{{0.2, 0.1, 0.3}}, Vector{{1, 2, 1.5}}, Vector{{1, 0.5, 2}});
  Matrix b = Matrix::Zero(6, 1);
  b(2, 0) = 2;  // into v2, whose capacitance is a half
  const Dataset data = driven(system, b, 400, 0.1, 0.02, 3, {"is"});
  const Model model = identify(data, network("network"));
  ASSERT_TRUE(model.network);
  const auto found = ports(model);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].input, "is");
  EXPECT_EQ(found[0].state, "v2");
  ASSERT_GT(found[0].error, 0);
  EXPECT_LE(std::abs(found[0].gain - 2), 4 * found[0].error);
  // Entries of A are known to a per cent or so.
  EXPECT_LE((model.a - system.a).norm(), 0.05 * system.a.norm());
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 6; ++j)
      if (system.a(i, j) == 0) {
        EXPECT_EQ(model.a(i, j), 0) << i << j;
      }
  const Model read = model_from_json(model_to_json(model), "model");
  EXPECT_EQ(read.drive.b, model.drive.b);
  const Matrix again =
      model.propagate(model.starts.col(0), data.runs()[0].times(), data.runs()[0].inputs());
  EXPECT_LE((again - data.runs()[0].states()).norm(), 0.05 * again.norm());
}

TEST(PortFit, TellsTheMassesThatForcesActOn) {
  const System system = mass_spring(3, 2, 3, 0.3);
  Matrix b = Matrix::Zero(6, 2);
  b(3, 0) = 0.5;
  b(5, 1) = 1;
  const Dataset data = driven(system, b, 400, 0.15, 0.01, 4, {"f1", "f3"});
  const Model model = identify(data, network("mechanical"));
  const auto found = ports(model);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].state, "v1");
  EXPECT_EQ(found[1].state, "v3");
  EXPECT_LE(std::abs(found[0].gain - 0.5), 4 * found[0].error);
  EXPECT_LE(std::abs(found[1].gain - 1), 4 * found[1].error);
  EXPECT_LE((model.a - system.a).norm(), 0.05 * system.a.norm());
}

TEST(PortFit, ObeysATopologyThatIsGiven) {
  const System system = ladder(Vector{{0.2, 0.1}}, Vector{{1, 2}}, Vector{{1, 0.5}});
  const Dataset data = driven(system, system.b, 300, 0.1, 0.02, 5, {"is"});
  FitOptions options = network("auto");
  options.network.rules.pattern = {{0, 1}, {1, 2}, {2, 3}};
  const Model model = identify(data, options);
  ASSERT_TRUE(model.network);
  ASSERT_EQ(ports(model).size(), 1u);
  EXPECT_EQ(ports(model)[0].state, "v1");
  EXPECT_LE((model.a - system.a).norm(), 0.05 * system.a.norm());
}

TEST(DrivenWeakForm, LeavesWhatTheGeneratorDoes) {
  const System system = ladder(Vector{{0.2, 0.1}}, Vector{{1, 2}}, Vector{{1, 0.5}});
  const Dataset data = driven(system, system.b, 600, 0.02, 0, 6, {"is"});
  const Regression regression = driven_weak_form(data, 0.4, 3, {Hold::zoh, 0});
  // A corner of ẋ at every step of the input costs cubics a part of h of a window.
  EXPECT_LE((system.a * regression.states - regression.derivatives).norm(),
            0.02 * regression.derivatives.norm());
  EXPECT_GT(
      (system.a * weak_form(data, 0.4, 3).states - weak_form(data, 0.4, 3).derivatives).norm(),
      0.1 * regression.derivatives.norm());
}

}  // namespace
}  // namespace lgn::testing
