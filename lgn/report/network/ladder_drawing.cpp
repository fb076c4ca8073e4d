#include <algorithm>
#include <cmath>

#include "lgn/report/network/drawing_internal.h"

namespace lgn::drawing {
namespace {

using Type = Network::Type;

/// What stands on the rail before a node, and the node; −1 for what is not there.
struct Section {
  Index current = -1;   ///< a node: an inductor with its resistor
  Index exchange = -1;  ///< an element: a resistor alone
  Index voltage = -1;   ///< a node: a capacitor to the ground with its conductance
};

/// The sections of a path of voltages that currents or conductances join; none where it is no such
/// path.
std::vector<Section> sections_of(const Subject& subject, const std::vector<Index>& path) {
  std::vector<Section> sections;
  Section open;
  const auto kind = [&](Index n) { return subject.node(n).kind; };
  for (std::size_t p = 0; p < path.size(); ++p) {
    const Index node = path[p];
    if (kind(node) != ChannelKind::voltage && kind(node) != ChannelKind::current) return {};
    if (p > 0) {
      const std::vector<Index> joint = subject.between(path[p - 1], node);
      const bool coupled = subject.element(joint[0]).type == Type::coupling;
      if (joint.size() > 1 || coupled == (kind(node) == kind(path[p - 1]))) return {};
      if (!coupled && kind(node) == ChannelKind::current) return {};
      if (!coupled) open.exchange = joint[0];
    }
    if (kind(node) == ChannelKind::current) {
      open.current = node;
      continue;
    }
    open.voltage = node;
    sections.push_back(open);
    open = {};
  }
  if (open.current >= 0) sections.push_back(open);
  return sections;
}

class Ladder {
 public:
  Ladder(const Subject& subject, std::vector<Section> sections)
      : subject_(subject), sections_(std::move(sections)) {
    for (const Section& section : sections_)
      leaky_ = leaky_ || (section.voltage >= 0 && loss(section.voltage) >= 0);
    const double least = leaky_ ? 132 : 122, most = 190;
    const double room = page_width - 2 * margin - tail();
    per_row_ = balanced(sections_.size(), static_cast<std::size_t>(room / least));
    step_ = std::min(room / static_cast<double>(per_row_), most);
  }

  std::string svg() {
    for (std::size_t first = 0; first < sections_.size(); first += per_row_)
      row(first, std::min(first + per_row_, sections_.size()));
    return canvas_.svg("Ladder network", top_ + 8);
  }

 private:
  static constexpr double rail = 46, depth = 92, row_height = 166;
  static constexpr double aside = 68;  ///< of a conductance from its capacitor

  Index loss(Index node) const { return subject_.grounded(node, Type::loss); }
  double tail() const { return leaky_ ? 125 : 58; }

  void row(std::size_t first, std::size_t last) {
    const double y = top_ + rail, floor = y + depth;
    double x = margin + 14;
    const Section& begin = sections_[first];
    const bool starts_on_rail = begin.current >= 0 || begin.exchange >= 0;
    if (first > 0)
      continued(x, y);
    else if (begin.current >= 0)
      canvas_.line(x, y, x, floor);
    if (!starts_on_rail) x -= step_ - 20;
    const double left = std::max(x, margin + 14);
    for (std::size_t k = first; k < last; ++k) {
      series(sections_[k], x, y);
      x += step_;
      if (sections_[k].voltage >= 0) shunt(sections_[k].voltage, x, y, floor);
    }
    const bool open_end = sections_[last - 1].voltage < 0;
    if (open_end) canvas_.line(x, y, x, floor);
    if (last < sections_.size()) {
      canvas_.line(x, y, x + 22, y);
      canvas_.arrow(x + 26, y, true, "#888");
    }
    canvas_.line(left, floor, open_end ? x : x + (leaky_ ? aside : 10), floor);
    canvas_.ground(left + 16, floor);
    top_ += row_height;
  }

  void continued(double x, double y) {
    canvas_.arrow(x - 4, y, true, "#888");
    canvas_.line(x - 12, y, x, y);
  }

  void series(const Section& section, double x, double y) {
    if (section.exchange >= 0) {
      subject_.symbol(canvas_, Symbol::resistor, section.exchange, x, y, step_);
      subject_.label(canvas_, x + step_ / 2, y - 28, section.exchange);
    }
    if (section.current < 0) return;
    const Index coil = subject_.own(section.current).storage, resistor = loss(section.current);
    const double half = resistor >= 0 ? step_ / 2 : step_;
    if (coil >= 0) {
      subject_.symbol(canvas_, Symbol::coil, coil, x, y, half);
      subject_.label(canvas_, x + half / 2, y - 28, coil);
    } else {
      canvas_.line(x, y, x + half, y);
    }
    if (resistor >= 0) {
      subject_.symbol(canvas_, Symbol::resistor, resistor, x + half, y, half);
      subject_.label(canvas_, x + 1.5 * half, y - 28, resistor);
    }
    current(section, x + half, y);
  }

  /// An arrow the way a positive current flows, with its channel's name.
  void current(const Section& section, double x, double y) {
    double to_right = 0;
    for (const Index end : {Index{0}, Index{1}}) {
      const Index voltage = neighbour(section, end == 1);
      if (voltage < 0) continue;
      const auto& joint = subject_.element(subject_.between(section.current, voltage)[0]);
      const double sign = joint.from == section.current ? joint.value : -joint.value;
      to_right += end == 1 ? -sign : sign;
    }
    if (resistor_less(section)) x -= 14;
    if (to_right != 0) canvas_.arrow(to_right > 0 ? x + 4 : x - 4, y, to_right > 0, "#D55E00");
    canvas_.text(x, y + 20, subject_.node(section.current).name, "middle", "fill='#666'");
  }
  bool resistor_less(const Section& section) const { return loss(section.current) < 0; }

  /// The voltage to the right of a section's current, or to its left; −1 for the ground.
  Index neighbour(const Section& section, bool right) const {
    if (right) return section.voltage;
    const auto index = static_cast<std::size_t>(&section - sections_.data());
    return index == 0 ? -1 : sections_[index - 1].voltage;
  }

  void shunt(Index node, double x, double y, double floor) {
    const Index capacitor = subject_.own(node).storage, leak = loss(node);
    canvas_.dot(x, y);
    canvas_.text(x - 7, y + 20, subject_.node(node).name, "end", "fill='#666'");
    if (capacitor >= 0) {
      subject_.symbol(canvas_, Symbol::capacitor, capacitor, x, y, floor - y, true);
      subject_.label(canvas_, x + 16, y + 42, capacitor, "start");
    }
    if (leak < 0) return;
    const double below = y + 14;
    canvas_.line(x, below, x + aside, below);
    subject_.symbol(canvas_, Symbol::resistor, leak, x + aside, below, floor - below, true);
    subject_.label(canvas_, x + aside + 9, y + 42, leak, "start");
  }

  const Subject& subject_;
  std::vector<Section> sections_;
  Canvas canvas_;
  bool leaky_ = false;
  std::size_t per_row_ = 1;
  double step_ = 0, top_ = 8;
};

}  // namespace

std::string ladder_svg(const Network& network, const std::vector<Index>& path) {
  const Subject subject(network);
  std::vector<Section> sections = sections_of(subject, path);
  if (path.size() < 2 || sections.empty()) return {};
  return Ladder(subject, std::move(sections)).svg();
}

}  // namespace lgn::drawing
