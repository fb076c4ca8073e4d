#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "lgn/report/network/drawing_internal.h"
#include "lgn/report/network/graph_layout.h"
#include "lgn/report/text/markup.h"

namespace lgn::drawing {
namespace {

using Type = Network::Type;

int colour_of(Type type) {
  switch (type) {
    case Type::exchange:
    case Type::loss:
      return 2;
    case Type::spring:
      return 1;
    case Type::damper:
      return 5;
    default:
      return 0;
  }
}

int colour_of(ChannelKind kind) {
  switch (kind) {
    case ChannelKind::voltage:
      return 3;
    case ChannelKind::current:
      return 1;
    case ChannelKind::temperature:
      return 2;
    case ChannelKind::force:
      return 4;
    case ChannelKind::plain:
      return 6;
    default:
      return 5;
  }
}

/// Characters of a UTF-8 text.
double length_of(const std::string& text) {
  return static_cast<double>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

class GraphDrawing {
 public:
  explicit GraphDrawing(const Network& network)
      : subject_(network), between_(connections(network)) {
    constexpr double longest = 120;
    at_ = graph_layout(network, 9);
    const Vector extent = at_.rowwise().maxCoeff();
    const double room = page_width - 2 * edge_space;
    const double scale = std::min(longest, room / std::max(extent[0], 1e-9));
    at_ *= scale;
    at_.row(0).array() += (page_width - scale * extent[0]) / 2;
    at_.row(1).array() += edge_space;
    bottom_ = scale * extent[1] + 2 * edge_space;
    radius_ = std::clamp(0.3 * least_distance(), 4.0, 21.0);
    for (const auto& element : network.elements)
      strongest_[element.type] = std::max(strongest_[element.type], std::abs(element.value));
  }

  std::string svg() {
    for (const Connection& connection : between_) draw(connection);
    for (Index n = 0; n < at_.cols(); ++n) draw(n);
    for (const auto& [x, y, text] : values_) canvas_.text(x, y, text, "middle", halo);
    legend();
    return canvas_.svg("Network", bottom_);
  }

 private:
  static constexpr double edge_space = 46;
  static constexpr const char* halo =
      "font-size='11' stroke='#fff' stroke-width='3' paint-order='stroke'";

  struct Value {
    double x, y;
    std::string text;
  };

  double least_distance() const {
    double least = 70;
    for (Index i = 0; i < at_.cols(); ++i)
      for (Index j = 0; j < i; ++j) least = std::min(least, (at_.col(i) - at_.col(j)).norm());
    return least;
  }

  double thickness(const Network::Element& element) const {
    const double strongest = strongest_.at(element.type);
    const double share = strongest > 0 ? std::abs(element.value) / strongest : 0;
    return (1 + 3.8 * share) * std::min(1.0, radius_ / 14);
  }

  /// The elements between two nodes, side by side.
  void draw(const Connection& connection) {
    const Eigen::Vector2d a = at_.col(connection.from), b = at_.col(connection.to);
    const Eigen::Vector2d along = (b - a).normalized(), across{-along[1], along[0]};
    const double length = (b - a).norm();
    const auto count = static_cast<double>(connection.elements.size());
    for (std::size_t k = 0; k < connection.elements.size(); ++k) {
      const Index e = connection.elements[k];
      const auto& element = subject_.element(e);
      const Eigen::Vector2d shift = across * 7 * (static_cast<double>(k) - (count - 1) / 2);
      const Eigen::Vector2d from = a + shift, to = b + shift, middle = (from + to) / 2;
      const char* colour = palette_colour(colour_of(element.type));
      canvas_.begin(fmt::format("{} ({} – {})", subject_.tooltip(e),
                                subject_.node(element.from).name, subject_.node(element.to).name));
      canvas_.line(from[0], from[1], to[0], to[1], colour, thickness(element));
      canvas_.line(from[0], from[1], to[0], to[1], "transparent", 12);
      if (element.type == Type::coupling && length > 3.2 * radius_)
        direction(element, connection, middle, along);
      canvas_.end();
      if (has_room(length)) {
        const std::string text = fmt::format("{:.3g}", std::abs(subject_.name(e).value));
        const double away = 9 + 3 * length_of(text) * std::abs(across[0]);
        const double side = (k == 0) == (across[1] > 0) ? -away : away;
        write_value({middle[0] + side * across[0], middle[1] + side * across[1] + 4, text});
      }
    }
  }

  /// Unless another stands there.
  void write_value(const Value& value) {
    const bool free = std::none_of(values_.begin(), values_.end(), [&](const Value& other) {
      const double width = 3 * (length_of(value.text) + length_of(other.text)) + 4;
      return std::abs(value.x - other.x) < width && std::abs(value.y - other.y) < 12;
    });
    if (free) values_.push_back(value);
  }

  bool has_room(double length) const {
    constexpr std::size_t most_values = 30;
    return between_.size() <= most_values && length > 2 * radius_ + 44;
  }

  /// A coupling points to the node that the other one raises.
  void direction(const Network::Element& element, const Connection& connection,
                 const Eigen::Vector2d& middle, const Eigen::Vector2d& along) {
    const bool forward = (element.from == connection.to) == (element.value > 0);
    const double angle =
        std::atan2(along[1], along[0]) * 180 / std::numbers::pi + (forward ? 0 : 180);
    const double size = std::clamp(radius_ * 0.6, 5.0, 8.0) + thickness(element) / 2;
    canvas_.mark(
        fmt::format("<path transform='translate({:.1f} {:.1f}) rotate({:.0f})' "
                    "d='M{:.1f} 0l{:.1f} {:.1f}v{:.1f}z' fill='#000'/>",
                    middle[0], middle[1], angle, size / 2, -size, size * 0.55, -size * 1.1));
  }

  void draw(Index n) {
    const double x = at_(0, n), y = at_(1, n);
    const auto& node = subject_.node(n);
    const char* colour = palette_colour(colour_of(node.kind));
    std::string tooltip = node.name;
    const auto add = [&](Index k) { tooltip += "\n" + subject_.tooltip(k); };
    if (subject_.own(n).storage >= 0) add(subject_.own(n).storage);
    for (const Index k : subject_.own(n).grounded) add(k);
    canvas_.begin(tooltip);
    if (!subject_.own(n).grounded.empty()) ring(n, x, y);
    canvas_.mark(
        fmt::format("<circle cx='{0:.1f}' cy='{1:.1f}' r='{2:.1f}' fill='#fff'/>"
                    "<circle cx='{0:.1f}' cy='{1:.1f}' r='{2:.1f}' fill='{3}' "
                    "fill-opacity='.22' stroke='{3}' stroke-width='1.6'/>",
                    x, y, radius_, colour));
    name(node.name, x, y);
    canvas_.end();
  }

  /// What leads to the ground: a dashed ring around the node, coloured by its type.
  void ring(Index n, double x, double y) {
    double r = radius_ + 3;
    for (const Index k : subject_.own(n).grounded) {
      const auto& element = subject_.element(k);
      canvas_.mark(fmt::format(
          "<circle cx='{:.1f}' cy='{:.1f}' r='{:.1f}' fill='none' stroke='{}' "
          "stroke-width='{:.1f}' stroke-dasharray='3 2.5'/>",
          x, y, r, palette_colour(colour_of(element.type)), std::min(thickness(element), 3.0)));
      r += 4;
    }
  }

  /// Inside the circle where it fits, else below.
  void name(const std::string& text, double x, double y) {
    const double fits = 2 * radius_ / (0.6 * std::max(length_of(text), 1.0));
    if (fits >= 9) {
      canvas_.text(x, y + 0.35 * std::min(fits, 13.0), text, "middle",
                   fmt::format("font-size='{:.1f}'", std::min(fits, 13.0)).c_str());
    } else {
      canvas_.text(x, y + radius_ + 13, text, "middle", halo);
    }
  }

  void legend() {
    double x = margin;
    const double y = bottom_ + 6;
    const auto entry = [&](const std::string& text) {
      canvas_.text(x + 26, y + 4, text, "start", "font-size='12'");
      x += 26 + 6.1 * length_of(text) + 18;
    };
    std::set<Type> types, grounded;
    for (const auto& element : subject_.network.elements)
      (element.to == Network::ground ? grounded : types).insert(element.type);
    for (const Type type : types) {
      canvas_.line(x, y, x + 20, y, palette_colour(colour_of(type)), 3.5);
      if (type == Type::coupling) canvas_.arrow(x + 15, y, true);
      entry(fmt::format("{} up to {:.3g}{}", name_of(type), strongest_.at(type),
                        type == Type::coupling ? ", to what it raises" : ""));
    }
    grounded.erase(Type::storage);
    for (const Type type : grounded) {
      canvas_.mark(
          fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='7' fill='none' stroke='{}' "
                      "stroke-width='2' stroke-dasharray='3 2.5'/>",
                      x + 10, y, palette_colour(colour_of(type))));
      entry(type == Type::loss ? "loss" : name_of(type) + " to ground");
    }
    std::set<ChannelKind> kinds;
    for (const auto& node : subject_.network.nodes) kinds.insert(node.kind);
    for (const ChannelKind kind : kinds) {
      if (kinds.size() < 2) break;
      canvas_.mark(
          fmt::format("<circle cx='{0:.1f}' cy='{1:.1f}' r='7' fill='{2}' "
                      "fill-opacity='.22' stroke='{2}' stroke-width='1.6'/>",
                      x + 12, y, palette_colour(colour_of(kind))));
      entry(lgn::name_of(kind));
    }
    bottom_ += 24;
  }

  Subject subject_;
  std::vector<Connection> between_;
  Matrix at_;
  std::map<Type, double> strongest_;
  std::vector<Value> values_;
  Canvas canvas_;
  double radius_ = 0, bottom_ = 0;
};

}  // namespace

std::string graph_svg(const Network& network) { return GraphDrawing(network).svg(); }

}  // namespace lgn::drawing
