#pragma once

#include <string>

#include "lgn/model/model.h"

namespace lgn {

/// A model as text or bytes that other programs read, without lgn.
///
///     const Model model = read_model("model.json");
///     OutputFile file("model.py");
///     file.write(python_script(model));
///     file.commit();
///
/// Every function throws Error where A or a start is not finite. Those that write a language throw
/// it also where the generator varies by a law or a structure that is not the program's own, which
/// no script can know: those that they know are skew, sd, scaled-sd, psd, metric and full, with
/// courses in harmonics, Fourier features or splines, and the laws ltv-oscillator and ltv-chain.

/// A Python module that needs NumPy alone: `A`, `channels`, `x0`, `starts`, `poles`, `time_unit` and
/// `simulate(times, x0=None)`, which gives a row per time; `generator(t)` where A varies. Run as a
/// program, `python3 model.py --t1 T --dt H` prints what `lgn simulate` does.
///
/// Numbers read back to the same bits, names hold any text. The states are those of
/// Model::propagate to rounding, and to what rounding becomes in the flow: where A varies, both take
/// steps of ModelVariation::steps(), cut where A(t) is not smooth. Only a step that Model::propagate
/// must replace lest the energy grows differs, by no more than the tolerance.
std::string python_script(const Model& model);

/// The same for MATLAB (R2016b or later) and GNU Octave: a file that must be called `name`.m, in
/// which `name()` returns a struct with these fields; `model.simulate(times)` or
/// `model.simulate(times, x0)`. Throws Error also for a name that is no function's
/// (is_function_name).
std::string octave_script(const Model& model, const std::string& name = "model");

/// Whether a MATLAB function, and so its file, may have this name: letters, digits and _, a letter
/// first, no more than 63, no word of the language and none of the script's own functions.
bool is_function_name(const std::string& name);

/// A Modelica model: the states x with der(x) = A * x, their starts as the parameter x0, and one
/// output per channel, called as the channel where Modelica has such an identifier ('v 1' in its
/// quotes) and no other has it already. A generator that varies is made of expressions in `time`;
/// simulation starts where the data do, and ends with them. Other characters of names, and of
/// `name` itself, become _; the full name stands beside it as a comment string. A `name` that is a word
/// of the language gets a capital: model.mo holds Model.
std::string modelica_text(const Model& model, const std::string& name = "Model");

/// The bytes of a MAT file, version 5, which MATLAB, Octave's load and scipy.io.loadmat read: A,
/// starts (a column per run), x0 (the first of them), poles_re and poles_im; the cells channels,
/// time_unit and structure; parameter_names and parameter_values, with matrices as parameter_S and
/// so on. Where A varies, theta with theta_names, and A at the times course_t as course_A, n × n × K.
/// SciPy takes letters beyond ASCII for what they are with uint16_codec="utf-16".
std::string mat_file(const Model& model);

/// One of these by the name of its format (python, octave, matlab, mat, modelica) or, where that is
/// empty, by the ending of the path (.py, .m, .mat, .mo). Names inside of the text come from the path; "-" is
/// standard output, and has no ending. Throws Error for what is neither, and where a .m file could
/// not be a function.
std::string export_text(const Model& model, const std::string& path,
                        const std::string& format = "");

}  // namespace lgn
