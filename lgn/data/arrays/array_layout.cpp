#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/array_layout_internal.h"

namespace lgn::array_internal {
namespace {

/// What an index counts.
enum class Counts { run, sample, channel };
constexpr auto R = Counts::run, S = Counts::sample, C = Counts::channel;
using Order = std::vector<Counts>;
using Shape = std::vector<std::size_t>;

ArrayView view(const NumberArray& array, const Shape& shape, const Order& order) {
  ArrayView view;
  view.values = array.values.data();
  std::size_t stride = 1;
  for (std::size_t k = order.size(); k-- > 0;) {
    Axis& axis = order[k] == R ? view.run : order[k] == S ? view.sample : view.channel;
    axis = {shape[k], stride};
    stride *= shape[k];
  }
  return view;
}

/// Times in each order that they may have. A row or a column is a vector.
std::vector<ArrayView> views_of_times(const NumberArray& times, const std::string& name) {
  Shape shape = times.shape;
  std::erase(shape, std::size_t{1});
  if (shape.size() <= 1) return {view(times, {times.values.size()}, {S})};
  if (shape.size() == 2) return {view(times, shape, {R, S}), view(times, shape, {S, R})};
  throw Error(fmt::format("{} is {}", name, shape_text(times.shape)),
              "times are [sample], or [run, sample]");
}

/// The orders of as many dimensions, the agreed one first.
std::vector<Order> orders(std::size_t rank, bool several_times, const LayoutHints& hints) {
  if (rank == 1) return {{S}};
  if (rank == 3 && hints.is_matlab) return {{R, S, C}, {S, C, R}};
  if (rank == 3) return {{R, S, C}, {S, C, R}, {R, C, S}};
  if (rank != 2) return {};
  if (several_times) return {{R, S}, {S, R}};
  if (hints.channels == std::size_t{1} || hints.runs.value_or(1) > 1)
    return {{S, C}, {C, S}, {R, S}, {S, R}};
  return {{S, C}, {C, S}};
}

std::string in_words(const Order& order) {
  std::vector<const char*> words;
  for (const Counts counts : order)
    words.push_back(counts == R ? "run" : counts == S ? "sample" : "channel");
  return fmt::format("[{}]", fmt::join(words, ", "));
}

std::string expectation(const LayoutHints& hints) {
  std::string text = "x and u are [sample, channel] or [run, sample, channel]";
  if (hints.channels) text += fmt::format(", of {} channels", *hints.channels);
  if (hints.runs) text += fmt::format(", of {} runs", *hints.runs);
  return text;
}

}  // namespace

ArrayView view_times(const NumberArray& times, const std::string& name) {
  return views_of_times(times, name).front();
}

TimedView view_arrays(const NumberArray& times, const NumberArray& values, const LayoutHints& hints,
                      const std::string& time_name, const std::string& name) {
  struct Fit {
    TimedView view;
    Order order;
    bool is_agreed = false;
  };
  std::vector<Fit> fits;
  const std::vector<ArrayView> of_times = views_of_times(times, time_name);
  const bool several_times = of_times.size() > 1;
  const std::vector<Order> possible = orders(values.shape.size(), several_times, hints);
  for (std::size_t i = 0; i < of_times.size(); ++i)
    for (std::size_t k = 0; k < possible.size(); ++k) {
      const ArrayView found = view(values, values.shape, possible[k]);
      if (found.sample.size == of_times[i].sample.size &&
          (!several_times || found.run.size == of_times[i].run.size) &&
          found.run.size == hints.runs.value_or(found.run.size) &&
          found.channel.size == hints.channels.value_or(found.channel.size))
        fits.push_back({{of_times[i], found}, possible[k], i == 0 && k == 0});
    }
  const auto shapes = [&] {
    return fmt::format("{} is {}, {} is {}", time_name, shape_text(times.shape), name,
                       shape_text(values.shape));
  };
  if (fits.empty()) throw Error(shapes() + ", which do not fit", expectation(hints));
  const bool may_guess = !(hints.is_matlab && values.shape.size() == 3);
  if (fits.size() > 1 && !(fits.front().is_agreed && may_guess))
    throw Error(fmt::format("{}, which could be {} and {}", shapes(), in_words(fits[0].order),
                            in_words(fits[1].order)),
                "name the channels, and the runs, in lists channels and runs");
  return fits.front().view;
}

}  // namespace lgn::array_internal
