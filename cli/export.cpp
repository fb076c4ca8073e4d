#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "lgn/core/error.h"
#include "lgn/report/export.h"
#include "lgn/report/model_file.h"

namespace lgn::cli {
namespace {

struct ExportArguments {
  std::string model, output = "-", format;
};

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

const Format& find_format(const ExportArguments& arguments) {
  if (!arguments.format.empty()) {
    const auto named = std::find_if(formats.begin(), formats.end(), [&](const Format& format) {
      return format.name == arguments.format;
    });
    if (named != formats.end()) return *named;
    throw Error(fmt::format("there is no format \"{}\"", arguments.format),
                "--format is python, octave, matlab, mat or modelica");
  }
  if (arguments.output == "-")
    throw Error("standard output has no ending that tells a format",
                "give --format, or a file with -o");
  const std::string ending = std::filesystem::path(arguments.output).extension().string();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const Format& format) { return format.ending == ending; });
  if (found != formats.end()) return *found;
  throw Error("a model cannot be exported as this",
              "end the name in .py, .m, .mat or .mo, or say --format", {arguments.output, 0, 0});
}

void export_model(const ExportArguments& arguments) {
  const Format& format = find_format(arguments);
  const std::string stem =
      arguments.output == "-" ? "model" : std::filesystem::path(arguments.output).stem().string();
  if (format.ending == ".m" && !is_function_name(stem))
    throw Error(fmt::format("no function of MATLAB can be called \"{}\" as the file", stem),
                "use letters, digits and _, a letter first, and no word of the language",
                {arguments.output, 0, 0});
  check_outputs({arguments.output}, {arguments.model});
  const Model model = read_model(arguments.model);
  write_together({{arguments.output, format.text(model, stem)}});
}

}  // namespace

void add_export(CommandLine& line) {
  auto arguments = std::make_shared<ExportArguments>();
  line.add("export", "a model for Python, MATLAB, Octave or Modelica, without lgn")
      .argument("MODEL", arguments->model, "A model file; - is standard input")
      .option("-o,--output", arguments->output, "FILE",
              "Where to write: .py, .m, .mat or .mo (default: standard output)")
      .option("--format", arguments->format, "NAME",
              "python, octave, matlab, mat or modelica (default: by the ending)")
      .footer(
          "Examples:\n"
          "  lgn export model.json -o model.py && python3 model.py --t1 10 --dt 0.1\n"
          "  lgn export model.json -o ladder.m && octave --eval 'm = ladder(); m.simulate(0:0.1:10)'")
      .run([arguments] { export_model(*arguments); });
}

}  // namespace lgn::cli
