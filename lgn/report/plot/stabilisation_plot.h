#pragma once

#include <string>

#include "lgn/model/model.h"
#include "lgn/physics/spectrum.h"
#include "lgn/report/plot/plot.h"

namespace lgn {

/// The stabilisation diagram: number of states over natural frequency of all poles that the model's stabilisation has, those
/// that the order before has, too, as crosses (stabilisation.h), others as circles; the model's oscillations as vertical lines,
/// and faintly behind them the logarithm of the data's spectrum, without a scale. Items of points count the poles of all
/// orders. `highest`: the last frequency that is shown.
Plot stabilisation_plot(const Model& model, const Spectrum& data, double highest);

/// When a pole counts as stable, in words.
std::string stability_words(Index channels);

/// A pole in a few words: "12 states: 0.397 Hz, ζ 0.021; stable".
std::string pole_title(const Model& model, const OrderPoles& order, Index pole, bool stable);

/// Singular values of the Hankel matrix, and how many states the model has.
Plot hankel_plot(const Model& model);

}  // namespace lgn
