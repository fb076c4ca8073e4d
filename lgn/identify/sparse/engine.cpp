#include "lgn/identify/sparse/engine.h"

#include <fmt/format.h>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"

namespace lgn {

bool uses_sparse_engine(const Dataset& data, const FitOptions& options) {
  if (options.engine == Engine::dense) return false;
  if (options.engine == Engine::petsc)
    throw Error("this program was built without PETSc", "use " + setting("engine", "sparse"));
  // Beyond this many states dense fits of networks take minutes, and sooner where their topology is to be found.
  const Index most_dense = options.network.rules.pattern.empty() ? 150 : 400;
  const bool network = options.structure == "network" || options.structure == "mechanical" ||
                       options.structure == "auto";
  const bool likely = options.method == Method::automatic || options.method == Method::likelihood;
  std::string problem, remedy;
  if (!network || options.custom_structure) {
    problem = "a sparse fit is one of a network";
    remedy = "use " + setting("structure", "network");
  } else if (options.structure == "auto" && options.network.rules.pattern.empty()) {
    problem = "a sparse fit is one of a network, which nobody has asked for";
    remedy = "use " + setting("structure", "network") + ", or give the pairs that couple with " +
             setting("edges", "FILE");
  } else if (!data.active_input().empty() || options.record == Record::driven ||
             options.record == Record::ambient) {
    problem = "a sparse fit is one of free motion";
    remedy = "cut the data where inputs end";
  } else if (!likely || options.robust() || options.holdout != 0 || options.bootstrap != 0 ||
             !options.estimate_initial_states || options.passive) {
    problem = "a sparse fit is one of maximum likelihood by squares, of all samples";
    remedy = fmt::format("leave out {}, {}, {}, {} and {}", setting("method"), setting("loss"),
                         setting("holdout"), setting("bootstrap"), setting("x0"));
  }
  if (!problem.empty()) {
    if (options.engine == Engine::sparse) throw Error(problem, remedy);
    return false;
  }
  return options.engine == Engine::sparse || data.dimension() > most_dense;
}

}  // namespace lgn
