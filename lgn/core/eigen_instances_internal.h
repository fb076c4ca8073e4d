#pragma once

/// Eigen's decompositions of the matrices that lgn uses, compiled once: eigen_instances.cpp holds their code, and every
/// file that sees this header (all of a target whose headers are precompiled) leaves it to that one. Nothing else
/// changes; without this header each file compiles its own.

#include <Eigen/Dense>

#ifndef LGN_EIGEN_INSTANCE
#define LGN_EIGEN_INSTANCE extern
#endif

namespace Eigen {

LGN_EIGEN_INSTANCE template class HouseholderQR<MatrixXd>;
LGN_EIGEN_INSTANCE template class LLT<MatrixXd>;
LGN_EIGEN_INSTANCE template class LDLT<MatrixXd>;
LGN_EIGEN_INSTANCE template class SelfAdjointEigenSolver<MatrixXd>;

// Members that are templates themselves, for the argument they nearly always get.
LGN_EIGEN_INSTANCE template LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
LGN_EIGEN_INSTANCE template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
LGN_EIGEN_INSTANCE template SelfAdjointEigenSolver<MatrixXd>&
SelfAdjointEigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&, int);
LGN_EIGEN_INSTANCE template void HouseholderSequence<MatrixXd, VectorXd, OnTheLeft>::evalTo(
    MatrixXd&, VectorXd&) const;

}  // namespace Eigen
