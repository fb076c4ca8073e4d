#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lgn/model/model.h"
#include "lgn/report/text/tables.h"

namespace lgn {

/// A table with the lines above and below it.
struct TableWithLines {
  std::vector<std::string> above;
  Table table;
  std::vector<std::string> below = {};
};

/// What varies in a model whose generator does, and how: its frequencies and the courses of its
/// parameters, or the constants of its law; Floquet's multipliers where A(t) repeats; where the
/// frozen-time poles go. At most twenty rows each, those that vary first.
std::vector<TableWithLines> variation_tables(const Model& model);

/// All of that as text, with an empty line at its end. Nothing where A is constant.
std::string variation_text(const Model& model);

/// The same in two or three sentences; nothing where A is constant.
std::string variation_in_words(const Model& model);

/// One frozen-time pole that stands for itself, or with its conjugate.
struct FrozenPole {
  Index row = 0;  ///< in VariationCourse::poles
  bool pair = false;
};
std::vector<FrozenPole> frozen_poles(const VariationCourse& course);

}  // namespace lgn
