#pragma once

// Which column of a table is the time, which are labels, inputs and channels; not installed.

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lgn/data/read_options.h"

namespace lgn::csv_internal {

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

/// Throws Error about a column (kNoColumn: about all of them).
using ColumnComplaint =
    std::function<void(std::size_t column, const std::string& problem, const std::string& help)>;

/// Columns of a table as far as they are known before anything has been read.
struct ColumnFacts {
  std::vector<std::string> names;    ///< an empty name belongs to a column that is not used
  bool named = true;                 ///< the file or the options name them
  bool is_clocked = false;           ///< options say when samples were taken, so no time is needed
  bool has_clock = false;            ///< the file says so, so that a time may be missing
  std::vector<bool> stamps = {};     ///< holds dates or clock times
  std::vector<bool> worded = {};     ///< holds words and no number
  std::vector<bool> increases = {};  ///< holds numbers that increase
  bool first_in_time_unit = false;   ///< a row of units says so of the first column
};

/// What became of them.
struct ColumnRoles {
  std::vector<std::string> names;
  std::size_t time = kNoColumn, label = kNoColumn;
  std::vector<std::size_t> channels, inputs;
  /// What was taken for granted.
  std::vector<std::string> assumptions;

  std::vector<std::string> names_of(const std::vector<std::size_t>& columns) const;
};

/// Finds them by the options, and by their names where those do not say. Throws Error through
/// `complain` when columns are missing, named twice or ambiguous. Linear in the number of columns.
ColumnRoles find_roles(ColumnFacts facts, const ReadOptions& options,
                       const ColumnComplaint& complain);

/// Columns found by name, by a beginning that no other name has, or by number.
class ColumnIndex {
 public:
  /// The names must outlive it. With `whole_names`, nothing but names will do.
  explicit ColumnIndex(const std::vector<std::string>& names);

  /// kNoColumn where there is none; `several` then says which, if more than one could be meant.
  std::size_t find(const std::string& wanted, bool whole_names, std::string& several) const;
  /// "the columns are "a", "b" and 3 more".
  std::string available(const char* what = "the columns are") const;

 private:
  const std::vector<std::string>& names_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

/// u, or u followed by digits.
bool is_input_name(std::string_view name);

/// x1, x2, … for as many columns, without those that are something else.
std::vector<std::string> numbered_names(std::size_t count, std::size_t time);

}  // namespace lgn::csv_internal
