// A model for programs that do not have lgn: a Python script, an Octave function, Modelica, a MAT file.
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

#include "lgn/core/output_file.h"
#include "lgn/lgn.h"

int main() {
  const lgn::Dataset data = lgn::sample_runs(
      lgn::rlc(1, 0.2), {.end = 20, .step = 0.1, .start = lgn::Vector{{1.0, 0.0}}});
  const lgn::Model model = lgn::identify(data, {.structure = "parametric:rlc"});

  // Each file appears whole or not at all.
  const auto folder = std::filesystem::temp_directory_path();
  const std::pair<const char*, std::string> files[]{
      {"lgn_example.py", lgn::python_script(model)},
      {"lgn_example.m", lgn::octave_script(model, "lgn_example")},
      {"lgn_example.mo", lgn::modelica_text(model, "lgn_example")},
      {"lgn_example.mat", lgn::mat_file(model)}};
  for (const auto& [name, contents] : files) {
    lgn::OutputFile file((folder / name).string());
    file.write(contents);
    file.commit();
    std::printf("%s: %zu bytes\n", (folder / name).c_str(), contents.size());
  }
  // python3 lgn_example.py --t1 20 --dt 0.1 prints what this holds.
  const lgn::Matrix states =
      model.propagate(model.starts.col(0), lgn::Vector::LinSpaced(201, 0, 20));
  std::printf("q(20) = %.6f\n", states(0, 200));
  for (const auto& [name, contents] : files) std::filesystem::remove(folder / name);
}
