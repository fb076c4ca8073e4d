#include <memory>

#include "cli/commands.h"
#include "cli/outputs.h"
#include "lgn/model/model_file.h"
#include "lgn/report/export/export.h"

namespace lgn::cli {
namespace {

struct ExportArguments {
  std::string model, output = "-", format, ports;
};

void export_model(const ExportArguments& arguments) {
  check_outputs({arguments.output}, {arguments.model});
  const Model model = read_model(arguments.model);
  write_together({{arguments.output,
                   export_text(model, arguments.output, arguments.format, arguments.ports)}});
}

}  // namespace

void add_export(CommandLine& line) {
  auto arguments = std::make_shared<ExportArguments>();
  line.add("export", "a model for Python, MATLAB, Octave, Modelica, SPICE or LaTeX, without lgn")
      .argument("MODEL", arguments->model, "A model file; - is standard input")
      .option(
          "-o,--output", arguments->output, "FILE",
          "Where to write: .py, .m, .mat, .mo, .cir or, of\nnonlinear laws, .tex (default: standard output)")
      .option("--format", arguments->format, "NAME",
              "python, octave, matlab, mat, modelica, spice or latex (default: by\nthe ending)")
      .option("--ports", arguments->ports, "KIND",
              "Of a subcircuit for SPICE: admittance (inputs are voltages) or\n"
              "impedance (inputs are currents; default: what names say)")
      .footer(
          "Examples:\n"
          "  lgn export model.json -o model.py && python3 model.py --t1 10 --dt 0.1\n"
          "  lgn export model.json -o ladder.m && octave --eval 'm = ladder(); m.simulate(0:0.1:10)'")
      .run([arguments] { export_model(*arguments); });
}

}  // namespace lgn::cli
