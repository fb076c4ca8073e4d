#pragma once

#include <string>

#include "lgn/model/model.h"

namespace lgn {

/// A model as text or bytes that other programs read, without lgn.
///
/// Every function throws Error where A, B, C, D or an initial state is not finite. Those that write a language throw it also where A varies in a way that no script knows: they know the structures skew, sd,
/// scaled-sd, psd, metric and full with courses in harmonics, Fourier features or splines, and the laws
/// ltv-oscillator and ltv-chain.

/// A Python module that needs NumPy alone: `A`, `C` where states are hidden, `offset` where there is one, `channels`, `x0`,
/// `starts`, `poles`, `time_unit` and `simulate(times, x0=None)`, which gives a row of all channels per time; `generator(t)`
/// where A varies. With inputs also `B`, `D` where inputs show at once, `inputs`, `hold`, `delay`, and
/// `simulate(times, x0=None, u=None)` with a row of u per time. Run as a
/// program, `python3 model.py --t1 T --dt H`, or `--t1 T --input U.csv`, prints what `lgn simulate` does.
///
/// Numbers read back to the same bits, names hold any text. The numbers are those of Model::propagate
/// to rounding (where the law is nonlinear, which needs SciPy, to the tolerance of its integrator), and to what rounding becomes in the flow: where A varies, both take steps of
/// ModelVariation::steps(), cut where A(t) is not smooth. Only a step that Model::propagate must
/// replace lest the energy grows differs, by no more than the tolerance.
std::string python_script(const Model& model);

/// The same for MATLAB (R2016b or later) and GNU Octave: a file that must be called `name`.m, in
/// which `name()` returns a struct with these fields. Throws Error also unless is_function_name(name).
std::string octave_script(const Model& model, const std::string& name = "model");

/// Whether a MATLAB function, and so its file, may have this name: letters, digits and _, a letter
/// first, no more than 63, no word of the language and none of the script's own functions.
bool is_function_name(const std::string& name);

/// A Modelica model, called `name` with a capital: the states x with der(x) = A*x, the parameter x0,
/// and an output per channel (y = C*x + offset where states are hidden), 'v 1' in quotes, which lets it have nearly any name; other characters
/// become _, and the full name stands beside it; so have inputs, which act after their delay. Simulation covers the time of the data.
std::string modelica_text(const Model& model, const std::string& name = "Model");

/// The bytes of a MAT file, version 5, which MATLAB, Octave's load and scipy.io.loadmat read: A, C where
/// states are hidden, starts (a column per run), x0 (the first of them), poles_re and poles_im; the cells channels,
/// time_unit and structure; parameter_names and parameter_values, with matrices as parameter_S and
/// so on. Where A varies, theta with theta_names, and A at the times course_t as course_A, n × n × K.
/// SciPy takes letters beyond ASCII for what they are with uint16_codec="utf-16".
std::string mat_file(const Model& model);

/// The law of a nonlinear model as LaTeX, an equation for each state, coefficients with their standard errors as in 0.500(12).
/// Throws Error where the model is linear.
std::string law_latex(const Model& model);

/// One of these, or a SPICE subcircuit (subcircuit.h), by the name of its format (python, octave, matlab, mat, modelica,
/// spice, latex) or, where that is empty, by the ending of the path (.py, .m, .mat, .mo, .cir, .tex). Names inside of the text come from the
/// path; "-" is standard output. `ports`: what find_port_kind takes. Throws Error for what is neither.
std::string export_text(const Model& model, const std::string& path, const std::string& format = "",
                        const std::string& ports = "");

}  // namespace lgn
