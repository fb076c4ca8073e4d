#include "lgn/report/plot/mode_shapes.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>

#include "lgn/report/text/tables.h"

namespace lgn {

std::vector<ChannelRow> channel_rows(const std::vector<std::string>& channels) {
  std::map<std::string, std::vector<std::pair<unsigned long, Index>>> found;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::string& name = channels[c];
    const auto digit = [](unsigned char letter) { return std::isdigit(letter) != 0; };
    const auto end = std::find_if(name.rbegin(), name.rend(), digit).base();
    auto begin = end;
    while (begin != name.begin() && digit(static_cast<unsigned char>(*(begin - 1)))) --begin;
    if (begin == end || end - begin > 9) continue;
    const std::string frame = std::string(name.begin(), begin) + std::string(end, name.end());
    found[frame].emplace_back(std::stoul(std::string(begin, end)), static_cast<Index>(c));
  }
  std::vector<ChannelRow> rows;
  std::size_t placed = 0;
  for (auto& [name, numbered] : found) {
    if (numbered.size() < 3) continue;
    std::sort(numbered.begin(), numbered.end());
    ChannelRow row{name, {}};
    for (const auto& [number, channel] : numbered) row.channels.push_back(channel);
    placed += row.channels.size();
    rows.push_back(std::move(row));
  }
  if (static_cast<double>(placed) < 0.8 * static_cast<double>(channels.size())) return {};
  return rows;
}

Plot shape_plot(const Model& model, Index which) {
  const Mode& mode = model.modes[static_cast<std::size_t>(which)];
  std::vector<ChannelRow> rows = channel_rows(model.channels);
  const bool ordered = !rows.empty();
  if (!ordered) {
    rows.push_back({"", std::vector<Index>(static_cast<std::size_t>(model.outputs()))});
    std::iota(rows[0].channels.begin(), rows[0].channels.end(), 0);
  }
  Plot plot("Mode shape: " + mode_title(model, mode), ordered ? "position" : "channel",
            "motion, largest is 1");
  const double largest = std::max(mode.shape.cwiseAbs().maxCoeff(), 1e-300);
  int colour = 1;
  for (const auto& row : rows) {
    const auto count = static_cast<Index>(row.channels.size());
    const Vector place = Vector::LinSpaced(count, 1, static_cast<double>(count));
    Vector motion(count);
    for (Index k = 0; k < count; ++k)
      motion[k] = mode.shape[row.channels[static_cast<std::size_t>(k)]].real() / largest;
    if (ordered) plot.line(place, motion, colour, "");
    plot.circles(place, motion, colour++, row.name);
  }
  plot.range_y(-1.1, 1.1);
  return plot;
}

}  // namespace lgn
