#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lgn::studies {

/// One number of the paper beside ours.
struct Row {
  std::string system;  ///< what of the experiment it is about: "LC", "noise 5%"; empty: all of it
  std::string method;  ///< as the paper calls it: "LGN-SD"
  std::string metric;  ///< "nrmse", "violations", …; see metric_title()
  std::optional<double> paper =
      {};                       ///< the published number; none: the paper does not have this row
  std::string paper_text = {};  ///< where the paper has words: "diverged", "< 1%"
  std::vector<double> paper_method =
      {};                           ///< ours for the same method and protocol, one for each seed
  std::optional<double> ours = {};  ///< ours for the same class of model at its best
  std::string note = {};            ///< what "at its best" means, or why there is no number

  /// Of paper_method; not a number where it is empty. One that diverged is infinite.
  double median() const;
  double lowest() const;
  double highest() const;
};

/// One panel of a figure of the paper.
struct Panel {
  std::string name;     ///< file name without ending: "figure-1a"
  std::string caption;  ///< one line of Markdown
  std::string svg;
};

/// What an experiment found.
struct Findings {
  std::string id;       ///< "exp1", …, "a2"
  std::string title;    ///< "Experiment 1: LC and RLC oscillator"
  std::string setting;  ///< one paragraph of Markdown: the data, the protocol, the seeds
  std::vector<Row> rows = {};
  std::vector<Panel> panels = {};
  std::vector<std::string> remarks =
      {};  ///< paragraphs of Markdown: what agrees, what does not and why
  double seconds = 0;
};

/// "NRMSE over the test", "violations of energy decay", …: how a table calls a metric.
std::string metric_title(const std::string& metric);

}  // namespace lgn::studies
