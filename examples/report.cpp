// The report's page and its parts: what stands in it, and plots of your own.
#include <cstdio>

#include "lgn/lgn.h"

int main() {
  const lgn::Dataset data = lgn::read_csv({"examples/ringdown.csv"});
  const lgn::Model model = lgn::identify(data);

  // All of it, to be written to a file and opened in a browser; and each plot as SVG.
  const std::string page = lgn::html_report(model, data);
  std::printf("a page of %zu kB\n", page.size() / 1000);
  for (const lgn::Figure& figure : lgn::report_figures(model, data))
    if (figure.svg.size() > 20000) std::printf("%s.svg is a large one\n", figure.name.c_str());

  // Are the residuals white? What is the numerical rank of the data?
  const lgn::Trajectory& run = data.runs().front();
  lgn::Autocorrelation residuals(data.dimension(), 25);
  residuals.add(run.states() - lgn::simulate(model, model.starts.col(0), run.times()));
  for (lgn::Index c = 0; c < data.dimension(); ++c)
    std::printf("%s: %s\n", data.channels()[static_cast<std::size_t>(c)].c_str(),
                residuals.white(c) ? "white residuals" : "autocorrelated residuals");
  const lgn::SignalContent content = lgn::find_signal_content(data, model.fit.channel_noise);
  std::printf("numerical rank %td of %td\n", content.above_floor(), data.dimension());

  // A plot with something added to it.
  lgn::Plot map = lgn::pole_map(model);
  map.circles(lgn::Vector{{-0.05}}, lgn::Vector{{1.246}}, 3, "as computed");
  std::printf("the pole map has %zu series and %zu bytes\n", map.series().size(), map.svg().size());
  return 0;
}
