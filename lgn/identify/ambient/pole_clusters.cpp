#include "lgn/identify/ambient/pole_clusters.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/median.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

struct Members {
  Complex centre;
  std::vector<Complex> poles;
  std::vector<ComplexVector> shapes;
  Index last = -1;  ///< the realisation that the last came from
};

Complex median_pole(const std::vector<Complex>& poles) {
  std::vector<double> re, im;
  for (const Complex& pole : poles) {
    re.push_back(pole.real());
    im.push_back(pole.imag());
  }
  return {median(re), median(im)};
}

}  // namespace

std::vector<PoleCluster> pole_clusters(const CandidateRealisations& realisation,
                                       const std::vector<Index>& orders, double highest) {
  constexpr double damped = 0.3, of_width = 0.5, of_frequency = 0.005, alike = 0.8;
  std::vector<Members> all;
  Index realisations = 0;
  for (const Index order : orders)
    for (const Realisation& found : realisation.realise(order)) {
      stop_point();
      for (Index k = 0; k < found.poles.size(); ++k) {
        const Complex pole = found.poles[k];
        if (pole.imag() <= 0 || pole.imag() > highest || -pole.real() > damped * std::abs(pole))
          continue;
        Members* nearest = nullptr;
        double least = 1;
        for (Members& members : all) {
          if (members.last == realisations) continue;
          const double near = of_width * std::max(-members.centre.real(), -pole.real()) +
                              of_frequency * pole.imag();
          const double distance = std::abs(pole - members.centre) / near;
          if (distance < least &&
              modal_assurance(members.shapes.front(), found.shapes.col(k)) > alike) {
            least = distance;
            nearest = &members;
          }
        }
        if (nearest == nullptr) nearest = &all.emplace_back(Members{pole, {}, {}, -1});
        nearest->poles.push_back(pole);
        nearest->shapes.push_back(found.shapes.col(k));
        nearest->centre = median_pole(nearest->poles);
        nearest->last = realisations;
      }
      ++realisations;
    }
  std::vector<PoleCluster> clusters;
  for (const Members& members : all) {
    std::size_t nearest = 0;
    for (std::size_t k = 1; k < members.poles.size(); ++k)
      if (std::abs(members.poles[k] - members.centre) <
          std::abs(members.poles[nearest] - members.centre))
        nearest = k;
    clusters.push_back({members.centre, members.shapes[nearest],
                        static_cast<double>(members.poles.size()) /
                            static_cast<double>(std::max<Index>(1, realisations))});
  }
  std::stable_sort(clusters.begin(), clusters.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return clusters;
}

}  // namespace lgn
