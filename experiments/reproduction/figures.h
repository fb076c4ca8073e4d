#pragma once

#include <string>
#include <vector>

#include "experiments/reproduction/results.h"
#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// A colour of the palette (plot.h) for each method, the same in all figures.
enum Colour : int {
  truth_colour = 0,
  ours_colour = 1,        ///< identified as lgn fit does
  hnn_colour = 2,         ///< and SymODEN, which is in no figure with it
  neural_ode_colour = 3,  ///< and other networks
  lgn_fa_colour = 4,
  linear_id_colour = 5,
  lgn_colour = 6  ///< by the paper's protocol
};

/// A prediction to draw.
struct Curve {
  std::string label;
  int colour;
  Matrix states;  ///< column k at times[k]
  bool dashed = false;
};

/// ‖x̂ − x‖/‖x‖ at every time.
Vector relative_errors(const Matrix& states, const Matrix& truth);

/// The panels that figures share; the first curve is the truth. `end`: of training, marked; 0: not.
Panel phase_panel(const std::string& name, const std::string& title, const std::string& caption,
                  const std::vector<Curve>& curves, double reach);
Panel signal_panel(const std::string& name, const std::string& title, const std::string& caption,
                   const Vector& times, const std::vector<Curve>& curves, double end,
                   const std::string& label);
Panel error_panel(const std::string& name, const std::string& title, const std::string& caption,
                  const Vector& times, const std::vector<Curve>& curves, double end);
/// E = ½‖x‖²; `logarithmic` where it decays.
Panel energy_panel(const std::string& name, const std::string& title, const std::string& caption,
                   const Vector& times, const std::vector<Curve>& curves, bool logarithmic);

}  // namespace lgn::studies
