#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/report/export/export.h"

namespace lgn {
namespace {

struct Format {
  std::string_view name, ending;
  /// The text, for a file whose name without ending is given; "model" for standard output.
  std::string (*text)(const Model& model, const std::string& stem);
};

constexpr std::array formats{
    Format{"python", ".py",
           [](const Model& model, const std::string&) { return python_script(model); }},
    Format{"octave", ".m", octave_script},
    Format{"matlab", ".m", octave_script},
    Format{"mat", ".mat", [](const Model& model, const std::string&) { return mat_file(model); }},
    Format{"modelica", ".mo", modelica_text},
};

const Format& find_format(const std::string& path, const std::string& wanted) {
  if (!wanted.empty()) {
    const auto named = std::find_if(formats.begin(), formats.end(),
                                    [&](const Format& format) { return format.name == wanted; });
    if (named != formats.end()) return *named;
    throw Error(fmt::format("there is no format \"{}\"", wanted),
                setting("format") + " is python, octave, matlab, mat or modelica");
  }
  if (path == "-")
    throw Error("standard output has no ending that tells a format",
                "give " + setting("format") + ", or a file");
  const std::string ending = std::filesystem::path(path).extension().string();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const Format& format) { return format.ending == ending; });
  if (found != formats.end()) return *found;
  throw Error("a model cannot be exported as this",
              "end the name in .py, .m, .mat or .mo, or give " + setting("format"), {path, 0, 0});
}

}  // namespace

std::string export_text(const Model& model, const std::string& path, const std::string& wanted) {
  const Format& format = find_format(path, wanted);
  const std::string stem = path == "-" ? "model" : std::filesystem::path(path).stem().string();
  if (format.ending == ".m" && !is_function_name(stem))
    throw Error(fmt::format("no function of MATLAB can be called \"{}\" as the file", stem),
                "use letters, digits and _, a letter first, and no word of the language",
                {path, 0, 0});
  return format.text(model, stem);
}

}  // namespace lgn
