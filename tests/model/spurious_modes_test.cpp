#include "lgn/model/spurious_modes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "lgn/dynamics/modal.h"

namespace lgn {
namespace {

constexpr double pi = std::numbers::pi;

/// One channel, modes of the given poles and amplitudes, sampled every 0.1.
Model model_of(const std::vector<std::pair<Complex, double>>& modes) {
  const Index n = 2 * std::ssize(modes);
  ComplexVector poles(n);
  for (Index k = 0; k < std::ssize(modes); ++k) {
    poles[2 * k] = modes[static_cast<std::size_t>(k)].first;
    poles[2 * k + 1] = std::conj(poles[2 * k]);
  }
  const ModalSystem system = modal_system(poles, ComplexMatrix::Ones(1, n), Vector::Ones(1));
  Model model;
  model.channels = {"y"};
  model.a = system.structure->generator(system.theta);
  model.c = system.structure->observation(system.theta).matrix();
  model.starts = Matrix::Zero(n, 1);
  // Blocks may stand in another order than the poles: amplitudes go by natural frequency.
  for (const auto& block : system.structure->blocks()) {
    const double w = system.structure->rates(block, system.theta).first;
    const auto own =
        std::min_element(modes.begin(), modes.end(), [&](const auto& a, const auto& b) {
          return std::abs(std::abs(a.first) - w) < std::abs(std::abs(b.first) - w);
        });
    model.starts(block.state, 0) = own->second;
  }
  model.data.step = 0.1;
  model.data.runs = 1;
  model.data.samples = 600;
  model.modes = find_modes(model.a);
  show_in_channels(model.modes, model.c);
  return model;
}

std::string doubt_at(const Model& model, double frequency) {
  for (const Mode& mode : model.modes)
    if (std::abs(mode.pole.imag() - 2 * pi * frequency) < 0.01) return mode.spurious;
  return "no such mode";
}

TEST(SpuriousModes, AreTonesOfStrongerOnes) {
  Model model = model_of({{Complex(-0.05, 2 * pi * 0.5), 1.0},
                          {Complex(-0.06, 2 * pi * 0.9), 0.8},
                          {Complex(-0.1, 2 * pi * 1.5), 0.02}});
  mark_spurious_modes(model, true);
  EXPECT_EQ(doubt_at(model, 0.5), "");
  EXPECT_EQ(doubt_at(model, 0.9), "");
  EXPECT_EQ(doubt_at(model, 1.5), "harmonic or combination tone: 1.5 = 3 × 0.5");
  EXPECT_EQ(doubt_at(model, -1.5), doubt_at(model, 1.5));
  // What is not determined is said to be that already.
  for (Mode& mode : model.modes) mode.identifiable = false;
  mark_spurious_modes(model, true);
  EXPECT_EQ(doubt_at(model, 1.5), "");
}

TEST(SpuriousModes, AreThoseThatSamplesHardlyShow) {
  Model model = model_of({{Complex(-0.05, 2 * pi * 0.5), 1.0},
                          {Complex(-6, 2 * pi * 0.9), 0.8},
                          {Complex(-0.1, 2 * pi * 4.95), 0.5}});
  mark_spurious_modes(model, true);
  EXPECT_EQ(doubt_at(model, 0.5), "");
  EXPECT_EQ(doubt_at(model, 0.9), "decays within 2 samples");
  EXPECT_EQ(doubt_at(model, 4.95), "at the Nyquist frequency");
  mark_spurious_modes(model, false);
  EXPECT_EQ(doubt_at(model, 4.95), "");
  // Where each channel is a state, nothing is.
  model.c.resize(0, 0);
  for (Mode& mode : model.modes) mode.spurious.clear();
  mark_spurious_modes(model, true);
  EXPECT_EQ(doubt_at(model, 0.9), "");
}

TEST(SpuriousModes, AreThoseThatSomethingKeepsUp) {
  Model model =
      model_of({{Complex(-0.05, 2 * pi * 0.5), 1.0}, {Complex(-1e-5, 2 * pi * 0.83), 0.9}});
  mark_spurious_modes(model, true);
  EXPECT_EQ(doubt_at(model, 0.5), "");
  EXPECT_EQ(doubt_at(model, 0.83),
            "does not decay where others do: an input or a machine may keep it up");
  // Where nothing decays, nothing is said of that.
  Model lossless = model_of({{Complex(0, 2 * pi * 0.5), 1.0}, {Complex(0, 2 * pi * 0.83), 0.9}});
  mark_spurious_modes(lossless, true);
  EXPECT_EQ(doubt_at(lossless, 0.83), "");
  // In random vibration a mode has a width.
  model.ambient = AmbientResponse{Matrix::Ones(4, 1), Matrix::Ones(1, 1)};
  mark_spurious_modes(model, true);
  EXPECT_EQ(doubt_at(model, 0.5), "");
  EXPECT_EQ(doubt_at(model, 0.83), "narrower than a line of the spectrum: a machine, or chance");
}

TEST(SpuriousModes, AreThoseThatTheRecordIsTooShortFor) {
  Model model = model_of({{Complex(-0.05, 2 * pi * 0.5), 1.0}, {Complex(-1e-3, 1e-3), 0.9}});
  mark_spurious_modes(model, true);
  EXPECT_EQ(doubt_at(model, 1e-3 / (2 * pi)), "slower than the record is long");
  EXPECT_EQ(doubt_at(model, 0.5), "");
}

TEST(SpuriousModes, AreSidebandsOfAVaryingSystem) {
  // λ and its sidebands under a variation with 2.2 rad/s, known to 1%.
  const auto marked = [](double third) {
    Model model = model_of({{Complex(-0.15, 1.04), 1.0},
                            {Complex(-0.152, 2.2 - 1.04), 0.3},
                            {Complex(-0.149, third), 0.1}});
    model.data.samples = 300;
    for (Mode& mode : model.modes) {
      mode.se = Mode::Errors{};
      mode.se->re = mode.se->im = 0.003;
    }
    mark_spurious_modes(model, true);
    return std::count_if(model.modes.begin(), model.modes.end(),
                         [](const Mode& mode) { return !mode.spurious.empty(); });
  };
  EXPECT_EQ(marked(2.2 + 1.04), 4);
  EXPECT_EQ(marked(2.4 + 1.04), 0);
}

}  // namespace
}  // namespace lgn
