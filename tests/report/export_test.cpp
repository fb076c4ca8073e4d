#include "lgn/report/export/export.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_file.h"
#include "tests/report/sample_variation.h"

namespace lgn {
namespace {

using testing::sample_model;

/// The numbers from after `mark` up to `end`.
std::vector<double> numbers_after(const std::string& text, const std::string& mark,
                                  const std::string& end) {
  const auto from = text.find(mark);
  EXPECT_NE(from, text.npos) << mark;
  std::string part = text.substr(from + mark.size());
  part.resize(part.find(end));
  std::replace_if(
      part.begin(), part.end(),
      [](char c) { return std::string_view("0123456789.e+-").find(c) == std::string_view::npos; },
      ' ');
  std::vector<double> found;
  std::string word;
  for (const char c : part + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    // Three dots continue a line of Octave.
    if (!word.empty() && word != "...") found.push_back(std::strtod(word.c_str(), nullptr));
    word.clear();
  }
  return found;
}

void expect_bits(const std::vector<double>& found, const Matrix& rows) {
  ASSERT_EQ(static_cast<Index>(found.size()), rows.size());
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index j = 0; j < rows.cols(); ++j) {
      const double value = found[static_cast<std::size_t>(i * rows.cols() + j)];
      EXPECT_EQ(value, rows(i, j));
      EXPECT_EQ(std::signbit(value), std::signbit(rows(i, j)));
    }
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST(Export, NumbersReadBackToTheSameBits) {
  Model model = sample_model("full", 4, 9);
  model.a(0, 0) = -0.0;
  model.a(0, 1) = 1;
  model.a(1, 2) = 0.1 + 0.2;
  model.a(2, 3) = std::numeric_limits<double>::denorm_min();
  model.a(3, 0) = std::numeric_limits<double>::max();
  model.a(3, 1) = 1e22;
  const std::string python = python_script(model), octave = octave_script(model),
                    modelica = modelica_text(model);
  expect_bits(numbers_after(python, "\nA = np.array([", "])"), model.a);
  expect_bits(numbers_after(octave, "\nmodel.A = [", "];"), model.a);
  expect_bits(numbers_after(modelica, "Real A[4, 4] = ", "}}"), model.a);
  const Matrix starts = model.starts.transpose();
  expect_bits(numbers_after(python, "\nstarts = np.array([", "])"), starts);
  expect_bits(numbers_after(octave, "\nmodel.starts = ", ";  %"), model.starts);
  expect_bits(numbers_after(modelica, "Real x0[4] = ", "}"), starts.topRows(1));
  // An integer would lose the sign of zero.
  EXPECT_TRUE(holds(python, "[-0.0, 1.0, "));
}

TEST(Export, NamesAreEscapedInEveryLanguage) {
  Model model = sample_model("sd", 6, 1);
  model.channels = {"v1", "it's", "say \"\\n\"", "Δ𝄞", "two\nlines", "@A@"};
  model.time_unit = "µs";
  const std::string python = python_script(model);
  EXPECT_TRUE(holds(python,
                    "channels = [\"v1\", \"it's\", \"say \\\"\\\\n\\\"\", \"Δ𝄞\", "
                    "\"two\\nlines\", \"@A@\"]"));
  EXPECT_TRUE(holds(python, "time_unit = \"µs\""));
  const std::string octave = octave_script(model);
  EXPECT_TRUE(
      holds(octave,
            "{'v1', 'it''s', 'say \"\\n\"', native2unicode(uint8([206 148 240 157 132 158]), "
            "'UTF-8'), native2unicode(uint8([116 119 111 10 "));
  EXPECT_TRUE(holds(octave, "'@A@'}"));
  const std::string modelica = modelica_text(model);
  for (const char* line :
       {"  output Real 'v1' = x[1] \"v1\";\n", "  output Real 'it\\'s' = x[2] \"it's\";\n",
        "  output Real 'say \\\"\\\\n\\\"' = x[3] \"say \\\"\\\\n\\\"\";\n",
        "  output Real '__' = x[4] \"Δ𝄞\";\n", "  output Real 'two_lines' = x[5] \"two lines\";\n",
        "  output Real '@A@' = x[6] \"@A@\";\n"})
    EXPECT_TRUE(holds(modelica, line)) << line << modelica;
}

TEST(Export, ModelicaIdentifiersAreAllDifferent) {
  Model model = sample_model("sd", 6, 1);
  model.channels = {"a b", "a b", "A", "der", "1st", ""};
  const std::string modelica = modelica_text(model, "my model");
  for (const char* part : {"model 'my model' ", "Real 'a b' =", "Real 'a b_2' =", "Real 'A' =",
                           "Real 'der' =", "Real '1st' =", "Real '_' =", "\nend 'my model';\n"})
    EXPECT_TRUE(holds(modelica, part)) << part << modelica;
  EXPECT_TRUE(holds(modelica_text(model, "model"), "\nend Model;\n"));
}

TEST(Export, KnowsWhatMatlabCallsAFunction) {
  for (const char* good : {"model", "m1", "Ladder_3", "x"}) EXPECT_TRUE(is_function_name(good));
  for (const char* bad : {"", "1st", "_x", "a-b", "a b", "end", "while", "größe", "states_at"})
    EXPECT_FALSE(is_function_name(bad)) << bad;
  EXPECT_FALSE(is_function_name(std::string(64, 'x')));
  EXPECT_THROW(octave_script(sample_model("sd", 2, 1), "my-model"), Error);
  EXPECT_TRUE(
      holds(octave_script(sample_model("sd", 2, 1), "ladder"), "function model = ladder()"));
}

TEST(Export, AModelWithoutStartsStillExports) {
  Model model = sample_model("sd", 2, 1);
  model.starts.resize(2, 0);
  EXPECT_TRUE(holds(python_script(model), "starts = np.zeros((0, 2))"));
  EXPECT_TRUE(holds(octave_script(model), "model.starts = zeros(2, 0)"));
  EXPECT_TRUE(holds(modelica_text(model), "x0[2] = {1.0, 1.0} \"no initial state is known\""));
  const ArrayFile file = decode_arrays(mat_file(model), ArrayFormat::mat5);
  EXPECT_FALSE(file.numbers.contains("x0"));
}

TEST(Export, RefusesWhatNoScriptCanKnow) {
  Model broken = sample_model("sd", 2, 1);
  broken.a(0, 1) = std::nan("");
  EXPECT_THROW(python_script(broken), Error);
  EXPECT_THROW(mat_file(broken), Error);

  const auto refused = [](std::shared_ptr<const Structure> structure, const Vector& theta) {
    const Model model = testing::varying_model(std::move(structure), theta, 0, 10);
    EXPECT_THROW(python_script(model), Error);
    EXPECT_THROW(octave_script(model), Error);
    EXPECT_THROW(modelica_text(model), Error);
    EXPECT_NO_THROW(mat_file(model));  // A at many times needs no law
  };
  const auto own_law = [](const char* name) {
    return std::make_shared<VaryingParametric>(
        VaryingLaw(name, 2, {{"g", Constant::Range::any, 1}, {"h"}, {"i"}, {"j"}},
                   [](double t, const auto& p, auto& a) { a << 0, 1, -p[0], p[1] * t; }));
  };
  const Vector four{{1.0, 0.1, 0.2, 0.3}};
  refused(own_law("swing"), four);
  refused(own_law("ltv-oscillator"), four);  // the name alone does not make it the program's
  refused(std::make_shared<ModulatedStructure>(find_structure("parametric:rlc", 2),
                                               std::make_shared<Harmonics>(1)),
          Vector{{1.0, 0.5, 0.1, 0.1, 0.5, 0.1, 0.1}});
}

TEST(Export, MatFilesHoldTheModel) {
  Model model = sample_model("sd", 3, 8);
  model.channels = {"v1", "Δ", "two\nlines"};
  const ArrayFile file = decode_arrays(mat_file(model), ArrayFormat::mat5);
  expect_bits(file.numbers.at("A").values, model.a);
  expect_bits(file.numbers.at("starts").values, model.starts);
  expect_bits(file.numbers.at("x0").values, model.starts.col(0));
  EXPECT_EQ(file.texts.at("channels"), model.channels);
  EXPECT_EQ(file.texts.at("time_unit"), std::vector<std::string>{"ms"});
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(file.numbers.at("poles_re").values[k], model.modes[k].pole.real());
    EXPECT_EQ(file.numbers.at("poles_im").values[k], model.modes[k].pole.imag());
  }
  expect_bits(file.numbers.at("parameter_S").values, model.parameters[0].value);

  const Model varying = testing::drift_model();
  const ArrayFile course = decode_arrays(mat_file(varying), ArrayFormat::mat5);
  const auto points = static_cast<std::size_t>(varying.variation->course.times.size());
  EXPECT_EQ(course.numbers.at("course_A").shape, (std::vector<std::size_t>{4, 4, points}));
  // Row 1, column 3 at the second time.
  EXPECT_EQ(course.numbers.at("course_A").values[(0 * 4 + 2) * points + 1],
            varying.variation->course.generators(0, 4 + 2));
  EXPECT_EQ(course.texts.at("theta_names"), varying.variation->structure->parameter_names());
}

/// Brackets outside of strings and comments close in their order.
void expect_balanced(const std::string& text, char quote, const std::string& comment) {
  std::string open;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == quote) {
      for (++k; k < text.size() && text[k] != quote; ++k)
        if (text[k] == '\\') ++k;
    } else if (text.compare(k, comment.size(), comment) == 0) {
      k = std::min(text.find('\n', k), text.size());
    } else if (c == '(' || c == '[' || c == '{') {
      open += c == '(' ? ')' : c == '[' ? ']' : '}';
    } else if (c == ')' || c == ']' || c == '}') {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), c) << text.substr(0, k + 1);
      open.pop_back();
    }
  }
  EXPECT_TRUE(open.empty());
}

TEST(Export, EveryStructureExportsBalancedText) {
  std::vector<Model> models{testing::harmonic_model(), testing::drift_model(), testing::law_model(),
                            testing::fourier_model()};
  for (const char* name : {"skew", "sd", "psd", "scaled-sd", "metric", "full", "parametric:ladder"})
    models.push_back(sample_model(name, 6, 3));
  for (const Model& model : models) {
    SCOPED_TRACE(model.structure);
    expect_balanced(python_script(model), '"', "#");
    expect_balanced(modelica_text(model), '"', "//");
    EXPECT_EQ(python_script(model).find("@\n"), std::string::npos);
    EXPECT_TRUE(holds(modelica_text(model), "  der(x) = A*x;\n"));
    EXPECT_EQ(holds(modelica_text(model), "parameter Real A["), !model.variation.has_value());
  }
}

}  // namespace
}  // namespace lgn
