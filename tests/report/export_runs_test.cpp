// Exported models, run by Python and Octave, give the states that lgn gives.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lgn/report/export/export.h"
#include "tests/report/sample_variation.h"

namespace lgn {
namespace {

namespace fs = std::filesystem;
using testing::sample_model;

/// A base of which every entry swings, with two frequencies, about what it was.
Model swinging(const std::string& base_name, Index n, ModulatedStructure::Link link) {
  const std::shared_ptr<const ConstantStructure> base = find_structure(base_name, n);
  const auto structure = std::make_shared<ModulatedStructure>(
      base, std::make_shared<Harmonics>(2, -1.0), std::vector<std::vector<Index>>{}, link);
  Random random(7);
  Matrix c = 0.1 * random.normals(structure->entries(), 5);
  c.col(0) = structure->course_values(base->random_start(random));
  return testing::varying_model(structure, structure->theta_of(Vector{{0.9, 2.3}}, c), 0, 10);
}

Model chain(Index masses) {
  const auto structure = std::make_shared<VaryingParametric>(ltv_chain_law(masses));
  const Vector theta = structure->constants().parameters(Vector{{1.5, 0.1, 0.4, 3}});
  return testing::varying_model(structure, theta, 0, 20);
}

/// Diagonal blocks that are far from normal: ‖A‖ is 100 times the largest |λ|.
Model non_normal() {
  Model model = sample_model("full", 6, 3);
  Random random(5);
  model.a = 100 * random.normals(6, 6);
  model.a.triangularView<Eigen::StrictlyLower>().setZero();
  for (Index i = 0; i < 6; ++i) model.a(i, i) = -0.1 * static_cast<double>(i + 1);
  model.modes = find_modes(model.a, {}, "s");
  return model;
}

struct Case {
  std::string name;
  Model model;
  Vector times;

  /// Under which the model moves: a column for each time, none without inputs.
  Matrix driving() const {
    return model.drive.active() ? Random(3).normals(model.drive.b.cols(), times.size()) : Matrix();
  }
};

/// The same with inputs.
Case driven(Case from, const std::string& name, Index inputs, Hold hold, double delay,
            bool feedthrough) {
  Random random(11);
  from.name = name;
  Drive& drive = from.model.drive;
  drive.timing = {hold, delay};
  drive.b = random.normals(from.model.dimension(), inputs);
  if (feedthrough) drive.d = random.normals(from.model.outputs(), inputs);
  for (Index k = 0; k < inputs; ++k) from.model.inputs.push_back(fmt::format("u {}", k + 1));
  return from;
}

std::vector<Case> cases() {
  using Link = ModulatedStructure::Link;
  const Vector even = Vector::LinSpaced(121, 0, 12), coarse = Vector::LinSpaced(9, 0, 12);
  Vector uneven = even;
  for (Index k = 1; k < uneven.size(); ++k)
    uneven[k] += 0.03 * std::sin(3.0 * static_cast<double>(k));
  std::vector<Case> all;
  for (const char* structure : {"skew", "sd", "scaled_sd", "psd", "metric", "full"}) {
    std::string known = structure;
    if (known == "scaled_sd") known = "scaled-sd";
    all.push_back({std::string("constant_") + structure, sample_model(known, 5, 2), even});
    all.push_back({std::string("uneven_") + structure, sample_model(known, 3, 4), uneven});
    all.push_back(
        {std::string("swinging_") + structure, swinging(known, 3, Link::clip), even.head(12)});
  }
  all.push_back(
      {"crossing", swinging("sd", 3, Link::clip), even.head(40)});  // dampings become zero
  all.push_back({"softplus", swinging("sd", 3, Link::softplus), even.head(12)});
  all.push_back({"non_normal", non_normal(), even});
  all.push_back({"many", sample_model("sd", 60, 6), even});
  all.push_back({"breathing", testing::harmonic_model(), even});
  all.push_back({"breathing_coarse", testing::harmonic_model(), coarse});
  all.push_back({"drift", testing::drift_model(), even});
  all.push_back({"drift_beyond", testing::drift_model(), Vector::LinSpaced(7, -5, 40)});
  all.push_back({"law", testing::law_model(), even});
  all.push_back({"fourier", testing::fourier_model(), Vector::LinSpaced(21, 100, 110)});
  all.push_back({"chain", chain(3), even});
  all.push_back({"one_mass", chain(1), even.head(30)});
  for (const auto& name : {"constant_sd", "breathing", "chain"}) {
    Case raised =
        *std::find_if(all.begin(), all.end(), [&](const Case& c) { return c.name == name; });
    raised.name += "_offset";
    raised.model.offset = Vector::LinSpaced(raised.model.dimension(), 1, 3);
    all.push_back(raised);
  }
  all.push_back({"hidden_offset", testing::sample_hidden_model(5, 2, 8), uneven});
  all.push_back(all.back());
  all.back().name = "hidden";
  all.back().model.offset.resize(0);
  const auto known = [&](const std::string& name) {
    return *std::find_if(all.begin(), all.end(), [&](const Case& c) { return c.name == name; });
  };
  // The delay is no multiple of a step, or is one, or longer than all times.
  all.push_back(driven(known("hidden"), "driven_zoh", 1, Hold::zoh, 0.37, false));
  all.push_back(driven(known("hidden_offset"), "driven_foh", 2, Hold::foh, 0.37, true));
  all.push_back(driven(known("constant_sd_offset"), "driven_states", 2, Hold::zoh, 0.3, true));
  all.push_back(driven(known("constant_metric"), "driven_late", 1, Hold::foh, 50, true));
  all.push_back(driven(known("constant_full"), "driven_at_once", 1, Hold::zoh, 0, false));
  return all;
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A folder with all cases in every language, gone at the end.
class ExportedModels : public ::testing::Test {
 protected:
  ExportedModels() {
    std::string pattern = (fs::temp_directory_path() / "lgn-export-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    for (const Case& one : cases()) {
      const auto& [name, model, times] = one;
      write(folder_ / (name + ".py"), python_script(model));
      write(folder_ / (name + ".m"), octave_script(model, name));
      write(folder_ / (name + ".mo"), modelica_text(model, name));
      const Matrix driving = one.driving();
      const Matrix states = model.propagate(model.starts.col(0), times, driving);
      std::string table, inputs;
      for (Index k = 0; k < times.size(); ++k) {
        table += fmt::format("{}", times[k]);
        for (Index i = 0; i < states.rows(); ++i) table += fmt::format(",{}", states(i, k));
        table += "\n";
        for (Index i = 0; i < driving.rows(); ++i)
          inputs += fmt::format("{}{}", driving(i, k), i + 1 < driving.rows() ? "," : "\n");
      }
      if (!inputs.empty()) write(folder_ / (name + ".inputs"), inputs);
      write(folder_ / (name + ".csv"), table);
      names_.push_back(name);
    }
  }
  ~ExportedModels() override { fs::remove_all(folder_); }

  /// Lines of NAME and numbers that the command prints: one for each case, all numbers below `most`.
  void expect_close(const std::string& command, double most) {
    const fs::path output = folder_ / "output.txt";
    const int status = std::system(
        fmt::format("{} '{}' >'{}' 2>&1", command, folder_.string(), output.string()).c_str());
    std::stringstream lines;
    lines << std::ifstream(output).rdbuf();
    ASSERT_EQ(status, 0) << lines.str();
    std::string line;
    std::size_t seen = 0;
    while (std::getline(lines, line)) {
      std::stringstream words(line);
      std::string name;
      words >> name;
      if (std::find(names_.begin(), names_.end(), name) == names_.end()) continue;
      ++seen;
      std::size_t numbers = 0;
      for (double worst = 0; words >> worst; ++numbers) EXPECT_LE(worst, most) << line;
      EXPECT_GE(numbers, 1u) << line;
    }
    EXPECT_EQ(seen, names_.size());
  }

  fs::path folder_;
  std::vector<std::string> names_;
};

bool runs(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}
/// A file beside this one.
std::string beside(const char* name) { return (fs::path(LGN_TEST_FOLDER) / name).string(); }

// What is promised; rounding alone leaves some 1e-14.
constexpr double agreement = 1e-12;

TEST_F(ExportedModels, AgreeInPythonSlow) {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (runs(fmt::format("{} -c 'import numpy'", python)))
      return expect_close(fmt::format("{} '{}'", python, beside("exported_models.py")), agreement);
  GTEST_SKIP() << "no Python with NumPy is installed";
}

TEST_F(ExportedModels, AgreeInOctaveSlow) {
  if (!runs("octave-cli --version")) GTEST_SKIP() << "Octave is not installed";
  expect_close(fmt::format("octave-cli -q '{}'", beside("exported_models.m")), agreement);
}

}  // namespace
}  // namespace lgn
