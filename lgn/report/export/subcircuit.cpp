#include "lgn/report/export/subcircuit.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/channel_kinds.h"
#include "lgn/report/export/export_internal.h"

namespace lgn {
namespace {

using export_internal::exact;
using export_internal::one_line;

/// The lines of a subcircuit.
class Lines {
 public:
  Lines(const Model& model, PortKind kind)
      : model_(model), impedance_(kind == PortKind::impedance) {}

  std::string text() {
    const auto& [timing, b, d] = model_.drive;
    const Index n = model_.dimension(), m = b.cols();
    const Matrix c = model_.hidden() ? model_.c : Matrix::Identity(n, n);
    const double seconds = *seconds_in(model_.time_unit);
    for (Index k = 0; k < m; ++k) port(k);
    for (Index i = 0; i < n; ++i) {
      out_ += fmt::format("Cx{0} x{0} 0 {1}\n", i + 1, exact(seconds));
      const std::string into = fmt::format("0 x{}", i + 1);
      for (Index j = 0; j < n; ++j)
        of_state(fmt::format("a{}_{}", i + 1, j + 1), into, j, model_.a(i, j));
      for (Index k = 0; k < m; ++k) of_input(fmt::format("b{}_{}", i + 1, k + 1), into, k, b(i, k));
    }
    for (Index k = 0; k < m; ++k) {
      const std::string into =
          impedance_ ? fmt::format("0 y{}", k + 1) : fmt::format("p{0} n{0}", k + 1);
      for (Index j = 0; j < n; ++j) of_state(fmt::format("c{}_{}", k + 1, j + 1), into, j, c(k, j));
      for (Index j = 0; j < m && d.size() > 0; ++j)
        of_input(fmt::format("d{}_{}", k + 1, j + 1), into, j, d(k, j));
    }
    return out_;
  }

 private:
  /// A current that flows in is that of a source of no voltage; a voltage that is given is summed up over one ohm.
  void port(Index k) {
    if (impedance_)
      out_ += fmt::format("Vu{0} p{0} o{0} 0\nRy{0} y{0} 0 1\nEy{0} o{0} n{0} y{0} 0 1\n", k + 1);
  }
  /// A current between these nodes, so many times a state or an input.
  void of_state(const std::string& name, const std::string& between, Index state, double gain) {
    if (gain != 0) out_ += fmt::format("G{} {} x{} 0 {}\n", name, between, state + 1, exact(gain));
  }
  void of_input(const std::string& name, const std::string& between, Index input, double gain) {
    if (gain == 0) return;
    out_ += impedance_
                ? fmt::format("F{} {} Vu{} {}\n", name, between, input + 1, exact(gain))
                : fmt::format("G{0} {1} p{2} n{2} {3}\n", name, between, input + 1, exact(gain));
  }

  const Model& model_;
  bool impedance_;
  std::string out_;
};

}  // namespace

PortKind find_port_kind(const Model& model, const std::string& word) {
  if (word == "admittance") return PortKind::admittance;
  if (word == "impedance") return PortKind::impedance;
  if (!word.empty())
    throw Error(fmt::format("{} does not know \"{}\"", setting("ports"), one_line(word)),
                "it takes admittance, impedance");
  std::vector<std::string> names = model.channels;
  names.insert(names.end(), model.inputs.begin(), model.inputs.end());
  const auto kinds = guess_kinds(names);
  const auto outputs = static_cast<std::ptrdiff_t>(model.channels.size());
  const auto are = [&](ChannelKind output, ChannelKind input) {
    const auto all = [](auto first, auto last, ChannelKind kind) {
      return std::all_of(first, last, [&](ChannelKind other) { return other == kind; });
    };
    return all(kinds.begin(), kinds.begin() + outputs, output) &&
           all(kinds.begin() + outputs, kinds.end(), input);
  };
  if (are(ChannelKind::current, ChannelKind::voltage)) return PortKind::admittance;
  if (are(ChannelKind::voltage, ChannelKind::current)) return PortKind::impedance;
  throw Error("the names of channels and inputs do not say which are voltages and which currents",
              "use " + setting("ports", "admittance") + " where inputs are voltages, " +
                  setting("ports", "impedance") + " where they are currents");
}

std::string spice_subcircuit(const Model& model, const std::string& name, PortKind kind) {
  export_internal::check_linear(model);
  const auto m = static_cast<Index>(model.inputs.size());
  if (m == 0)
    throw Error("a subcircuit has ports, and the model has no inputs",
                "write the netlist of a network, or fit data that have inputs");
  if (model.outputs() != m)
    throw Error(fmt::format("a port has an input and an output: there are {} of the one and {} of "
                            "the other",
                            m, model.outputs()),
                "fit pairs of them, in the same order");
  if (model.drive.timing.delay != 0)
    throw Error("a subcircuit cannot answer late", "fit the model without a delay");
  if (!seconds_in(model.time_unit))
    throw Error(
        fmt::format("how many seconds a \"{}\" has is not known", one_line(model.time_unit)),
        "fit the model with a time unit such as s or ms");
  const bool impedance = kind == PortKind::impedance;
  std::string text =
      fmt::format("* {} states of structure {}, found by lgn {}\n", model.dimension(),
                  one_line(model.structure), one_line(model.version));
  text += model.guarantee.passive
              ? "* Passive: with passive terminations no energy comes out that did not go in.\n"
              : "* Not guaranteed passive: with passive terminations it may still oscillate.\n";
  std::string nodes;
  for (Index k = 0; k < m; ++k) {
    const auto place = static_cast<std::size_t>(k);
    const std::string input = one_line(model.inputs[place]),
                      output = one_line(model.channels[place]);
    text += fmt::format(
        "* port {0}: the voltage from p{0} to n{0} is {1}, the current into p{0} is {2}\n", k + 1,
        impedance ? output : input, impedance ? input : output);
    nodes += fmt::format(" p{0} n{0}", k + 1);
  }
  if (model.offset.size() > 0) text += "* What sensors show at rest is left out.\n";
  return text + fmt::format(".subckt {}{}\n", name, nodes) + Lines(model, kind).text() +
         fmt::format(".ends {}\n", name);
}

}  // namespace lgn
