#include "experiments/comparison/comparison_table.h"

#include <fmt/format.h>

#include <cmath>

#include "lgn/model/json_writer_internal.h"
#include "lgn/version.h"

namespace lgn::studies {
namespace {

constexpr const char* none = "–";

std::string error_text(double error) {
  return std::isfinite(error) ? fmt::format("{:.3g}", error) : none;
}

/// What was asked for, and what it came to where that is another structure.
std::string method_text(const ComparedMethod& method) {
  const std::string asked = method.name.substr(0, method.name.find('@'));
  const bool chosen = asked == "auto" || asked == "network";
  if (!method.model || !chosen || method.model->structure == asked) return method.name;
  return fmt::format("{} ({})", method.name, method.model->structure);
}

std::string guarantee_word(const Guarantee& guarantee) {
  if (guarantee.conservative) return "conservative";
  if (guarantee.dissipative) return "passive";
  return guarantee.stable ? "stable" : "none";
}

std::vector<std::string> codes_of(const ComparedMethod& method) {
  std::vector<std::string> codes;
  if (method.model)
    for (const auto& warning : method.model->warnings) codes.push_back(warning.code);
  return codes;
}

/// Why a method failed, and what would help; empty where it did not.
std::string failure(const ComparedMethod& method) {
  return method.problem + (method.help.empty() ? "" : "; " + method.help);
}

/// What is to be said about a method beside its numbers.
std::string remark(const ComparedMethod& method) {
  if (!method.problem.empty()) return method.problem;
  return fmt::format("{}", fmt::join(codes_of(method), ", "));
}

/// Numbers as people read them, without marks: the columns of every table but CSV.
Table numbers(const Comparison& comparison, const std::string& unit) {
  Table table{{"method", "free parameters", "fit error", "validation error", "BIC", "guarantee",
               fmt::format("max Re λ [1/{}]", unit), "seconds"},
              {}};
  for (const auto& method : comparison.methods) {
    if (!method.model) {
      table.rows.push_back({method_text(method), none, none, none, none, none, none, none});
      continue;
    }
    table.rows.push_back(
        {method_text(method), std::to_string(method.model->fit.numbers_in_a),
         error_text(method.nrmse_train), error_text(method.nrmse_holdout),
         std::isfinite(method.criterion) ? fmt::format("{:.1f}", method.criterion) : none,
         guarantee_word(method.model->guarantee), short_number(method.largest_real_part()),
         fmt::format("{:.2g}", method.seconds)});
  }
  return table;
}
constexpr std::size_t validation_column = 3, guarantee_column = 5;

/// What the numbers are, in a sentence or two.
std::string explanation(const Comparison& comparison) {
  const std::string data = fmt::format("{}, {}", counted(comparison.data.runs, "run"),
                                       counted(comparison.data.samples, "sample"));
  if (comparison.holdout == 0)
    return data + "; all of it was fitted, so that there is no validation error";
  return fmt::format("{}; validation on the last {:.3g}% of each run, which were not fitted", data,
                     100 * comparison.holdout);
}

bool varies(const Comparison& comparison) {
  for (const auto& method : comparison.methods)
    if (method.model && method.model->variation) return true;
  return false;
}

std::string as_text(const Comparison& comparison) {
  Table table = numbers(comparison, comparison.time_unit);
  table.header.push_back("remarks");
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    auto& row = table.rows[k];
    if (comparison.methods[k].best) row[validation_column] = "→ " + row[validation_column];
    row.push_back(remark(comparison.methods[k]));
  }
  std::vector<std::vector<std::string>> lines = table.rows;
  lines.insert(lines.begin(), table.header);
  for (const std::size_t words : {guarantee_column, table.header.size() - 1})
    align_left(lines, words);
  table.header = lines.front();
  lines.erase(lines.begin());
  std::string text = text_table(table.header, lines) + explanation(comparison) + "\n";
  if (comparison.holdout != 0)
    text += "→ smallest validation error; several where they do not differ significantly (95%)\n";
  if (varies(comparison)) text += "Re λ of a generator that varies in time is that of its mean\n";
  return text;
}

/// The caption of a table that leaves the program.
std::string caption(const Comparison& comparison) {
  std::string text = fmt::format("By lgn {} from {}.", version, explanation(comparison));
  if (comparison.holdout != 0)
    text +=
        " Bold: smallest validation error, several where they do not differ significantly (95%).";
  if (varies(comparison)) text += " Of a generator that varies in time Re λ is that of its mean.";
  for (const auto& method : comparison.methods)
    if (const std::string words = remark(method); !words.empty())
      text += fmt::format(" {}: {}.", method.name, words);
  // As many digits as tell any two files apart.
  constexpr std::size_t digits = 16;
  if (!comparison.data.sha256.empty())
    text += fmt::format(" SHA-256 of the data: {}.", comparison.data.sha256.substr(0, digits));
  return text;
}

std::string as_markdown(const Comparison& comparison) {
  Table table = numbers(comparison, markdown_text(comparison.time_unit));
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    auto& row = table.rows[k];
    row.front() = markdown_text(row.front());
    if (comparison.methods[k].best) row[validation_column] = "**" + row[validation_column] + "**";
  }
  return markdown_table(table) + "\n" + markdown_text(caption(comparison)) + "\n";
}

std::string as_latex(const Comparison& comparison) {
  Table table = numbers(comparison, latex_text(comparison.time_unit));
  table.header[6] =
      fmt::format("$\\max \\mathrm{{Re}}\\,\\lambda$ [1/{}]", latex_text(comparison.time_unit));
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    auto& row = table.rows[k];
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool word = c == 0 || c == guarantee_column;
      row[c] = word && row[c] != none ? latex_text(row[c]) : latex_number(row[c]);
    }
    if (comparison.methods[k].best)
      row[validation_column] = "{\\boldmath" + row[validation_column] + "}";
  }
  std::string words = latex_text(caption(comparison));
  if (const auto at = words.find("λ"); at != std::string::npos)
    words.replace(at, std::string("λ").size(), "$\\lambda$");
  return latex_table(table, "lrrrrlrr", words);
}

std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return "\"" + out + "\"";
}

std::string as_csv(const Comparison& comparison) {
  const auto number = [](double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
  };
  std::string text =
      "method,structure,numbers_in_A,nrmse_train,nrmse_holdout,bic,stable,dissipative,conservative,"
      "largest_real_part,converged,seconds,best,warnings,problem\n";
  for (const auto& method : comparison.methods) {
    text += method.name + ",";
    if (method.model) {
      const Model& model = *method.model;
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},", model.structure, model.fit.numbers_in_a,
          number(method.nrmse_train), number(method.nrmse_holdout), number(method.criterion),
          model.guarantee.stable, model.guarantee.dissipative, model.guarantee.conservative,
          number(method.largest_real_part()), model.fit.converged, number(method.seconds));
    } else {
      text += ",,,,,,,,,,,";
    }
    text += fmt::format("{},{},{}\n", method.best, fmt::join(codes_of(method), " "),
                        method.problem.empty() ? "" : quoted(failure(method)));
  }
  return text;
}

Json json_of(const ComparedMethod& method) {
  Json json = {{"method", method.name}};
  const auto known = [&](const char* key, Json value) {
    json[key] = method.model ? std::move(value) : Json(nullptr);
  };
  static const Model no_model;
  const Model& model = method.model ? *method.model : no_model;
  known("structure", model.structure);
  known("estimator", model.method);
  known("numbers_in_A", model.fit.numbers_in_a);
  known("nrmse_train", json_number(method.nrmse_train));
  known("nrmse_holdout", json_number(method.nrmse_holdout));
  known("bic", json_number(method.criterion));
  known("guarantees", {{"stable", model.guarantee.stable},
                       {"dissipative", model.guarantee.dissipative},
                       {"conservative", model.guarantee.conservative}});
  known("largest_real_part", json_number(method.largest_real_part()));
  known("converged", model.fit.converged);
  known("seconds", json_number(method.seconds));
  json["best"] = method.best;
  known("warnings", codes_of(method));
  json["problem"] = method.problem.empty() ? Json(nullptr) : Json(failure(method));
  return json;
}

}  // namespace

std::string comparison_in(TableFormat format, const Comparison& comparison) {
  switch (format) {
    case TableFormat::csv:
      return as_csv(comparison);
    case TableFormat::markdown:
      return as_markdown(comparison);
    case TableFormat::latex:
      return as_latex(comparison);
    case TableFormat::text:
      break;
  }
  return as_text(comparison);
}

std::string comparison_json(const Comparison& comparison) {
  Json methods = Json::array();
  for (const auto& method : comparison.methods) methods.push_back(json_of(method));
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  const Json json = {{"schema", "lgn-comparison/1"},
                     {"lgn_version", version},
                     {"command", text_or_null(comparison.command)},
                     {"channels", comparison.channels},
                     {"time_unit", comparison.time_unit},
                     {"holdout", comparison.holdout},
                     {"methods", methods},
                     {"data",
                      {{"files", comparison.data.files},
                       {"runs", comparison.data.runs},
                       {"samples", comparison.data.samples},
                       {"step", json_number(comparison.data.step)},
                       {"sha256", text_or_null(comparison.data.sha256)}}}};
  // File names need not be UTF-8, JSON must be.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lgn::studies
