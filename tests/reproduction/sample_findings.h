#pragma once

#include <limits>

#include "experiments/reproduction/results.h"

namespace lgn::studies::testing {

/// An invented experiment with every kind of number and text that a real one can have.
inline Findings sample_findings() {
  constexpr double diverged = std::numeric_limits<double>::infinity();
  Findings findings;
  findings.id = "exp3";
  findings.title = "Experiment 3: <100> sections & more";
  findings.setting =
      "First *paragraph* with `code < 1`.\n\nSecond, with **bold** and A* of ‖A−A*‖.";
  findings.rows = {
      {.system = "LC",
       .method = "LGN-SD",
       .metric = "nrmse",
       .paper = 0.90,
       .paper_method = {0.1, 1.0 / 3, 0.25},
       .ours = 1.25e-7,
       .note = "maximum likelihood | `x0` estimated"},
      {.system = "RLC",
       .method = "Neural ODE",
       .metric = "violations",
       .paper_text = "< 1%",
       .paper_method = {0.125, diverged, 0.5},
       .ours = diverged},
      {.system = "RLC", .method = "HNN", .metric = "pole_error", .note = "not trained"},
      {.system = "RLC",
       .method = "HNN",
       .metric = "parameters",
       .paper = 4802,
       .paper_method = {4802},
       .ours = -diverged}};
  findings.panels = {
      {"figure-2a", "Figure 2(a). *Poles*.", "<svg role='img'><path d='M0 0\"'/></svg>"},
      {"figure-2b", "Figure 2(b).", "<svg>é</svg>"}};
  findings.remarks = {"It agrees; see [the paper](https://example.org/a?b=1&c=2).",
                      "It does <not>."};
  findings.seconds = 90.5;
  return findings;
}

}  // namespace lgn::studies::testing
