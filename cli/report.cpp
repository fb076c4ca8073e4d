#include <memory>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "lgn/core/error.h"
#include "lgn/core/output_file.h"
#include "lgn/identify/starts.h"
#include "lgn/report/html_report.h"
#include "lgn/report/model_file.h"

namespace lgn::cli {
namespace {

struct ReportArguments {
  std::string model, output;
  DataOptions data;
};

void report(const ReportArguments& arguments) {
  Model model = read_model(arguments.model);
  const Dataset data = arguments.data.read_for(model.channels);
  model.starts = fitted_starts(model.a, data);
  write_file(arguments.output, html_report(model, data));
}

}  // namespace

void add_report(CommandLine& line) {
  auto arguments = std::make_shared<ReportArguments>();
  Command command = line.add("report", "the page about a model and data, as HTML");
  command.argument("MODEL", arguments->model, "A model file");
  arguments->data.add_to(command);
  command.option("-o,--output", arguments->output, "R.html", "Where to write")
      .required("--output")
      .run([arguments] { report(*arguments); });
}

}  // namespace lgn::cli
