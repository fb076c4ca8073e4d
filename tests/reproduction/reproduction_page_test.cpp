#include "experiments/reproduction/reproduction_page.h"

#include <gtest/gtest.h>

#include "experiments/reproduction/inline_markdown.h"
#include "tests/report/markup.h"
#include "tests/reproduction/sample_findings.h"

namespace lgn::studies {
namespace {

using lgn::testing::count;
using lgn::testing::well_formed;
using testing::sample_findings;

TEST(ReproductionTable, HasARowForEachNumber) {
  EXPECT_EQ(experiment_table(sample_findings()),
            "| system | method | metric | paper | same method, ours: median (lowest … highest) | "
            "ours | notes |\n"
            "|---|---|---|---:|---:|---:|---|\n"
            "| LC | LGN-SD | NRMSE | 0.9 | 0.25 (0.1 … 0.333) | 1.25e-07 | maximum likelihood \\| "
            "`x0` estimated |\n"
            "| RLC | Neural ODE | energy violations | < 1% | 50% (12.5% … diverged) | diverged |  "
            "|\n"
            "| RLC | HNN | mean \\|Δλ\\| | – | – | – | not trained |\n"
            "| RLC | HNN | parameters | 4802 | 4802 | diverged |  |\n");
}

TEST(ReproductionTable, LeavesOutColumnsWithoutText) {
  Findings findings;
  findings.rows = {
      {.system = "", .method = "a", .metric = "nrmse", .paper = 4.4e54, .paper_method = {2, 2, 2}}};
  EXPECT_EQ(experiment_table(findings),
            "| method | metric | paper | same method, ours: median (lowest … highest) | ours |\n"
            "|---|---|---:|---:|---:|\n"
            "| a | NRMSE | 4.4e+54 | 2 | – |\n");
}

TEST(ReproductionTable, WritesNumbersToBeRead) {
  const auto shown = [](const std::string& metric, double value) {
    Findings findings;
    findings.rows = {{.system = "", .method = "a", .metric = metric, .ours = value}};
    const std::string table = experiment_table(findings);
    const auto end = table.rfind(" |"), begin = table.rfind("| ", end) + 2;
    return table.substr(begin, end - begin);
  };
  EXPECT_EQ(shown("nrmse", 0.001234567), "0.00123");
  EXPECT_EQ(shown("nrmse", 1234.567), "1235");
  EXPECT_EQ(shown("nrmse", 123456.7), "1.23e+05");
  EXPECT_EQ(shown("violations", 0.1449), "14.5%");
  EXPECT_EQ(shown("violations", 0), "0%");
  EXPECT_EQ(shown("unstable", 3), "3");
  EXPECT_EQ(shown("parameters", 1234567), "1234567");
}

TEST(ReproductionMarkdown, HasAllOfAnExperiment) {
  const Findings findings = sample_findings();
  const std::string page = reproduction_markdown({findings}, "figures", "What it is.");
  std::size_t before = 0;
  for (const std::string& part :
       {std::string("# "), std::string("What it is."), "\n## " + findings.title + "\n",
        findings.setting, experiment_table(findings),
        std::string("![Figure 2(a). Poles.](figures/figure-2a.svg)"), std::string("*Poles*"),
        std::string("(figures/figure-2b.svg)"), findings.remarks[0], findings.remarks[1],
        std::string("90 s")}) {
    const std::size_t at = page.find(part, before);
    ASSERT_NE(at, std::string::npos) << part << " in " << page;
    before = at;
  }
}

TEST(ReproductionHtml, IsOneWellFormedPage) {
  Findings other = sample_findings();
  other.id = "a2";
  other.rows.clear();
  other.panels.clear();
  const std::string page =
      reproduction_html({sample_findings(), other}, "What **it** is.\n\nMore.");
  EXPECT_TRUE(well_formed(page));
  for (const char* id : {"exp3", "a2"}) {
    EXPECT_EQ(count(page, std::string("id='") + id + "'"), 1u);
    EXPECT_EQ(count(page, std::string("href='#") + id + "'"), 1u);
  }
  EXPECT_EQ(count(page, "<figure>"), 2u);
  EXPECT_EQ(count(page, "<table>"), 1u);
  EXPECT_EQ(count(page, "<tr"), 5u);
  EXPECT_EQ(count(page, "<p>What <strong>it</strong> is.</p>"), 1u);
  EXPECT_EQ(count(page, "&lt;100&gt; sections &amp; more"), 4u);  // twice in headings and contents
  EXPECT_EQ(count(page, "prefers-color-scheme: dark"), 1u);
  EXPECT_EQ(count(page, "src="), 0u);  // nothing from elsewhere
  EXPECT_TRUE(well_formed(reproduction_html({}, "")));
}

TEST(InlineMarkdown, KnowsCodeEmphasisAndLinks) {
  EXPECT_EQ(inline_html("a `b < *c*` d"), "a <code>b &lt; *c*</code> d");
  EXPECT_EQ(inline_html("**bold *and* more**"), "<strong>bold <em>and</em> more</strong>");
  EXPECT_EQ(inline_html("(*x*)"), "(<em>x</em>)");
  EXPECT_EQ(inline_html("[1] and [a *b*](docs/x.md#y)"),
            "[1] and <a href='docs/x.md#y'>a <em>b</em></a>");
  EXPECT_EQ(inline_html("\\*no\\* mean \\|x\\|"), "*no* mean |x|");
}

TEST(InlineMarkdown, LeavesFormulasAlone) {
  for (const char* text : {"‖A−A*‖/‖A*‖", "2 * 3 * 4", "a*b*c", "* ", "**", "`", "[a](", "x]", "["})
    EXPECT_EQ(inline_html(text), text);
}

TEST(InlineMarkdown, LetsNoMarkupThrough) {
  EXPECT_EQ(inline_html("<script>'"), "&lt;script&gt;&#39;");
  for (const char* text :
       {"[a](javascript:alert)", "[a](//elsewhere)", "[a](data:x)", "[a](java script)"})
    EXPECT_EQ(inline_html(text), text);
  for (const char* text : {"[<b>](x'y)", "**<i>**", "`</code>`", "*a **b* c**", "[*a](b)*"})
    EXPECT_TRUE(well_formed("<p>" + inline_html(text) + "</p>")) << inline_html(text);
}

TEST(InlineMarkdown, BlankLinesPartParagraphs) {
  EXPECT_EQ(paragraphs_html("\na\nb\n \n\nc"), "<p>a\nb</p>\n<p>c</p>\n");
  EXPECT_EQ(paragraphs_html(""), "");
  EXPECT_EQ(plain_text("*a* `b` [c]"), "a b c");
}

}  // namespace
}  // namespace lgn::studies
