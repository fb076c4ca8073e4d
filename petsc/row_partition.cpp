#include "petsc/row_partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"

namespace lgn::petsc {
namespace {

Index find_in(const std::vector<Index>& ascending, Index value) {
  return std::lower_bound(ascending.begin(), ascending.end(), value) - ascending.begin();
}

}  // namespace

RowBlocks RowBlocks::even(Index rows, int ranks) {
  const Index steps = (rows + step - 1) / step;
  if (steps < ranks)
    throw Error(fmt::format("{} states are too few for {} ranks", rows, ranks),
                fmt::format("start at most {} with mpirun -n", steps));
  RowBlocks blocks;
  for (Index r = 0; r < ranks; ++r) blocks.start.push_back(steps * r / ranks * step);
  blocks.start.push_back(rows);
  return blocks;
}

int RowBlocks::owner(Index row) const {
  return static_cast<int>(std::upper_bound(start.begin(), start.end(), row) - start.begin()) - 1;
}

RowPartition::RowPartition(const Ranks& ranks, RowBlocks blocks, AskedToStop asked)
    : ranks_(ranks), blocks_(std::move(blocks)), asked_(std::move(asked)) {}

RowPartition::RowPartition(const RowPartition& sums, PartOfNetwork part,
                           const SparsePattern& pattern,
                           std::shared_ptr<const NetworkStructure> whole)
    : ranks_(sums.ranks_),
      blocks_(sums.blocks_),
      asked_(sums.asked_),
      part_(std::move(part)),
      whole_(std::move(whole)) {
  order_.resize(part_.rows.size());
  std::iota(order_.begin(), order_.end(), Index{0});
  std::sort(order_.begin(), order_.end(),
            [&](Index one, Index other) { return part_.rows[at(one)] < part_.rows[at(other)]; });
  std::vector<Index> rows;  // ascending
  for (const Index state : order_) rows.push_back(part_.rows[at(state)]);
  first_ = find_in(rows, blocks_.start[at(ranks_.rank())]);
  std::vector<Exchange::Wanted> wanted_rows, wanted_states, entries;
  const Index all = blocks_.rows();
  for (Index i = 0; i < std::ssize(part_.states); ++i) {
    const Index row = part_.rows[at(i)], state = part_.states[at(i)];
    const int owner = blocks_.owner(row);
    if (owner == ranks_.rank()) continue;
    wanted_rows.push_back({owner, row, find_in(rows, row)});
    wanted_states.push_back({owner, state, i});
    for (Index e = pattern.start[at(i)]; e < pattern.start[at(i) + 1]; ++e)
      entries.push_back({owner, state * all + part_.states[at(pattern.column[at(e)])], e});
  }
  const auto state_here = [&](std::int64_t state) { return find_in(part_.states, state); };
  rows_ = std::make_shared<Exchange>(ranks_, wanted_rows,
                                     [&](std::int64_t row) { return find_in(rows, row); });
  states_ = std::make_shared<Exchange>(ranks_, wanted_states, state_here);
  entries_ = std::make_shared<Exchange>(ranks_, entries, [&](std::int64_t key) {
    return pattern.find(state_here(key / all), state_here(key % all));
  });
  exchange_parameters();
}

void RowPartition::exchange_parameters() {
  std::vector<Exchange::Wanted> wanted;
  for (Index k = 0; k < std::ssize(part_.parameters); ++k)
    if (!is_own(k)) wanted.push_back({part_.owners[at(k)], part_.parameters[at(k)], k});
  parameters_ = std::make_shared<Exchange>(
      ranks_, wanted, [&](std::int64_t place) { return find_in(part_.parameters, place); });
  all_parameters_ = count(0, std::ssize(part_.parameters));
  places_.clear();
}

Partition::Range RowPartition::own(Index) const {
  return {first_, std::ssize(part_.own_states), blocks_.start[at(ranks_.rank())], blocks_.rows()};
}

void RowPartition::refresh_rows(double* rows, Index columns) const {
  rows_->run(rows, columns, rows);
}
void RowPartition::refresh_rows(float* rows, Index columns) const {
  rows_->run(rows, columns, rows);
}
void RowPartition::refresh_states(Vector& states) const {
  states_->run(states.data(), 1, states.data());
}
void RowPartition::refresh_entries(Vector& entries) const {
  entries_->run(entries.data(), 1, entries.data());
}
void RowPartition::refresh_parameters(Vector& unknowns) const {
  parameters_->run(unknowns.data(), 1, unknowns.data());
}

double RowPartition::sum(double value) const { return static_cast<double>(ranks_.sum(value)); }
double RowPartition::largest(double value) const { return ranks_.largest(value); }

template <class Function>
long double RowPartition::sum_over(Index begin, Index end, const Function& f) const {
  long double sum = 0;
  const Index copies = std::min(end, static_cast<Index>(std::ssize(part_.parameters)));
  for (Index k = begin; k < copies; ++k)
    if (is_own(k)) sum += f(k);
  for (Index k = std::max(begin, copies); k < end; ++k) sum += f(k);
  return ranks_.sum(sum);
}

double RowPartition::ordered_sum(const Vector& terms, Index begin) const {
  const bool of_rows = begin > 0;
  std::vector<std::int64_t>& places = of_rows ? row_places_ : places_;
  std::vector<double> mine;
  mine.reserve(at(terms.size()));
  for (Index k = 0; k < terms.size(); ++k)
    if (is_own(begin + k)) mine.push_back(terms[k]);
  // Where each belongs does not change from sum to sum.
  const double known = ranks_.is_root() ? static_cast<double>(places.size()) : 0.0;
  const std::vector<double> all = ranks_.gather(mine);
  if (largest(ranks_.is_root() && known != static_cast<double>(all.size()) ? 1 : 0) > 0) {
    std::vector<std::int64_t> own;
    for (Index k = 0; k < terms.size(); ++k)
      if (is_own(begin + k)) own.push_back(place(begin + k) - (of_rows ? all_parameters_ : 0));
    places = ranks_.gather(own);
  }
  double sum = 0;
  if (ranks_.is_root()) {
    Vector ordered(static_cast<Index>(all.size()));
    for (std::size_t k = 0; k < all.size(); ++k) ordered[places[k]] = all[k];
    sum = ordered.sum();
  }
  return ranks_.share(std::vector<double>{sum}).front();
}

double RowPartition::dot(const Vector& a, const Vector& b) const {
  return ordered_sum(a.cwiseProduct(b), 0);
}

double RowPartition::dot_of_rows(const Vector& a, const Vector& b) const {
  return ordered_sum(a.cwiseProduct(b), std::ssize(part_.parameters));
}

double RowPartition::norm_of_states(const Vector& x) const {
  Vector mine(std::ssize(part_.own_states));
  for (Index i = 0; i < mine.size(); ++i) mine[i] = x[order_[at(first_ + i)]];
  return std::sqrt(dot_of_rows(mine, mine));
}

Index RowPartition::count(Index begin, Index end) const {
  return static_cast<Index>(sum_over(begin, end, [](Index) { return 1.0L; }));
}

double RowPartition::median(const Vector& unknowns, Index begin, Index end) const {
  std::vector<double> mine;
  for (Index k = begin; k < end; ++k)
    if (is_own(k)) mine.push_back(unknowns[k]);
  std::vector<double> all = ranks_.gather(mine);
  return ranks_.share(std::vector<double>{ranks_.is_root() ? lgn::median(std::move(all)) : 0.0})
      .front();
}

std::vector<Index> RowPartition::totals(const std::vector<std::size_t>& keys,
                                        const std::vector<Index>& counts) const {
  const std::vector<std::size_t> all_keys = ranks_.gather_on_all(keys);
  const std::vector<Index> all_counts = ranks_.gather_on_all(counts);
  std::unordered_map<std::size_t, Index> sums;
  for (const std::size_t key : keys) sums[key] = 0;
  for (std::size_t k = 0; k < all_keys.size(); ++k)
    if (const auto own = sums.find(all_keys[k]); own != sums.end()) own->second += all_counts[k];
  std::vector<Index> totals;
  for (const std::size_t key : keys) totals.push_back(sums[key]);
  return totals;
}

double RowPartition::root_mean_square(double here, Index present) const {
  const auto values = static_cast<long double>(present);
  return static_cast<double>(
      std::sqrt(ranks_.sum(static_cast<long double>(here) * here * values) / ranks_.sum(values)));
}

Index RowPartition::place(Index unknown) const {
  const auto copies = static_cast<Index>(std::ssize(part_.parameters)),
             rows = static_cast<Index>(std::ssize(part_.own_states));
  if (unknown < copies) return part_.parameters[at(unknown)];
  const Index column = (unknown - copies) / rows, row = (unknown - copies) % rows;
  return all_parameters_ + column * blocks_.rows() + part_.own_states[at(row)];
}

void RowPartition::draw_signs(Random& random, Vector& unknowns, Index begin, Index end) const {
  double first = std::numeric_limits<double>::infinity();
  for (Index k = begin; k < end; ++k) first = std::min(first, static_cast<double>(place(k)));
  const auto base = static_cast<Index>(-largest(-first));
  std::vector<char> signs(at(count(begin, end)));
  for (char& sign : signs) sign = random.uniform() < 0.5 ? -1 : 1;
  for (Index k = begin; k < end; ++k) unknowns[k] = signs[at(place(k) - base)];
}

Vector RowPartition::draw_states(Random& random, Index states) const {
  const Vector all = random.normals(blocks_.rows());
  Vector here(states);
  for (Index i = 0; i < states; ++i) here[i] = all[part_.states[at(i)]];
  return here;
}

Vector RowPartition::gathered(const Vector& unknowns, Index parameters) const {
  const auto copies = static_cast<Index>(std::ssize(part_.parameters));
  const Index offset = copies - parameters, less = parameters > 0 ? 0 : all_parameters_;
  std::vector<std::int64_t> places;
  std::vector<double> values;
  for (Index k = 0; k < unknowns.size(); ++k)
    if (is_own(k + offset)) {
      places.push_back(place(k + offset) - less);
      values.push_back(unknowns[k]);
    }
  places = ranks_.gather(places);
  values = ranks_.gather(values);
  Vector whole = Vector::Zero(static_cast<Index>(values.size()));
  for (std::size_t k = 0; k < values.size(); ++k) whole[places[k]] = values[k];
  return whole;
}

Vector RowPartition::scattered(const Vector& whole, Index parameters) const {
  const auto copies = static_cast<Index>(std::ssize(part_.parameters));
  const Index offset = copies - parameters, less = parameters > 0 ? 0 : all_parameters_;
  const Index columns = (whole.size() + less - all_parameters_) / blocks_.rows();
  Vector unknowns(parameters + columns * std::ssize(part_.own_states));
  for (Index k = 0; k < unknowns.size(); ++k) unknowns[k] = whole[place(k + offset) - less];
  return unknowns;
}

Vector RowPartition::shared(const Vector& whole) const {
  const auto all = ranks_.share(std::vector<double>(whole.data(), whole.data() + whole.size()));
  return Eigen::Map<const Vector>(all.data(), std::ssize(all));
}

std::shared_ptr<const Partition> RowPartition::with_parameters(const Vector& kept) const {
  std::vector<Index> gone;
  for (Index k = 0; k < kept.size(); ++k)
    if (kept[k] == 0 && is_own(k)) gone.push_back(part_.parameters[at(k)]);
  gone = ranks_.gather_on_all(gone);
  std::sort(gone.begin(), gone.end());
  auto fewer = std::make_shared<RowPartition>(*this);
  fewer->part_.parameters.clear();
  fewer->part_.owners.clear();
  for (Index k = 0; k < kept.size(); ++k) {
    if (kept[k] == 0) continue;
    const Index before = part_.parameters[at(k)];
    fewer->part_.parameters.push_back(before - find_in(gone, before));
    fewer->part_.owners.push_back(part_.owners[at(k)]);
  }
  fewer->exchange_parameters();
  return fewer;
}

void RowPartition::stop_point() const {
  const bool asked = ranks_.is_root() && asked_ && asked_(can_be_done_without());
  const std::vector<char> word = ranks_.share(std::vector<char>{static_cast<char>(asked ? 1 : 0)});
  if (word.front() != 0) throw Stopped();
}

// Ranks have different work, so none counts its own: they ask each time.
void RowPartition::stop_point(double /*work*/) const { stop_point(); }

}  // namespace lgn::petsc
