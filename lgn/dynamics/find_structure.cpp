#include "lgn/dynamics/find_structure.h"

#include <fmt/format.h>

#include "lgn/core/error.h"
#include "lgn/dynamics/metric.h"
#include "lgn/dynamics/nonlinear_structures.h"
#include "lgn/dynamics/parametric.h"
#include "lgn/dynamics/scaled_sd.h"
#include "lgn/dynamics/structures.h"

namespace lgn {

std::shared_ptr<const ConstantStructure> find_structure(const std::string& name, Index dimension) {
  static const std::string parametric = "parametric:";
  if (name == "skew") return std::make_shared<SkewStructure>(dimension);
  if (name == "sd") return std::make_shared<SdStructure>(dimension);
  if (name == "scaled-sd") return std::make_shared<ScaledSdStructure>(dimension);
  if (name == "psd") return std::make_shared<PsdStructure>(dimension);
  if (name == "metric") return std::make_shared<MetricStructure>(dimension);
  if (name == "full") return std::make_shared<FullStructure>(dimension);
  if (name.starts_with(parametric))
    return std::make_shared<ParametricStructure>(
        find_law(name.substr(parametric.size()), dimension));
  if (name == "modal")
    throw Error("the structure \"modal\" has no size until its states are counted",
                "call identify");
  if (name == "network" || name == "mechanical")
    throw Error(fmt::format("the structure \"{}\" has no size until its topology is found", name),
                "call fit_network or identify");
  throw Error(fmt::format("unknown structure \"{}\"", name),
              fmt::format("structures are {}; nonlinear laws are nonlinear, {}",
                          fmt::join(structure_names(), ", "),
                          fmt::join(nonlinear_structure_names(), ", ")));
}

const std::vector<std::string>& structure_names() {
  static const std::vector<std::string> names{"skew",
                                              "sd",
                                              "scaled-sd",
                                              "psd",
                                              "metric",
                                              "full",
                                              "modal",
                                              "network",
                                              "mechanical",
                                              "parametric:oscillator",
                                              "parametric:rlc",
                                              "parametric:ladder",
                                              "ltv-skew",
                                              "ltv-sd",
                                              "ltv-psd",
                                              "ltv-full",
                                              "parametric:ltv-oscillator",
                                              "parametric:ltv-chain"};
  return names;
}

}  // namespace lgn
