#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/report/network/drawing_internal.h"
#include "lgn/report/text/markup.h"

namespace lgn::drawing {
namespace {

using Type = Network::Type;

/// A node of the row with everything that is drawn before and below it.
struct Body {
  Index node;
  std::vector<Index> before;  ///< elements to the body before it, or to the wall
  std::vector<Index> below;   ///< elements to the ground
};

struct Chain {
  std::vector<Body> bodies;
  std::vector<Index> after;  ///< elements from the last body to a wall
};

Symbol symbol_of(const Subject& subject, Index k) {
  const auto& element = subject.element(k);
  const ChannelKind kind = subject.node(element.from).kind;
  switch (element.type) {
    case Type::spring:
      return Symbol::spring;
    case Type::storage:  // of a force
      return Symbol::spring;
    case Type::damper:
      return Symbol::damper;
    case Type::coupling:
      return Symbol::wire;
    default:
      return kind == ChannelKind::velocity      ? Symbol::damper
             : kind == ChannelKind::temperature ? Symbol::box
                                                : Symbol::resistor;
  }
}

/// Masses whose springs are forces: every force of the path stands between its neighbours, or
/// between the first or last mass and a wall. Nothing where the path is no such chain.
Chain spring_chain(const Subject& subject, const std::vector<Index>& path) {
  Chain chain;
  std::vector<Index> open;
  bool force_before = false;
  for (std::size_t p = 0; p < path.size(); ++p) {
    const ChannelKind kind = subject.node(path[p]).kind;
    const bool force = kind == ChannelKind::force;
    if (!force && kind != ChannelKind::velocity) return {};
    if (p > 0 && force == force_before) return {};
    force_before = force;
    if (!force) {
      chain.bodies.push_back({path[p], open, subject.own(path[p]).grounded});
      open.clear();
      continue;
    }
    // A force that fades by itself has no place between two masses.
    if (subject.own(path[p]).storage < 0 || !subject.own(path[p]).grounded.empty()) return {};
    open = {subject.own(path[p]).storage};
  }
  chain.after = open;
  return chain;
}

/// Every node is a body. Springs that tie the first and the last mass to the ground go to a wall, and
/// so do their dampers, unless masses between them have such dampers too.
Chain plain_chain(const Subject& subject, const std::vector<Index>& path) {
  Chain chain;
  bool dampers_below = false;
  for (std::size_t p = 1; p + 1 < path.size(); ++p)
    dampers_below = dampers_below || subject.grounded(path[p], Type::damper) >= 0;
  for (std::size_t p = 0; p < path.size(); ++p) {
    const bool first = p == 0, last = p + 1 == path.size();
    Body body{path[p], {}, {}};
    if (!first) body.before = subject.between(path[p - 1], path[p]);
    for (const Index k : subject.own(path[p]).grounded) {
      const Type type = subject.element(k).type;
      const bool to_wall = type == Type::spring || (type == Type::damper && !dampers_below);
      std::vector<Index>& place = !to_wall ? body.below
                                  : first  ? body.before
                                  : last   ? chain.after
                                           : body.below;
      place.push_back(k);
    }
    chain.bodies.push_back(std::move(body));
  }
  return chain;
}

class ChainDrawing {
 public:
  ChainDrawing(const Subject& subject, Chain chain) : subject_(subject), chain_(std::move(chain)) {
    std::size_t parts = chain_.after.size();
    for (const Body& body : chain_.bodies) {
      parts = std::max(parts, body.before.size());
      hanging_ = hanging_ || !body.below.empty();
    }
    stacked_ = parts > 1;
    const double room = page_width - 2 * margin;
    per_row_ = balanced(chain_.bodies.size(),
                        static_cast<std::size_t>((room - least_link) / (body_width + least_link)));
    const auto count = static_cast<double>(per_row_);
    link_ = std::min((room - count * body_width) / (count + 1), most_link);
  }

  std::string svg() {
    for (std::size_t first = 0; first < chain_.bodies.size(); first += per_row_)
      row(first, std::min(first + per_row_, chain_.bodies.size()));
    return canvas_.svg("Chain network", top_ + 10);
  }

 private:
  static constexpr double body_width = 66, body_height = 50, least_link = 57, most_link = 120;

  /// Length of what hangs below a body: labels stand below those of stacked links.
  double hang() const { return stacked_ ? 78 : 46; }

  void row(std::size_t first, std::size_t last) {
    const double y = top_ + (stacked_ ? 66 : 50);
    double x = margin;
    for (std::size_t k = first; k < last; ++k) {
      const Body& body = chain_.bodies[k];
      if (k == first && k > 0) {
        canvas_.line(x - 12, y, x, y, "#888");
        canvas_.arrow(x, y, true, "#888");
      }
      if (k == 0 && !body.before.empty()) canvas_.wall(x, y, -1);
      link(body.before, x, y);
      x += link_;
      box(body, x, y);
      x += body_width;
    }
    if (last < chain_.bodies.size()) {
      canvas_.line(x, y, x + 16, y, "#888");
      canvas_.arrow(x + 22, y, true, "#888");
    } else if (!chain_.after.empty()) {
      link(chain_.after, x, y);
      canvas_.wall(x + link_, y, 1);
    }
    top_ = y + body_height / 2 + (hanging_ ? hang() + 26 : stacked_ ? 36 : 16);
  }

  /// Elements side by side from x on: one on the line, two above and below it.
  void link(const std::vector<Index>& elements, double x, double y) {
    const double apart = 26, begin = -apart * (static_cast<double>(elements.size()) - 1) / 2;
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const double at = y + begin + apart * static_cast<double>(k);
      const Symbol symbol = symbol_of(subject_, elements[k]);
      subject_.symbol(canvas_, symbol, elements[k], x, at, link_);
      if (symbol == Symbol::wire) direction(elements[k], x + link_ / 2, at);
      subject_.label(canvas_, x + link_ / 2, k == 0 ? at - 24 : at + 22, elements[k]);
    }
  }

  /// A coupling points to the node that the other one raises.
  void direction(Index k, double x, double y) {
    const auto& element = subject_.element(k);
    const auto place = [&](Index node) {
      return std::find_if(chain_.bodies.begin(), chain_.bodies.end(),
                          [&](const Body& body) { return body.node == node; });
    };
    const bool right = (place(element.from) > place(element.to)) == (element.value > 0);
    canvas_.arrow(right ? x + 4 : x - 4, y, right);
  }

  void box(const Body& body, double x, double y) {
    const double middle = x + body_width / 2;
    const Index storage = subject_.own(body.node).storage;
    canvas_.begin(storage < 0 ? subject_.node(body.node).name : subject_.tooltip(storage));
    canvas_.mark(fmt::format(
        "<rect x='{:.1f}' y='{:.1f}' width='{}' height='{}' rx='4' fill='#eaf3f9' stroke='#222' "
        "stroke-width='1.5'/>",
        x, y - body_height / 2, body_width, body_height));
    canvas_.text(middle, y - 8, subject_.node(body.node).name, "middle", "fill='#555'");
    if (storage >= 0) {
      canvas_.text(middle, y + 6, subject_.name(storage).symbol, "middle", "font-weight='600'");
      canvas_.text(middle, y + 20, subject_.value(storage), "middle");
    }
    canvas_.end();
    const double base = y + body_height / 2, length = hang();
    for (std::size_t k = 0; k < body.below.size(); ++k) {
      const bool alone = body.below.size() == 1, right = k > 0 || alone;
      const double at = alone ? middle : middle + (right ? 16 : -16);
      subject_.symbol(canvas_, symbol_of(subject_, body.below[k]), body.below[k], at, base, length,
                      true);
      subject_.label(canvas_, right ? at + 14 : at - 14, base + length / 2 + (stacked_ ? 6 : -4),
                     body.below[k], right ? "start" : "end");
    }
    if (!body.below.empty()) canvas_.wall(middle, base + length, 0);
  }

  const Subject& subject_;
  Chain chain_;
  Canvas canvas_;
  bool stacked_ = false, hanging_ = false;
  std::size_t per_row_ = 1;
  double link_ = 0, top_ = 10;
};

}  // namespace

std::string chain_svg(const Network& network, const std::vector<Index>& path) {
  const Subject subject(network);
  Chain chain = spring_chain(subject, path);
  if (chain.bodies.empty()) chain = plain_chain(subject, path);
  return ChainDrawing(subject, std::move(chain)).svg();
}

}  // namespace lgn::drawing
