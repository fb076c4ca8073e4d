#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "cli/outputs.h"
#include "lgn/core/error.h"
#include "lgn/data/checksum.h"
#include "lgn/identify.h"
#include "lgn/model/model_file.h"
#include "lgn/report/page/html_report.h"

namespace lgn::cli {
namespace {

struct ReportArguments {
  std::string model, output, figures;
  DataOptions data;
};

void report(const ReportArguments& arguments) {
  if (arguments.output.empty() && arguments.figures.empty())
    throw Error("nothing to write", "give -o R.html, --figures DIR or both");
  std::vector<std::string> inputs = arguments.data.files;
  inputs.push_back(arguments.model);
  check_outputs({arguments.output}, inputs);
  Model model = read_model(arguments.model);
  const Dataset data = arguments.data.read_for(model);
  // Streams have no checksum to know them by.
  const std::string checksum = sha256_of_files(arguments.data.files);
  const bool own = !checksum.empty() && checksum == model.data.sha256 &&
                   model.starts.cols() == static_cast<Index>(data.runs().size());
  if (!own) model = model_on(model, data);
  const std::string shown = own ? "" : fmt::format("{}", fmt::join(arguments.data.files, ", "));
  std::vector<std::pair<std::string, std::string>> files;
  if (!arguments.output.empty())
    files.emplace_back(arguments.output, html_report(model, data, shown));
  if (!arguments.figures.empty())
    add_figures(files, arguments.figures, report_figures(model, data));
  write_together(files);
}

}  // namespace

void add_report(CommandLine& line) {
  auto arguments = std::make_shared<ReportArguments>();
  Command command = line.add("report", "the page about a model and data, as HTML");
  command.argument("MODEL", arguments->model, "A model file");
  arguments->data.add_to(command);
  command.option("-o,--output", arguments->output, "R.html", "Where to write")
      .option("--figures", arguments->figures, "DIR", "Write each plot as SVG into a folder")
      .run([arguments] { report(*arguments); });
}

}  // namespace lgn::cli
