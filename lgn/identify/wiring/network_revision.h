#pragma once

#include <optional>
#include <vector>

#include "lgn/dynamics/network.h"
#include "lgn/identify/likelihood/problem.h"

namespace lgn {

/// Which elements the likelihood asks for, beside those that are there.
struct NetworkEvidence {
  /// By how much −2 log likelihood would rise, to second order, without each element of the
  /// structure, everything else at its best.
  std::vector<double> present;
  /// Elements that are not there, by how much −2 log likelihood would fall with each.
  struct Absent {
    NetworkElement element;
    double fall = 0;
    Index unknown = 0;  ///< its place in the quadratic model
  };
  std::vector<Absent> absent;
  Vector se;  ///< standard error of every parameter
  /// The quadratic model of −½ log likelihood of the parameters, then of other elements: its matrix,
  /// its slope, and the change of A along each unknown, below one another.
  Matrix information;
  Vector gradient;
  Matrix directions;
};

/// A fitted network: where it stands, and the noise under which likelihoods are compared, one σ per
/// channel.
struct FittedNetwork {
  const NetworkStructure& structure;
  const Vector& theta;
  const Vector& noise;
  ProblemOptions known = {};

  Matrix generator() const { return structure.generator(theta); }
};

/// Evidence for elements by Wald's test (those that are there) and the score test (candidates that
/// are not: Rao, Proc. Camb. Phil. Soc. 44:50, 1948), both from one information matrix (theory, Eq.
/// 55). Of the candidates only those with the steepest likelihood are looked at closely. O(values
/// p²) for p parameters and candidates.
NetworkEvidence find_evidence(const Dataset& data, const FittedNetwork& fit,
                              const std::vector<NetworkElement>& candidates);

/// A where the quadratic model has its minimum in the parameters and these candidates.
Matrix generator_with(const FittedNetwork& fit, const NetworkEvidence& evidence,
                      const std::vector<NetworkEvidence::Absent>& candidates);

/// Evidence beyond which an element is worth its place among `candidates` of its kind: 2 log(values ·
/// candidates) (theory, Eq. 56), so that chance puts a wrong element into about one of as many data
/// sets as there are values.
double evidence_threshold(double values, double candidates);

}  // namespace lgn
