#include "lgn/identify.h"

#include <fmt/format.h>

#include <chrono>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/channel_kinds.h"
#include "lgn/distinct_channels_internal.h"
#include "lgn/identify/driven/passive_fit.h"
#include "lgn/identify/nonlinear/law_fit.h"
#include "lgn/identify/sparse/engine.h"
#include "lgn/large_network_internal.h"
#include "lgn/linear_identification_internal.h"
#include "lgn/model/experiment_warnings.h"
#include "lgn/nonlinear_identification_internal.h"
#include "lgn/random_vibration_internal.h"

namespace lgn {
namespace {

/// Whether inputs act. Throws Error where the options contradict the data.
bool has_inputs(const Dataset& data, const FitOptions& options) {
  const std::string input = data.active_input();
  if (options.record == Record::driven && data.inputs().empty())
    throw Error("a driven record needs an input", "name its columns with " + setting("inputs"));
  if (options.record == Record::free && !input.empty())
    throw Error(fmt::format("\"{}\" is an input that is not zero, and free motion has none", input),
                "use " + setting("inputs", "none") +
                    " if it is a measured channel, or cut the data where the input ends");
  const bool acts =
      options.record != Record::ambient && (!input.empty() || options.record == Record::driven);
  if (!acts && options.noise_model == NoiseModel::innovation)
    throw Error("an innovations form is fitted to data with inputs",
                "leave out " + setting("noise_model") + "; random vibration has " +
                    setting("record", "ambient"));
  return acts;
}

/// What a search finds, or why it was stopped before there was anything.
template <class Search>
Model answer_of(Search&& search) {
  try {
    return search();
  } catch (const Stopped& stopped) {
    throw NotIdentified(stopped.what(), "allow more with " + setting("max_seconds"));
  }
}

/// The options with what the data say about them.
FitOptions completed(const FitOptions& given, const Dataset& data) {
  FitOptions options = given;
  options.driven = has_inputs(data, given);
  if (options.passive) check_passive(data, options);
  if (options.network.kinds.empty()) options.network.kinds = guess_kinds(data.channels());
  return options;
}

/// Random vibration, or free and driven motion, as the record looks.
Model find_motion(const Dataset& data, const FitOptions& options) {
  EarlierAttempt earlier{{}, work_done()};
  if (!options.driven && may_be_random_vibration(data, options)) {
    try {
      return answer_of([&] { return identify_random_vibration(data, options); });
    } catch (const NotIdentified& error) {
      if (options.record == Record::ambient) throw;
      earlier.no_vibration = error;
    }
  }
  return identify_linear(data, options, earlier);
}

/// The kind of model that the options name, else the one that the record asks for.
Model find_model(const Dataset& data, const FitOptions& options) {
  if (uses_sparse_engine(data, options)) return identify_large_network(data, options);
  if (!options.custom_structure && is_nonlinear(options.structure))
    return identify_nonlinear(data, options);
  const std::vector<RepeatedChannel> repeated = repeated_channels(data);
  if (repeated.empty()) return find_motion(data, options);
  // The same noise twice is no more information.
  const bool fewer = may_leave_out(options, data.dimension());
  Model model;
  if (fewer) {
    const DistinctChannels distinct = without(repeated, data, options);
    model = find_motion(distinct.data, distinct.options);
  } else {
    model = find_motion(data, options);
  }
  model.warnings.push_back(repeated_channels_warning(repetitions(repeated, data), fewer));
  return model;
}

}  // namespace

Model identify(const Dataset& data, const FitOptions& given) {
  const auto begin = std::chrono::steady_clock::now();
  check_options(given);
  check_data(data, given);
  FitOptions options = completed(given, data);
  // With hundreds of channels one regression takes seconds.
  const Index n = data.dimension();
  StopScope stop(given.max_seconds, {}, n > 4000 ? 5.0 : n > 200 ? 2.0 : stop_allowance);
  options.observe = [&](const FitProgress& progress) {
    if (given.observe && !given.observe(progress)) stop.request();
    return !stop.requested();
  };
  Model model = answer_of([&] { return find_model(data, options); });
  model.fit.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return model;
}

Matrix fitted_initial_states(const Model& model, const Dataset& data) {
  // A model that was not fitted knows no noise.
  const Vector& known = model.fit.channel_noise;
  const Vector noise =
      known.size() == model.outputs() && (known.array() > 0).all() ? known : Vector();
  return model.initial_states(data, noise);
}

Model model_on(const Model& model, const Dataset& data) {
  Model other = model;
  if (!model.ambient) other.starts = fitted_initial_states(model, data);
  other.fit.holdout = 0;
  return other;
}

Matrix simulate(const Model& model, const Vector& x0, const Vector& times, const Matrix& inputs) {
  if (x0.size() != model.dimension())
    throw Error(
        fmt::format("x0 has {} values, the model has {} states", x0.size(), model.dimension()));
  const auto known = static_cast<Index>(model.inputs.size());
  if (inputs.size() > 0 && (inputs.rows() != known || inputs.cols() != times.size()))
    throw Error(fmt::format("the inputs are {} × {}, the model has {} and there are {} times",
                            inputs.rows(), inputs.cols(), known, times.size()));
  return model.propagate(x0, times, inputs);
}

}  // namespace lgn
