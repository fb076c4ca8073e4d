#pragma once

#include <string>
#include <vector>

#include "lgn/core/number_text.h"
#include "lgn/model/model.h"

namespace lgn {

/// Cells of a table, for the terminal and the page.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
};

/// Columns of text, each as wide as its widest cell; the first column left-aligned, the others
/// right-aligned.
std::string text_table(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows);

/// Pads the cells of a column to one width, so that text_table shows words in it flush left.
void align_left(std::vector<std::vector<std::string>>& rows, std::size_t column);

/// Structures that were considered, with their errors and what became of each.
Table candidates(const Model& model);
/// The same as text, the chosen one with an arrow.
std::string candidates_table(const Model& model);

/// Modes as a table with standard errors, conjugate pairs in one row, with the channels that take most
/// part in each; those of the mean generator, and headed so, where A varies in time.
std::string modes_table(const Model& model);

/// The same poles beside those of the true system (matched by minimum total distance), and their
/// errors.
std::string modes_table(const Model& model, const Model& truth);

/// What was found in a few lines: structure, guarantee, fit, warnings, and the constants of a law
/// (where A varies in time, they are for variation_text).
std::string summary_text(const Model& model);

/// What the first channels show at rest, with standard errors.
std::string offset_text(const Model& model);

/// What a model promises. Inputs bring energy, so that of the promises about free motion stability is left.
Guarantee promised_by(const Model& model);
/// A guarantee in words, such as "energy never grows: stable for every parameter value".
std::string guarantee_text(const Guarantee& guarantee);

/// A pole or a zero with the errors of its parts in units of their last digits, its conjugate with it: "-0.050(12) ± 1.2345(7)i".
/// Without errors (NaN) its parts alone.
std::string root_text(const Complex& root, double re_error, double im_error);

/// Rows of the modes table without decoration; shared by the terminal and the page.
struct ModeRow {
  std::string pole, natural_frequency, frequency, damping, time_constant, quality, channels;
};
std::vector<ModeRow> mode_rows(const Model& model);

}  // namespace lgn
