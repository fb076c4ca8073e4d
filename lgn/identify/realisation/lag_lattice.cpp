#include "lgn/identify/realisation/lag_lattice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lgn {
namespace {

/// 1, ρ, ρ², … with (digits − 1) Σ ρⁱ close to the aperture.
std::vector<Index> geometric_strides(Index aperture, Index digits, int levels) {
  const double sum = static_cast<double>(aperture) / static_cast<double>(digits - 1);
  const auto reach = [&](double ratio) {
    double total = 0;
    for (int i = 0; i < levels; ++i) total = 1 + ratio * total;
    return total;
  };
  double low = 1, high = sum;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (reach(middle) > sum ? high : low) = middle;
  }
  std::vector<Index> strides;
  for (int i = 0; i < levels; ++i) strides.push_back(static_cast<Index>(std::pow(low, i)));
  return strides;
}

LagLattice all_lags(Index aperture) {
  LagLattice lattice;
  lattice.lags.resize(static_cast<std::size_t>(aperture + 1));
  std::iota(lattice.lags.begin(), lattice.lags.end(), Index{0});
  lattice.shifts.push_back(1);
  for (Index shift = 2; 2 * shift <= aperture; shift *= 2) lattice.shifts.push_back(shift);
  return lattice;
}

}  // namespace

LagLattice::Pairs LagLattice::pairs(Index shift) const {
  Pairs found;
  for (std::size_t i = 0; i < lags.size(); ++i) {
    const auto to = std::lower_bound(lags.begin(), lags.end(), lags[i] + shift);
    if (to == lags.end() || *to != lags[i] + shift) continue;
    found.from.push_back(static_cast<Index>(i));
    found.to.push_back(to - lags.begin());
  }
  return found;
}

LagLattice lag_lattice(Index aperture, Index most) {
  most = std::max<Index>(most, 4);
  if (aperture < most) return all_lags(aperture);
  const int levels = most >= 200 ? 4 : most >= 27 ? 3 : 2;
  const auto digits =
      static_cast<Index>(std::floor(std::pow(static_cast<double>(most), 1.0 / levels) + 1e-9));
  LagLattice lattice{{0}, geometric_strides(aperture, digits, levels)};
  for (const Index stride : lattice.shifts) {
    const std::vector<Index> coarser = lattice.lags;
    for (Index digit = 1; digit < digits; ++digit)
      for (const Index lag : coarser) lattice.lags.push_back(lag + digit * stride);
  }
  std::sort(lattice.lags.begin(), lattice.lags.end());
  lattice.lags.erase(std::unique(lattice.lags.begin(), lattice.lags.end()), lattice.lags.end());
  lattice.shifts.erase(std::unique(lattice.shifts.begin(), lattice.shifts.end()),
                       lattice.shifts.end());
  return lattice;
}

}  // namespace lgn
