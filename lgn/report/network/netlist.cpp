#include "lgn/report/network/netlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/model/network_names.h"
#include "lgn/report/text/markup.h"

namespace lgn {
namespace {

using Type = Network::Type;

/// A comment holds any text, but one line of it.
std::string comment(const std::string& text) {
  std::string line = "* " + clean_text(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return line + "\n";
}

std::string file_name(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return c > 0x7e || (std::isalnum(c) == 0 && c != '.' && c != '-'); },
      '_');
  return text;
}

/// The branch of a node: a capacitor to the ground, or an inductor and the resistor in series.
struct Branch {
  std::string number;  ///< tells it apart from others of its kind
  double storage = 0, loss = 0;
  std::string from = "0", to = "0";  ///< ends of an inductor
};

/// What to print for a channel.
struct Probe {
  Index state;
  std::string expression, channel;
};

class Circuit {
 public:
  explicit Circuit(const Network& network) : network_(network), branches_(network.nodes.size()) {
    for (const auto& node : network.nodes)
      if (node.kind != ChannelKind::voltage && node.kind != ChannelKind::current)
        refuse(fmt::format("\"{}\" is neither a voltage nor a current", node.name));
    const std::vector<ElementName> names = element_names(network);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto& element = network.elements[k];
      Branch& branch = branches_[static_cast<std::size_t>(element.from)];
      if (element.type == Type::storage) {
        branch.number = names[k].symbol.substr(1);
        branch.storage = element.value;
      }
      if (element.type == Type::loss) branch.loss = element.value;
    }
    for (std::size_t n = 0; n < branches_.size(); ++n)
      if (!(branches_[n].storage > 0))
        refuse(fmt::format("\"{}\" has no storage", network.nodes[n].name));
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto& element = network.elements[k];
      if (element.type == Type::coupling) connect(element, names[k].symbol);
      if (element.type == Type::exchange && (!is_voltage(element.from) || !is_voltage(element.to)))
        refuse(names[k].symbol + " is not between two voltages");
    }
  }

  /// The elements, a line each, with their values at time zero.
  std::string lines(const Vector& x0) const {
    std::string out;
    for (std::size_t n = 0; n < branches_.size(); ++n) {
      const Branch& b = branches_[n];
      const double initial = x0[network_.nodes[n].state];
      if (is_voltage(static_cast<Index>(n))) {
        out += fmt::format("C{0} n{0} 0 {1} ic={2}\n", b.number, b.storage, initial);
        if (b.loss > 0) out += fmt::format("RG{0} n{0} 0 {1}\n", b.number, 1 / b.loss);
        continue;
      }
      const std::string middle = b.loss > 0 ? "x" + b.number : b.to;
      out += fmt::format("L{} {} {} {} ic={}\n", b.number, b.from, middle, b.storage, initial);
      if (b.loss > 0) out += fmt::format("R{} {} {} {}\n", b.number, middle, b.to, b.loss);
    }
    for (const auto& element : network_.elements)
      if (element.type == Type::exchange && element.value > 0)
        out += fmt::format("RG{0}_{1} n{0} n{1} {2}\n", branch(element.from).number,
                           branch(element.to).number, 1 / element.value);
    return out;
  }

  std::vector<Probe> probes() const {
    std::vector<Probe> all;
    for (std::size_t n = 0; n < branches_.size(); ++n) {
      const auto& node = network_.nodes[n];
      const char* begin = node.kind == ChannelKind::voltage ? "v(n" : "i(L";
      all.push_back({node.state, begin + branches_[n].number + ")", node.name});
    }
    std::sort(all.begin(), all.end(),
              [](const Probe& a, const Probe& b) { return a.state < b.state; });
    return all;
  }

  /// At least the modulus of every pole: the largest row sum in coordinates √m x.
  double fastest_rate() const {
    Vector rates(static_cast<Index>(branches_.size()));
    for (Index n = 0; n < rates.size(); ++n) rates[n] = branch(n).loss / branch(n).storage;
    for (const auto& element : network_.elements) {
      if (element.to == Network::ground) continue;
      const double m = branch(element.from).storage, other = branch(element.to).storage;
      const double joint = std::abs(element.value) / std::sqrt(m * other);
      const bool exchange = element.type == Type::exchange;
      rates[element.from] += joint + (exchange ? element.value / m : 0);
      rates[element.to] += joint + (exchange ? element.value / other : 0);
    }
    return rates.maxCoeff();
  }

 private:
  [[noreturn]] static void refuse(const std::string& why) {
    throw Error("the network is no circuit of resistors, inductors and capacitors: " + why,
                "netlists take voltages and currents with couplings of 1 or -1");
  }
  bool is_voltage(Index node) const {
    return network_.nodes[static_cast<std::size_t>(node)].kind == ChannelKind::voltage;
  }
  const Branch& branch(Index node) const { return branches_[static_cast<std::size_t>(node)]; }

  void connect(const Network::Element& element, const std::string& symbol) {
    if (is_voltage(element.from) == is_voltage(element.to))
      refuse(symbol + " is not between a voltage and a current");
    if (std::abs(element.value) != 1)
      refuse(fmt::format("{} is {}, not 1 or -1", symbol, element.value));
    const bool from_current = is_voltage(element.to);
    Branch& inductor =
        branches_[static_cast<std::size_t>(from_current ? element.from : element.to)];
    const Branch& capacitor = branch(from_current ? element.to : element.from);
    // The sign in the inductor's row, s_ji = −s_ij.
    const double sign = from_current ? element.value : -element.value;
    std::string& end = sign > 0 ? inductor.from : inductor.to;
    if (end != "0")
      refuse(fmt::format("{} would be the second wire at the same end of L{}", symbol,
                         inductor.number));
    end = "n" + capacitor.number;
  }

  const Network& network_;
  std::vector<Branch> branches_;
};

/// A step of the trapezoidal rule that keeps its phase until `end`, within what memory can hold.
double largest_step(const Circuit& circuit, const NetlistRun& run, std::size_t channels) {
  constexpr double phase = 1e-6, most_numbers = 4e7;
  const double rate = circuit.fastest_rate();
  const double accurate = std::sqrt(12 * phase / (rate * run.end)) / rate;
  const double affordable = run.end * static_cast<double>(channels) / most_numbers;
  return std::min(run.step, std::max(accurate, affordable));
}

}  // namespace

std::string spice_netlist(const Network& network, const NetlistRun& run) {
  if (!(run.step > 0) || !(run.end > 0) || !std::isfinite(run.end))
    throw Error("a netlist needs a step and an end of time that are positive");
  const Circuit circuit(network);
  const std::vector<Probe> probes = circuit.probes();
  std::string out = comment(run.title), save, all;
  for (const auto& [state, expression, channel] : probes) {
    out += comment(expression + " is " + channel);
    save += ".save " + expression + "\n";
    all += " " + expression;
  }
  if (network.relative) out += comment("values are relative: first storage = 1");
  out += circuit.lines(run.x0);
  out +=
      "* The trapezoidal rule conserves energy; truncation errors are kept far below the step's.\n"
      ".options method=trap reltol=1e-7 abstol=1e-15 vntol=1e-15 chgtol=1e-20 trtol=1\n";
  out += fmt::format(".tran {} {:.12g} 0 {:.6g} uic\n", run.step, run.end,
                     largest_step(circuit, run, probes.size()));
  out += save;
  out += fmt::format(
      ".control\n"
      "set wr_vecnames\n"
      "set wr_singlescale\n"
      "set numdgt=15\n"
      "run\n"
      "linearize{0}\n"
      "wrdata {1}{0}\n"
      "quit\n"
      ".endc\n"
      ".end\n",
      all, file_name(run.waveforms));
  return out;
}

}  // namespace lgn
