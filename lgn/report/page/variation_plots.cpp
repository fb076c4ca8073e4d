#include "lgn/report/page/variation_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/report/page/page_parts_internal.h"
#include "lgn/report/plot/plot.h"
#include "lgn/report/text/variation_table.h"

namespace lgn {
namespace {

/// A curve with what is known about it.
struct Course {
  std::string name;
  Vector values, errors;
};

/// Rounding is no motion, and is not drawn as such.
Vector steady(const Vector& values, double size) {
  constexpr double rounding = 1e-9;
  const bool still = values.maxCoeff() - values.minCoeff() <= rounding * size;
  if (!still) return values;
  const double mean = values.mean();
  return Vector::Constant(values.size(), std::abs(mean) <= rounding * size ? 0.0 : mean);
}

std::vector<Course> courses_of(const Model& model) {
  const VariationCourse& course = model.variation->course;
  std::vector<Course> courses;
  for (const auto& entry : course.entries)
    if (entry.varies) courses.push_back({entry.name, entry.values, entry.errors});
  if (!course.entries.empty()) return courses;
  const Index n = model.dimension(), points = course.times.size();
  const double size = course.generators.cwiseAbs().maxCoeff();
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      Course one{fmt::format("A{},{}", i + 1, j + 1), Vector(points), Vector(points)};
      for (Index k = 0; k < points; ++k) {
        one.values[k] = course.generators(i, k * n + j);
        one.errors[k] = course.errors(i, k * n + j);
      }
      const Vector still = steady(one.values, size);
      if (still.maxCoeff() > still.minCoeff()) courses.push_back(std::move(one));
    }
  return courses;
}

/// A curve over time with its confidence band.
void draw(Plot& plot, const Model& model, const Vector& values, const Vector& errors, int colour) {
  const Vector& times = model.variation->course.times;
  const Vector reach = model.fit.interval * errors;
  if (errors.array().isFinite().any()) plot.band(times, values - reach, values + reach, colour);
  plot.line(times, values, colour, "");
}

std::string band_text(const Model& model, bool known) {
  return known ? fmt::format(" with its {:.4g}% band", 100 * model.fit.confidence) : "";
}

Plot course_plot(const Model& model, const Course& course) {
  Plot plot(course.name + " over time" + band_text(model, course.errors.array().isFinite().any()),
            time_label(model), course.name);
  draw(plot, model, course.values, course.errors, 1);
  return plot;
}

/// Of pairs the pole above the real axis, of others itself.
struct Track {
  Vector re, im, re_errors, im_errors;
};
std::vector<Track> tracks_of(const VariationCourse& course) {
  std::vector<Track> tracks;
  for (const FrozenPole& pole : frozen_poles(course)) {
    const auto row = course.poles.row(pole.row);
    const double size = row.cwiseAbs().maxCoeff();
    Vector im = row.imag();
    if (pole.pair) im = im.cwiseAbs();
    tracks.push_back({steady(row.real(), size), steady(im, size), course.re_errors.row(pole.row),
                      course.im_errors.row(pole.row)});
  }
  return tracks;
}

int colour_of(std::size_t track) { return 1 + static_cast<int>(track % 6); }

Plot plane_plot(const Model& model, const std::vector<Track>& tracks) {
  Plot plot("Frozen-time poles in the upper half plane",
            fmt::format("Re λ [1/{}]", model.time_unit),
            fmt::format("Im λ [rad/{}]", model.time_unit));
  double left = 0, right = 0, low = 0, high = 0;
  for (std::size_t k = 0; k < tracks.size(); ++k) {
    const Track& track = tracks[k];
    plot.line(track.re, track.im, colour_of(k), "");
    plot.circles(track.re.head(1), track.im.head(1), colour_of(k), "");
    plot.crosses(track.re.tail(1), track.im.tail(1), colour_of(k), "");
    const auto extend = [&](double& end, double value, bool smaller) {
      end = k == 0 || (value < end) == smaller ? value : end;
    };
    extend(left, track.re.minCoeff(), true);
    extend(right, track.re.maxCoeff(), false);
    extend(low, track.im.minCoeff(), true);
    extend(high, track.im.maxCoeff(), false);
  }
  // The axis between decay and growth, unless it would leave no room for the poles.
  if (std::max(-right, left) <= 2 * (right - left))
    plot.line(Vector::Zero(2), Vector{{low, high}}, 0, "");
  plot.circles({}, {}, 0, "begin");
  plot.crosses({}, {}, 0, "end");
  return plot;
}

}  // namespace

Index varying_courses(const Model& model) {
  return model.variation ? static_cast<Index>(courses_of(model).size()) : 0;
}

std::vector<ReportPlot> variation_plots(const Model& model) {
  std::vector<ReportPlot> plots;
  if (!model.variation) return plots;
  for (const Course& course : courses_of(model)) {
    if (static_cast<Index>(plots.size()) == most_courses) break;
    plots.push_back(
        {fmt::format("variation-{}", plots.size() + 1), "variation", course_plot(model, course)});
  }
  const VariationCourse& course = model.variation->course;
  const std::vector<Track> tracks = tracks_of(course);
  plots.push_back({"moving-poles", "", plane_plot(model, tracks)});
  const bool known = course.re_errors.array().isFinite().any();
  Plot re("Re λ(A(t))" + band_text(model, known), time_label(model),
          fmt::format("Re λ [1/{}]", model.time_unit));
  Plot im("Im λ(A(t))" + band_text(model, known), time_label(model),
          fmt::format("Im λ [rad/{}]", model.time_unit));
  bool turns = false;
  for (std::size_t k = 0; k < tracks.size(); ++k) {
    draw(re, model, tracks[k].re, tracks[k].re_errors, colour_of(k));
    if (tracks[k].im.isZero(0)) continue;
    draw(im, model, tracks[k].im, tracks[k].im_errors, colour_of(k));
    turns = true;
  }
  plots.push_back({"moving-poles-re", "variation", std::move(re)});
  if (turns) plots.push_back({"moving-poles-im", "variation", std::move(im)});
  return plots;
}

}  // namespace lgn
