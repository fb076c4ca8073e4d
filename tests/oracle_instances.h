#pragma once

/// Eigen's decompositions by which tests check the library's own, compiled once: oracle_instances.cpp holds their code, and
/// every test that sees this header (all of them, where headers are precompiled) leaves it to that one.

#include "lgn/core/eigen_instances_internal.h"

#ifndef LGN_ORACLE_INSTANCE
#define LGN_ORACLE_INSTANCE extern
#endif

namespace Eigen {

LGN_ORACLE_INSTANCE template class JacobiSVD<MatrixXd>;
LGN_ORACLE_INSTANCE template class ColPivHouseholderQR<MatrixXd>;
LGN_ORACLE_INSTANCE template class PartialPivLU<MatrixXd>;

}  // namespace Eigen
