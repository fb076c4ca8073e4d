#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/report/network/drawing_internal.h"
#include "lgn/report/network/network_table.h"
#include "lgn/report/text/markup.h"
#include "lgn/report/text/tables.h"

namespace lgn::drawing {
namespace {

struct Glyph {
  double width;      ///< without leads
  int colour;        ///< of the palette
  const char* path;  ///< from (0, 0) to (width, 0)
};

Glyph glyph_of(Symbol kind) {
  switch (kind) {
    case Symbol::coil:
      return {36, 1, "a4.5 5.5 0 0 1 9 0a4.5 5.5 0 0 1 9 0a4.5 5.5 0 0 1 9 0a4.5 5.5 0 0 1 9 0"};
    case Symbol::resistor:
      return {36, 2, "l3 -6l6 12l6 -12l6 12l6 -12l6 12l3 -6"};
    case Symbol::box:
      return {36, 2, "m0 -6h36v12h-36z"};
    case Symbol::capacitor:
      return {7, 3, "m0 -12v24m7 -24v24"};
    case Symbol::spring:
      return {40, 1, "l2.5 -7l5 14l5 -14l5 14l5 -14l5 14l5 -14l5 14l2.5 -7"};
    case Symbol::damper:
      return {30, 5, "m22 -7h-22v14h22m-10 -12v10m0 -5h18"};
    case Symbol::wire:
      break;
  }
  return {0, 0, ""};
}

}  // namespace

void Canvas::begin(const std::string& tooltip) {
  marks_ += "<g><title>" + escape_markup(tooltip) + "</title>";
}
void Canvas::end() { marks_ += "</g>"; }

void Canvas::line(double x1, double y1, double x2, double y2, const char* colour, double width) {
  marks_ +=
      fmt::format("<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}' stroke='{}' stroke-width='{:.1f}'/>", x1,
                  y1, x2, y2, colour, width);
}

void Canvas::dot(double x, double y) {
  marks_ += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='2.8' fill='#222'/>", x, y);
}

void Canvas::text(double x, double y, const std::string& text, const char* anchor,
                  const char* style) {
  marks_ += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}'{}{}>{}</text>", x, y, anchor,
                        *style == 0 ? "" : " ", style, escape_markup(text));
}

void Canvas::symbol(Symbol kind, double x, double y, double length, bool down) {
  const Glyph glyph = glyph_of(kind);
  const double lead = (length - glyph.width) / 2;
  marks_ += fmt::format(
      "<g transform='translate({:.1f} {:.1f}){}'><path d='M0 0h{:.1f}m{:.1f} 0h{:.1f}' "
      "stroke='#222' stroke-width='1.5'/><path d='M{:.1f} 0{}' fill='none' stroke='{}' "
      "stroke-width='2' stroke-linejoin='round'/><path d='M0 0h{:.1f}' stroke='#fff' "
      "stroke-opacity='0' stroke-width='24'/></g>",
      x, y, down ? " rotate(90)" : "", lead, glyph.width, lead, lead, glyph.path,
      palette_colour(glyph.colour), length);
}

void Canvas::ground(double x, double y) {
  marks_ += fmt::format(
      "<path d='M{:.1f} {:.1f}v8m-9 0h18m-15 4h12m-9 4h6' stroke='#222' stroke-width='1.5' "
      "fill='none'/>",
      x, y);
}

void Canvas::wall(double x, double y, int side) {
  const int angle = side == 0 ? 0 : side < 0 ? 90 : -90;
  marks_ += fmt::format(
      "<path transform='translate({:.1f} {:.1f}) rotate({})' d='M-20 0h40m-6 0l-6 7m-4 -7l-6 7m-4 "
      "-7l-6 7' stroke='#222' stroke-width='1.5' fill='none'/>",
      x, y, angle);
}

void Canvas::arrow(double x, double y, bool right, const char* colour) {
  marks_ +=
      fmt::format("<path d='M{:.1f} {:.1f}l{} 4.5v-9z' fill='{}'/>", x, y, right ? -8 : 8, colour);
}

std::string Canvas::svg(const std::string& title, double height) const {
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1:.0f}' width='{0}' "
      "height='{1:.0f}' role='img' aria-label='{2}' font-family='system-ui,sans-serif' "
      "font-size='{3}' fill='#222'><title>{2}</title><rect width='100%' height='100%' "
      "fill='#ffffff'/>{4}</svg>",
      page_width, height, escape_markup(title), font_size, marks_);
}

Index Subject::grounded(Index n, Network::Type type) const {
  const auto& list = own(n).grounded;
  const auto found =
      std::find_if(list.begin(), list.end(), [&](Index k) { return element(k).type == type; });
  return found == list.end() ? -1 : *found;
}

std::vector<Index> Subject::between(Index a, Index b) const {
  std::vector<Index> found;
  for (std::size_t k = 0; k < network.elements.size(); ++k) {
    const auto& e = network.elements[k];
    if ((e.from == a && e.to == b) || (e.from == b && e.to == a))
      found.push_back(static_cast<Index>(k));
  }
  return found;
}

std::string Subject::tooltip(Index k) const {
  const ElementName& e = name(k);
  std::string text = fmt::format("{}: {} {}", e.symbol, e.quantity, with_error(e.value, e.se));
  if (e.se == 0) text += " exactly";
  if (std::isfinite(element(k).evidence))
    text += ", evidence " + evidence_text(element(k).evidence);
  return text;
}

std::string Subject::value(Index k) const { return fmt::format("{:.3g}", name(k).value + 0.0); }

void Subject::label(Canvas& canvas, double x, double y, Index k, const char* anchor) const {
  canvas.text(x, y, name(k).symbol, anchor, "font-weight='600'");
  canvas.text(x, y + font_size + 1, value(k), anchor);
}

void Subject::symbol(Canvas& canvas, Symbol kind, Index k, double x, double y, double length,
                     bool down) const {
  canvas.begin(tooltip(k));
  canvas.symbol(kind, x, y, length, down);
  canvas.end();
}

}  // namespace lgn::drawing
