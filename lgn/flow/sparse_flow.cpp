#include "lgn/flow/sparse_flow.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "lgn/core/constants_internal.h"
#include "lgn/core/stop.h"
#include "lgn/flow/sparse_kernels_internal.h"
#include "lgn/flow/time_steps.h"

namespace lgn {
namespace {

using namespace sparse_kernels;

/// Rows that a thread must have to be worth waking.
constexpr Index least_rows = 2000;
/// Rows of a product with coefficients: always the same, so that rounding does not depend on threads.
constexpr Index panel = 2048;

template <class Scalar>
std::vector<Scalar> converted(const Vector& values) {
  return {values.data(), values.data() + values.size()};
}

/// Own rows of a product, by all threads.
template <class Kernel>
void run(WorkerThreads& threads, Partition::Range own, const Kernel& kernel) {
  // Two flops for each entry of every column, about one in a nanosecond.
  stop_point(2.0 * static_cast<double>(kernel.at.entries() * kernel.columns));
  threads.over(own.count, least_rows, [&](Index begin, Index end) {
    by_columns(kernel, kernel.columns, own.first + begin, own.first + end);
  });
}

/// Y = X C, panel by panel, for own rows of `runs` numbers: of X from x_first on, of Y from y_first on. Panels are those of the whole, in
/// single precision BLAS rounds by the place of a row.
template <class Terms>
void multiply(WorkerThreads& threads, Partition::Range own, Index runs, const Terms& x,
              Index x_first, const Terms& c, Terms& y, Index y_first) {
  const Index begin_of_own = own.begin * runs, count = own.count * runs, whole = own.whole * runs;
  stop_point(0.1 * static_cast<double>(count * c.size()));
  const Index first_panel = begin_of_own / panel,
              panels = (begin_of_own + count + panel - 1) / panel - first_panel;
  threads.over(panels, 2, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const Index first = (first_panel + k) * panel, rows = std::min(panel, whole - first);
      const Index mine = std::max(first, begin_of_own),
                  size = std::min(first + rows, begin_of_own + count) - mine;
      const auto from = x.middleRows(x_first + mine - begin_of_own, size);
      auto to = y.middleRows(y_first + mine - begin_of_own, size);
      if (size == rows) {
        to.noalias() = from * c;
        continue;
      }
      Terms padded = Terms::Zero(rows, x.cols()), product(rows, c.cols());
      padded.middleRows(mine - first, size) = from;
      product.noalias() = padded * c;
      to = product.middleRows(mine - first, size);
    }
  });
}

std::vector<Index> counted(Index n) {
  std::vector<Index> order(at(n));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

}  // namespace

OrderedPattern::OrderedPattern(std::shared_ptr<const GeneratorPattern> generator,
                               std::shared_ptr<const Partition> partition)
    : generator_(std::move(generator)),
      partition_(std::move(partition)),
      order_(partition_->order()) {
  const bool given = !order_.empty();
  if (!given) order_ = generator_->pattern().near_order();
  ordered_ = generator_->pattern().reordered(order_);
  if (given) order_ = counted(own().count);
}

Vector OrderedPattern::to_ordered(const Vector& values) const {
  Vector result(values.size());
  for (Index e = 0; e < values.size(); ++e) result[e] = values[ordered_.entry[at(e)]];
  return result;
}

Vector OrderedPattern::from_ordered(const Vector& values) const {
  Vector result(values.size());
  for (Index e = 0; e < values.size(); ++e) result[ordered_.entry[at(e)]] = values[e];
  return result;
}

template <class Scalar>
SparseFlow<Scalar>::SparseFlow(std::shared_ptr<const OrderedPattern> pattern, const Vector& theta,
                               const Vector& times, WorkerThreads& threads, double tolerance)
    : pattern_(std::move(pattern)),
      threads_(threads),
      series_({}, 1, tolerance),
      samples_(times.size()) {
  const SparsePattern& places = pattern_->pattern();
  plan(times, pattern_->generator().box(theta), tolerance);
  Vector a = pattern_->to_ordered(pattern_->generator().values(theta));
  for (const Place e : places.diagonal) a[e] -= series_.shift;
  a *= series_.factor();
  Vector transposed(a.size());
  for (Index e = 0; e < a.size(); ++e) transposed[e] = a[places.twin[at(e)]];
  forth_ = converted<Scalar>(a);
  back_ = converted<Scalar>(transposed);
}

template <class Scalar>
void SparseFlow<Scalar>::plan(const Vector& times, const SpectralBox& box, double tolerance) {
  const TimeSteps grid = find_steps(times);
  if (grid.which.empty()) return;
  std::vector<double> steps;
  for (const std::size_t w : grid.which) steps.push_back(grid.length[w]);
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2),
                   steps.end());
  const double typical = steps[steps.size() / 2];
  // A product with A takes about as long as those of 30 samples with one more column of coefficients.
  constexpr double sample_cost = 1.0 / 30;
  double longest = 0, least = 0;
  for (const Index count : {1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 64}) {
    if (count > 1 && count > static_cast<Index>(grid.which.size())) break;
    const double length = typical * static_cast<double>(count);
    // Beyond this a longer superstep saves nothing.
    if (longest > 0 && length * (box.decay + box.frequency) > 200) break;
    const ChebyshevSeries series(box, length, tolerance);
    if (series.degree == 0) continue;
    const auto degree = static_cast<double>(series.degree);
    const double cost = degree / static_cast<double>(count) + sample_cost * degree;
    if (longest == 0 || cost < least) {
      longest = length;
      least = cost;
      series_ = series;
    }
  }
  // Samples so far apart, or a box so square, that even one step must be cut.
  for (double length = typical / 2; longest == 0; length /= 2) {
    series_ = ChebyshevSeries(box, length, tolerance);
    if (series_.degree > 0) longest = length;
  }
  longest *= 1 + 1e-9;
  std::map<std::vector<double>, std::size_t> known;
  const auto add = [&](Index first, const std::vector<double>& offsets, Index count) {
    const auto [place, is_new] = known.emplace(offsets, tables_.size());
    if (is_new)
      tables_.push_back(
          series_.coefficients(Eigen::Map<const Vector>(offsets.data(), std::ssize(offsets)))
              .transpose()
              .template cast<Scalar>());
    steps_.push_back({first, count, place->second});
  };
  for (std::size_t k = 0; k < grid.which.size();) {
    const auto first = static_cast<Index>(k) + 1;
    const double step = grid.length[grid.which[k]];
    if (step > longest) {
      const double pieces = std::ceil(step / longest);
      for (double piece = 1; piece < pieces; ++piece) add(first, {step / pieces}, 0);
      add(first, {step / pieces}, 1);
      ++k;
      continue;
    }
    std::vector<double> offsets;
    for (double sum = 0; k < grid.which.size(); ++k) {
      sum += grid.length[grid.which[k]];
      if (sum > longest) break;
      offsets.push_back(sum);
    }
    add(first, offsets, std::ssize(offsets));
  }
}

template <class Scalar>
void SparseFlow<Scalar>::begin_terms(const Block& x, Terms& terms) const {
  terms.resize(pattern_->pattern().n * x.cols(), series_.degree + 1);
  std::copy(x.data(), x.data() + x.size(), terms.col(0).data() + pattern_->own().first * x.cols());
}

template <class Scalar>
void SparseFlow<Scalar>::fill_terms(const Block& x, Terms& terms) const {
  const Index degree = series_.degree;
  begin_terms(x, terms);
  for (Index m = 0; m < degree; ++m) {
    pattern_->partition().refresh_rows(terms.col(m).data(), x.cols());
    run(threads_, pattern_->own(),
        Forward<Scalar>{pattern_->pattern(), forth_.data(), terms.col(m).data(),
                        m > 0 ? terms.col(m - 1).data() : nullptr,
                        static_cast<Scalar>(m > 0 ? 1.0 : 0.5), static_cast<Scalar>(series_.sign),
                        terms.col(m + 1).data(), x.cols()});
  }
}

template <class Scalar>
void SparseFlow<Scalar>::fill_tangent(const Block& x, const std::vector<Scalar>& change,
                                      const Terms& terms, Terms& tangent) const {
  const Index degree = series_.degree;
  begin_terms(x, tangent);
  for (Index m = 0; m < degree; ++m) {
    pattern_->partition().refresh_rows(tangent.col(m).data(), x.cols());
    run(threads_, pattern_->own(),
        Tangent<Scalar>{pattern_->pattern(), forth_.data(), change.data(), tangent.col(m).data(),
                        terms.col(m).data(), m > 0 ? tangent.col(m - 1).data() : nullptr,
                        static_cast<Scalar>(m > 0 ? 1.0 : 0.5), static_cast<Scalar>(series_.sign),
                        tangent.col(m + 1).data(), x.cols()});
  }
}

template <class Scalar>
typename SparseFlow<Scalar>::Block SparseFlow<Scalar>::pull_terms(Terms& bar, const Terms& terms,
                                                                  std::vector<Scalar>& g) const {
  const Index degree = series_.degree, runs = bar.rows() / pattern_->pattern().n;
  for (Index m = degree - 1; m >= 0; --m) {
    pattern_->partition().refresh_rows(bar.col(m + 1).data(), runs);
    run(threads_, pattern_->own(),
        Backward<Scalar>{pattern_->pattern(), back_.data(), bar.col(m + 1).data(),
                         terms.col(m).data(), m + 2 <= degree ? bar.col(m + 2).data() : nullptr,
                         static_cast<Scalar>(m > 0 ? 1.0 : 0.5), static_cast<Scalar>(series_.sign),
                         bar.col(m).data(), g.data(), runs});
  }
  const Partition::Range own = pattern_->own();
  return Eigen::Map<const Block>(bar.col(0).data() + own.first * runs, own.count, runs);
}

template <class Scalar>
typename SparseFlow<Scalar>::Terms SparseFlow<Scalar>::at_samples(const Terms& terms,
                                                                  const Terms& coefficients) const {
  const Partition::Range own = pattern_->own();
  const Index runs = terms.rows() / pattern_->pattern().n;
  Terms samples(own.count * runs, coefficients.cols());
  multiply(threads_, own, runs, terms, own.first * runs, coefficients, samples, 0);
  return samples;
}

template <class Scalar>
void SparseFlow<Scalar>::pull_samples(const Terms& residuals, const Terms& table,
                                      Terms& bar) const {
  const Partition::Range own = pattern_->own();
  const Index runs = residuals.rows() / own.count;
  bar.resize(pattern_->pattern().n * runs, table.rows());
  multiply(threads_, own, runs, residuals, 0, Terms(table.transpose()), bar, own.first * runs);
}

template <class Scalar>
void SparseFlow<Scalar>::at_end(const Terms& terms, const Superstep& step, Block& x) const {
  const Terms& table = tables_[step.table];
  const Terms last = table.col(table.cols() - 1);
  const Terms end = at_samples(terms, last);
  x = Eigen::Map<const Block>(end.data(), x.rows(), x.cols());
}

template <class Scalar>
const typename SparseFlow<Scalar>::Terms& SparseFlow<Scalar>::terms_of(const Course& course,
                                                                       std::size_t step,
                                                                       Terms& memory) const {
  if (step < course.terms.size()) return course.terms[step];
  fill_terms(course.begin[step], memory);
  return memory;
}

template <class Scalar>
void SparseFlow<Scalar>::states(const Block& x0, const Visit& visit) const {
  Block x = x0;
  visit(0, x);
  x = x0;
  Terms terms;
  for (const Superstep& step : steps_) {
    fill_terms(x, terms);
    Terms samples = at_samples(terms, tables_[step.table]);
    x = Eigen::Map<const Block>(samples.col(samples.cols() - 1).data(), x.rows(), x.cols());
    for (Index j = 0; j < step.count; ++j)
      visit(step.first + j, Eigen::Map<Block>(samples.col(j).data(), x.rows(), x.cols()));
  }
}

template <class Scalar>
typename SparseFlow<Scalar>::Course SparseFlow<Scalar>::course(const Block& x0,
                                                               double kept_bytes) const {
  Course course;
  Block x = x0;
  const double bytes =
      static_cast<double>(sizeof(Scalar)) * static_cast<double>(x0.size() * (series_.degree + 1));
  Terms terms;
  for (const Superstep& step : steps_) {
    course.begin.push_back(x);
    const bool keep = bytes * static_cast<double>(course.begin.size()) <= kept_bytes;
    if (!keep && &step == &steps_.back()) break;
    fill_terms(x, terms);
    at_end(terms, step, x);
    if (keep) course.terms.push_back(terms);
  }
  if (steps_.empty()) course.begin.push_back(x);
  return course;
}

template <class Scalar>
typename SparseFlow<Scalar>::Gradient SparseFlow<Scalar>::gradient(const Course& course,
                                                                   const Visit& pull) const {
  const Index n = course.begin[0].rows(), runs = course.begin[0].cols();
  std::vector<Scalar> g(at(pattern_->pattern().entries()), 0);
  Block adjoint = Block::Zero(n, runs);
  Terms memory, bar;
  for (std::size_t s = steps_.size(); s-- > 0;) {
    const Superstep& step = steps_[s];
    const Terms& table = tables_[step.table];
    const Terms& terms = terms_of(course, s, memory);
    Terms residuals = at_samples(terms, table);
    for (Index j = step.count - 1; j >= 0; --j)
      pull(step.first + j, Eigen::Map<Block>(residuals.col(j).data(), n, runs));
    if (step.count == 0) residuals.setZero();
    Eigen::Map<Block>(residuals.col(residuals.cols() - 1).data(), n, runs) += adjoint;
    pull_samples(residuals, table, bar);
    adjoint = pull_terms(bar, terms, g);
  }
  Block first = course.begin[0];
  pull(0, first);
  adjoint += first;
  Vector values(static_cast<Index>(g.size()));
  for (Index e = 0; e < values.size(); ++e) values[e] = series_.factor() * g[at(e)];
  return {pattern_->from_ordered(values), std::move(adjoint)};
}

template <class Scalar>
typename SparseFlow<Scalar>::Gradient SparseFlow<Scalar>::curvature(const Course& course,
                                                                    const Vector& values_change,
                                                                    const Block& x0_change,
                                                                    const Visit& weigh) const {
  const Index n = x0_change.rows(), runs = x0_change.cols();
  const std::vector<Scalar> change =
      converted<Scalar>(series_.factor() * pattern_->to_ordered(values_change));
  std::vector<Terms> weighed(steps_.size());
  Block moved = x0_change;
  Terms memory, tangent, bar;
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const Superstep& step = steps_[s];
    fill_tangent(moved, change, terms_of(course, s, memory), tangent);
    Terms& samples = weighed[s];
    samples = at_samples(tangent, tables_[step.table]);
    moved = Eigen::Map<const Block>(samples.col(samples.cols() - 1).data(), n, runs);
    for (Index j = 0; j < step.count; ++j)
      weigh(step.first + j, Eigen::Map<Block>(samples.col(j).data(), n, runs));
    if (step.count == 0) samples.setZero();
  }
  std::vector<Scalar> g(at(pattern_->pattern().entries()), 0);
  Block adjoint = Block::Zero(n, runs);
  for (std::size_t s = steps_.size(); s-- > 0;) {
    Terms& residuals = weighed[s];
    Eigen::Map<Block>(residuals.col(residuals.cols() - 1).data(), n, runs) += adjoint;
    pull_samples(residuals, tables_[steps_[s].table], bar);
    residuals.resize(0, 0);
    adjoint = pull_terms(bar, terms_of(course, s, memory), g);
  }
  Block first = x0_change;
  weigh(0, first);
  adjoint += first;
  Vector values(static_cast<Index>(g.size()));
  for (Index e = 0; e < values.size(); ++e) values[e] = series_.factor() * g[at(e)];
  return {pattern_->from_ordered(values), std::move(adjoint)};
}

template class SparseFlow<double>;
template class SparseFlow<float>;

}  // namespace lgn
