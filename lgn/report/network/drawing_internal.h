#pragma once

#include <string>
#include <vector>

#include "lgn/model/network_names.h"
#include "lgn/report/network/network_shape.h"

namespace lgn::drawing {

/// Pixels of the page that drawings are made for; all coordinates below are such pixels.
constexpr double page_width = 720, margin = 22;
constexpr int font_size = 13;

/// A symbol of schematics with its two leads.
enum class Symbol { coil, resistor, box, capacitor, spring, damper, wire };

/// Marks of an SVG element, added one by one.
class Canvas {
 public:
  /// What the pointer finds on everything drawn until the matching end().
  void begin(const std::string& tooltip);
  void end();

  void line(double x1, double y1, double x2, double y2, const char* colour = "#222",
            double width = 1.5);
  void dot(double x, double y);
  /// `anchor` is start, middle or end.
  void text(double x, double y, const std::string& text, const char* anchor = "middle",
            const char* style = "");
  /// A symbol of that length, to the right of (x, y) or below it.
  void symbol(Symbol kind, double x, double y, double length, bool down = false);
  /// The ground of a circuit or the hatched surface of a wall, to the left (−1), the right (1) of
  /// (x, y) or below it (0).
  void ground(double x, double y);
  void wall(double x, double y, int side);
  /// A triangle that points to the right, or to the left, of (x, y).
  void arrow(double x, double y, bool right, const char* colour = "#222");
  /// Any other element.
  void mark(const std::string& element) { marks_ += element; }

  /// The element: as wide as the page and `height` high.
  std::string svg(const std::string& title, double height) const;

 private:
  std::string marks_;
};

/// A network with what its elements are called, for those who draw it.
struct Subject {
  explicit Subject(const Network& drawn)
      : network(drawn), names(element_names(drawn)), nodes(node_elements(drawn)) {}

  const Network& network;
  std::vector<ElementName> names;
  std::vector<NodeElements> nodes;

  const Network::Node& node(Index n) const { return network.nodes[static_cast<std::size_t>(n)]; }
  const Network::Element& element(Index k) const {
    return network.elements[static_cast<std::size_t>(k)];
  }
  const ElementName& name(Index k) const { return names[static_cast<std::size_t>(k)]; }
  const NodeElements& own(Index n) const { return nodes[static_cast<std::size_t>(n)]; }
  /// The element of that type that node n has to itself; −1 where there is none.
  Index grounded(Index n, Network::Type type) const;
  /// The elements between two nodes.
  std::vector<Index> between(Index a, Index b) const;

  /// "L1: inductance 0.998 ± 0.012, evidence 31.2".
  std::string tooltip(Index k) const;
  /// The value with three digits.
  std::string value(Index k) const;
  /// Draws name and value of element k on two lines, the first at y.
  void label(Canvas& canvas, double x, double y, Index k, const char* anchor = "middle") const;
  /// A symbol for element k with its tooltip, without a label.
  void symbol(Canvas& canvas, Symbol kind, Index k, double x, double y, double length,
              bool down = false) const;
};

/// How many to put on each row, at most `most`, so that as few rows as possible are about equally
/// long.
inline std::size_t balanced(std::size_t count, std::size_t most) {
  const std::size_t rows = (count + most - 1) / most;
  return (count + rows - 1) / rows;
}

/// Each draws a network of its shape, given its nodes in order along the path, or nothing where it
/// is none: a ladder of series and shunt elements, and bodies in a row.
std::string ladder_svg(const Network& network, const std::vector<Index>& path);
std::string chain_svg(const Network& network, const std::vector<Index>& path);
/// Circles and lines, for every network.
std::string graph_svg(const Network& network);

}  // namespace lgn::drawing
