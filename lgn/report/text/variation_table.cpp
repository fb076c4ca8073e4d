#include "lgn/report/text/variation_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/varying_law.h"

namespace lgn {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_rows = 20;

double error_of(const ModelVariation& variation, Index k) {
  return k < variation.errors.size() ? variation.errors[k] : unknown;
}

/// "6.274 ± 0.026 s" of the k-th frequency.
std::string period_text(const Model& model, Index k) {
  const double omega = model.variation->theta[k], period = 2 * std::numbers::pi / omega;
  return fmt::format("{} {}", with_error(period, period * error_of(*model.variation, k) / omega),
                     model.time_unit);
}

/// What ± means, where it stands.
void add_errors_note(TableWithLines& part, const Model& model) {
  if (model.variation->errors.size() > 0) part.below.emplace_back("± one standard error");
}

std::string interval_text(const Model& model) {
  return fmt::format("{} to {} {}", short_number(model.variation->begin),
                     short_number(model.variation->end), model.time_unit);
}

/// "low … high", or one number where they read alike.
std::string range_text(double low, double high) {
  const std::string from = short_number(low), to = short_number(high);
  return from == to ? from : from + " … " + to;
}

/// Says what makes up the courses, line by line.
std::vector<std::string> course_lines(const Model& model, const ModulatedStructure& structure) {
  const ModelVariation& variation = *model.variation;
  std::vector<std::string> lines;
  const TimeBasis& basis = structure.basis();
  const Vector frequencies = basis.waves(structure.omega(variation.theta));
  if (basis.knots().size() > 0) {
    lines.push_back(
        fmt::format("A(t) drifts over {}, by {} cubic splines; beyond, it is not identified",
                    interval_text(model), basis.size() - 1));
  } else if (basis.extrapolates()) {
    for (Index k = 0; k < basis.parameters(); ++k)
      lines.push_back(fmt::format("ω{} = {} rad/{}, period {}", k + 1,
                                  with_error(variation.theta[k], error_of(variation, k)),
                                  model.time_unit, period_text(model, k)));
    lines.push_back(fmt::format(
        "entries are mean + amplitude · sin(ω {} + phase)",
        basis.origin() == 0 ? "t" : fmt::format("(t − {})", short_number(basis.origin()))));
  } else if (frequencies.size() > 0) {
    lines.push_back(fmt::format(
        "A(t) over {}, by {} fixed frequencies in {} rad/{}; beyond, it is not identified",
        interval_text(model), frequencies.size(),
        range_text(frequencies.minCoeff(), frequencies.maxCoeff()), model.time_unit));
  }
  if (structure.link() == ModulatedStructure::Link::softplus)
    lines.emplace_back("entries that cannot be negative are log(1 + exp(·)) of that");
  return lines;
}

/// A row for each harmonic of the entry.
void add_harmonic_rows(Table& table, const EntryCourse& entry) {
  for (std::size_t k = 0; k < entry.harmonics.size(); ++k) {
    const HarmonicPart& part = entry.harmonics[k];
    table.rows.push_back(
        {k == 0 ? entry.name : "", k == 0 ? with_error(entry.mean, entry.mean_error) : "",
         fmt::format("ω{}", part.frequency + 1), with_error(part.amplitude, part.amplitude_error),
         with_error(part.phase, part.phase_error)});
  }
}

void add_range_row(Table& table, const EntryCourse& entry) {
  Index low = 0, high = 0;
  entry.values.minCoeff(&low);
  entry.values.maxCoeff(&high);
  table.rows.push_back({entry.name, with_error(entry.mean, entry.mean_error),
                        with_error(entry.values[low], entry.errors[low]),
                        with_error(entry.values[high], entry.errors[high])});
}

TableWithLines entries_table(const Model& model, const ModulatedStructure& structure) {
  const bool harmonic = structure.basis().name() == "harmonics";
  TableWithLines result{course_lines(model, structure), {}};
  Table& table = result.table;
  table.header = harmonic ? std::vector<std::string>{"entry", "mean", "varies with", "amplitude",
                                                     "phase [rad]"}
                          : std::vector<std::string>{"entry", "mean", "smallest", "largest"};
  Index varying_left = 0, constant_left = 0;
  for (const bool varies : {true, false})
    for (const auto& entry : model.variation->course.entries) {
      if (entry.varies != varies) continue;
      if (table.rows.size() >= most_rows) {
        ++(varies ? varying_left : constant_left);
      } else if (!varies) {
        table.rows.push_back({entry.name, with_error(entry.mean, entry.mean_error), "constant"});
        table.rows.back().resize(table.header.size());
      } else if (harmonic) {
        add_harmonic_rows(table, entry);
      } else {
        add_range_row(table, entry);
      }
    }
  if (varying_left > 0)
    result.below.push_back(fmt::format("{} more vary and are not listed", varying_left));
  if (constant_left > 0)
    result.below.push_back(fmt::format("{} more are constant and are not listed", constant_left));
  add_errors_note(result, model);
  return result;
}

TableWithLines constants_table(const Model& model, const Constants& constants) {
  const ModelVariation& variation = *model.variation;
  const Structure& structure = *variation.structure;
  TableWithLines result{{fmt::format("A(t) by the law {}", structure.law_name())},
                        {{"parameter", "value"}, {}}};
  if (const auto period = structure.period(variation.theta))
    result.above.push_back(
        fmt::format("it repeats every {} {}", short_number(*period), model.time_unit));
  const Vector values = constants.values(variation.theta);
  const auto names = constants.names();
  for (Index k = 0; k < values.size(); ++k)
    result.table.rows.push_back(
        {names[static_cast<std::size_t>(k)], with_error(values[k], error_of(variation, k))});
  add_errors_note(result, model);
  return result;
}

constexpr const char* neither = "no state grows, nor do all decay";

/// What the largest multiplier says.
std::string verdict(double largest) {
  constexpr double rounding = 1e-9;
  if (largest < 1 - rounding) return "all states decay";
  return largest > 1 + rounding ? "a state grows without bound" : neither;
}

TableWithLines floquet_table(const Model& model, const Floquet& floquet) {
  const auto& mu = floquet.multipliers;
  const std::string& unit = model.time_unit;
  TableWithLines result{
      {fmt::format("Floquet multipliers μ over one period, {} {}", short_number(floquet.period),
                   unit)},
      {{"|μ|", fmt::format("exponent [1/{}]", unit), fmt::format("τ [{}]", unit)}, {}}};
  Index left = 0;
  for (Index k = mu.size() - 1; k >= 0; --k) {
    const Complex exponent = floquet.exponents[k];
    const bool pair = k > 0 && mu[k].imag() != 0 &&
                      std::abs(mu[k] - std::conj(mu[k - 1])) < 1e-9 * std::abs(mu[k]);
    const std::string imaginary = short_number(std::abs(exponent.imag()));
    if (result.table.rows.size() >= most_rows)
      ++left;
    else
      result.table.rows.push_back(
          {short_number(std::abs(mu[k])),
           short_number(exponent.real()) + (imaginary == "0" ? std::string()
                                            : pair           ? " ± " + imaginary + "i"
                                                             : " + " + imaginary + "i"),
           short_number(-1 / exponent.real())});
    if (pair) --k;
  }
  if (left > 0) result.below.push_back(fmt::format("{} smaller ones are not listed", left));
  const double largest = std::abs(mu[mu.size() - 1]);
  result.below.push_back(
      fmt::format("{}: largest |μ| {}", verdict(largest), short_number(largest)));
  return result;
}

TableWithLines poles_table(const Model& model) {
  const VariationCourse& course = model.variation->course;
  TableWithLines result{{fmt::format("frozen-time poles λ(A(t)) over {}", interval_text(model))},
                        {{"pole", fmt::format("Re λ [1/{}]", model.time_unit),
                          fmt::format("Im λ [rad/{}]", model.time_unit)},
                         {}}};
  const auto poles = frozen_poles(course);
  for (std::size_t k = 0; k < std::min(poles.size(), most_rows); ++k) {
    const Vector re = course.poles.row(poles[k].row).real();
    Vector im = course.poles.row(poles[k].row).imag();
    if (poles[k].pair) im = im.cwiseAbs();
    result.table.rows.push_back(
        {std::to_string(k + 1), range_text(re.minCoeff(), re.maxCoeff()),
         (poles[k].pair ? "± " : "") + range_text(im.minCoeff(), im.maxCoeff())});
  }
  if (poles.size() > most_rows)
    result.below.push_back(fmt::format("{} more are not listed", poles.size() - most_rows));
  return result;
}

}  // namespace

std::vector<FrozenPole> frozen_poles(const VariationCourse& course) {
  constexpr double rounding = 1e-9;
  const ComplexMatrix& poles = course.poles;
  std::vector<FrozenPole> result;
  std::vector<bool> taken(static_cast<std::size_t>(poles.rows()));
  for (Index i = 0; i < poles.rows(); ++i) {
    if (taken[static_cast<std::size_t>(i)]) continue;
    result.push_back({i});
    const bool oscillates = (poles.row(i).imag().array() != 0).any();
    for (Index j = i + 1; j < poles.rows() && oscillates && !result.back().pair; ++j) {
      if (taken[static_cast<std::size_t>(j)]) continue;
      const double apart = (poles.row(j) - poles.row(i).conjugate()).norm();
      result.back().pair = apart <= rounding * poles.row(i).norm();
      taken[static_cast<std::size_t>(j)] = result.back().pair;
    }
  }
  return result;
}

std::vector<TableWithLines> variation_tables(const Model& model) {
  std::vector<TableWithLines> tables;
  if (!model.variation) return tables;
  if (const ModulatedStructure* modulated = model.variation->structure->modulated())
    tables.push_back(entries_table(model, *modulated));
  if (const Constants* constants = model.variation->structure->law_constants())
    tables.push_back(constants_table(model, *constants));
  if (model.variation->floquet) tables.push_back(floquet_table(model, *model.variation->floquet));
  tables.push_back(poles_table(model));
  return tables;
}

std::string variation_text(const Model& model) {
  std::string text;
  for (const auto& part : variation_tables(model)) {
    if (!text.empty()) text += '\n';
    for (const auto& line : part.above) text += line + '\n';
    text += text_table(part.table.header, part.table.rows);
    for (const auto& line : part.below) text += line + '\n';
  }
  return text.empty() ? text : text + '\n';
}

std::string variation_in_words(const Model& model) {
  if (!model.variation) return {};
  const ModelVariation& variation = *model.variation;
  std::string text = "The generator varies";
  if (const ModulatedStructure* modulated = variation.structure->modulated()) {
    const auto& entries = variation.course.entries;
    const auto varying =
        std::count_if(entries.begin(), entries.end(), [](const auto& e) { return e.varies; });
    const Index frequencies = modulated->basis().parameters();
    Index slowest = 0;
    if (frequencies > 0) modulated->omega(variation.theta).minCoeff(&slowest);
    if (frequencies > 1) text += fmt::format(" with {} frequencies, the slowest", frequencies);
    text += frequencies > 0 ? " with a period of " + period_text(model, slowest)
                            : " over " + interval_text(model);
    text += fmt::format(": {} of its {} {}", varying,
                        counted(static_cast<Index>(entries.size()), "parameter"),
                        varying == 1 ? "does" : "do");
  } else if (const auto period = longest_period(variation)) {
    text += fmt::format(" with a period of {} {}", short_number(*period), model.time_unit);
  }
  text += ". ";
  if (!variation.floquet) return text;
  const double largest = variation.floquet->multipliers.cwiseAbs().maxCoeff();
  text += "Over many periods " + verdict(largest);
  if (verdict(largest) != neither)
    text += fmt::format(", the {} by a factor of {:.3g} in each",
                        largest < 1 ? "slowest" : "fastest", largest);
  return text + ". ";
}

}  // namespace lgn
