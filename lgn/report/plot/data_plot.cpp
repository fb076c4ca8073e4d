#include "lgn/report/plot/data_plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgn/data/scales.h"
#include "lgn/report/plot/plot.h"

namespace lgn {

std::string data_svg(const Dataset& data, const std::string& time_unit) {
  constexpr int width = 860, height = 190;
  const TimeSpan span = time_span(data);
  std::vector<Plot> panels;
  const auto add = [&](const std::string& name, bool is_input, Index row) {
    Plot plot(is_input ? name + " (input)" : name, fmt::format("time [{}]", time_unit), "", width,
              height);
    plot.range_x(span.begin, span.end);
    constexpr std::size_t colours = 7;
    for (std::size_t r = 0; r < data.runs().size(); ++r) {
      const Trajectory& run = data.runs()[r];
      plot.line(run.times(), (is_input ? run.inputs() : run.states()).row(row).transpose(),
                static_cast<int>(1 + r % colours), "");
    }
    panels.push_back(std::move(plot));
  };
  for (std::size_t c = 0; c < data.channels().size(); ++c)
    add(data.channels()[c], false, static_cast<Index>(c));
  for (std::size_t c = 0; c < data.inputs().size(); ++c)
    add(data.inputs()[c], true, static_cast<Index>(c));
  return stacked_svg(panels);
}

}  // namespace lgn
