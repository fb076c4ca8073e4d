#include "lgn/flow/magnus_forced.h"

#include <algorithm>

#include "lgn/core/error.h"

namespace lgn {
namespace {

/// The generators of z at one θ: those of x in the top left of what does not depend on θ.
class ForcedCourse final : public GeneratorCourse {
 public:
  ForcedCourse(std::unique_ptr<const GeneratorCourse> base, const Matrix& frame, Index states,
               Index size)
      : base_(std::move(base)), states_(states), size_(size), generators_(frame) {
    put(base_->generators(), generators_);
  }

  const Matrix& generators() const override { return generators_; }
  Vector pullback(const Matrix& g) const override { return base_->pullback(corners(g)); }
  Matrix pullback_at(Index k, const Matrix& g) const override {
    return base_->pullback_at(k, corners(g));
  }
  Matrix pushforward(const Vector& delta) const override {
    Matrix result = Matrix::Zero(generators_.rows(), generators_.cols());
    put(base_->pushforward(delta), result);
    return result;
  }

 private:
  void put(const Matrix& small, Matrix& large) const {
    for (Index k = 0; k < large.cols() / size_; ++k)
      large.block(0, k * size_, states_, states_) = small.middleCols(k * states_, states_);
  }
  Matrix corners(const Matrix& large) const {
    const Index count = large.cols() / size_;
    Matrix result(states_, count * states_);
    for (Index k = 0; k < count; ++k)
      result.middleCols(k * states_, states_) = large.block(0, k * size_, states_, states_);
    return result;
  }

  std::unique_ptr<const GeneratorCourse> base_;
  Index states_, size_;
  Matrix generators_;
};

class ForcedSample final : public SampledStructure {
 public:
  ForcedSample(std::unique_ptr<const SampledStructure> base, Matrix frame, Index states, Index size)
      : base_(std::move(base)), frame_(std::move(frame)), states_(states), size_(size) {}
  std::unique_ptr<const GeneratorCourse> course(const Vector& theta) const override {
    return std::make_unique<ForcedCourse>(base_->course(theta), frame_, states_, size_);
  }

 private:
  std::unique_ptr<const SampledStructure> base_;
  Matrix frame_;
  Index states_, size_;
};

double mean_length(const Vector& edges) {
  return (edges[edges.size() - 1] - edges[0]) / static_cast<double>(edges.size() - 1);
}

class MagnusForcedResponse final : public ForcedResponse {
 public:
  MagnusForcedResponse(const MagnusForcedPlan& plan,
                       std::shared_ptr<const MagnusForcedPlan::Steps> steps, const Vector& theta)
      : plan_(plan),
        steps_(std::move(steps)),
        theta_(theta),
        observation_(plan.structure().observation(theta)) {}

  Matrix output_maps(Index first, Index count) const override {
    const Index n = size(), m = plan_.course().inputs(), large = 3 * n;
    Matrix below(count * n, n * m);
    for (Index j = 0; j < m; ++j) {
      Matrix start = Matrix::Zero(large, n);
      start.middleRows(n, n).setIdentity();
      const Matrix states =
          MagnusFlow(*steps_->units[static_cast<std::size_t>(j)], theta_).states(start);
      for (Index k = 0; k < count; ++k)
        below.block(k * n, j * n, n, n) = states.middleRows(place(first + k) * large, n);
    }
    return observation_.observe(std::move(below));
  }

  Matrix states(const Matrix& b) const override {
    const Index n = size(), samples = plan_.course().samples();
    const ForcedStructure forced = plan_.under(b);
    const MagnusPlan steps(forced, steps_->grid);
    const Matrix all = MagnusFlow(steps, theta_).states(forced.at_rest());
    Matrix result(n, samples);
    for (Index k = 0; k < samples; ++k)
      result.col(k) = all.middleRows(place(k) * forced.dimension(), n);
    return result;
  }

  Vector outputs(const Matrix& b) const override {
    return observation_.observe(states(b).reshaped(size() * plan_.course().samples(), 1)).col(0);
  }

  Matrix output_jacobian(const Matrix& b, Index first, Index count) const override {
    const Index n = size(), times = steps_->grid.times.size();
    const ForcedStructure forced = plan_.under(b);
    const MagnusPlan steps(forced, steps_->grid);
    const Matrix all = MagnusFlow(steps, theta_).jacobian(forced.at_rest());
    Matrix result(theta_.size(), n * count);
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < count; ++k)
        result.col(i * count + k) = all.col(i * times + place(first + k));
    return observation_.observe_jacobian(std::move(result));
  }

 private:
  Index size() const { return plan_.structure().dimension(); }
  Index place(Index sample) const { return steps_->samples[static_cast<std::size_t>(sample)]; }

  const MagnusForcedPlan& plan_;
  std::shared_ptr<const MagnusForcedPlan::Steps> steps_;
  Vector theta_;
  Observation observation_;
};

}  // namespace

ForcedStructure::ForcedStructure(const Structure& base, Vector edges, const Matrix& begin,
                                 const Matrix& end)
    : base_(base),
      columns_(begin.cols() / (edges.size() - 1)),
      edges_(std::move(edges)),
      unit_(mean_length(edges_)) {
  constant_.resize(begin.rows(), begin.cols());
  linear_.resize(begin.rows(), begin.cols());
  for (Index k = 0; k + 1 < edges_.size(); ++k) {
    const auto piece = [&](auto& m) { return m.middleCols(k * columns_, columns_); };
    piece(linear_) = (unit_ / (edges_[k + 1] - edges_[k])) * (piece(end) - piece(begin));
    piece(constant_) = piece(begin) - ((edges_[k] - edges_[0]) / unit_) * piece(linear_);
  }
}

std::unique_ptr<const SampledStructure> ForcedStructure::sample(const Vector& times) const {
  const Index n = base_.dimension(), size = dimension(), pieces = edges_.size() - 1;
  Matrix frame = Matrix::Zero(size, size * times.size());
  for (Index k = 0; k < times.size(); ++k) {
    const auto after = std::upper_bound(edges_.begin(), edges_.end(), times[k]);
    const Index piece = std::clamp<Index>((after - edges_.begin()) - 1, 0, pieces - 1);
    auto here = frame.middleCols(k * size, size);
    here.block(0, n, n, columns_) = constant_.middleCols(piece * columns_, columns_);
    here.block(0, n + columns_, n, columns_) = linear_.middleCols(piece * columns_, columns_);
    here.block(n + columns_, n, columns_, columns_).diagonal().setConstant(1 / unit_);
  }
  return std::make_unique<ForcedSample>(base_.sample(times), std::move(frame), n, size);
}

Matrix ForcedStructure::at_rest() const {
  Matrix result = Matrix::Zero(dimension(), columns_);
  result.middleRows(base_.dimension(), columns_).setIdentity();
  return result;
}

MagnusForcedPlan::MagnusForcedPlan(const Structure& structure, InputCourse course,
                                   const MagnusOptions& magnus)
    : structure_(structure), course_(std::move(course)), magnus_(magnus) {
  const Index n = structure.dimension(), pieces = course_.begin.cols();
  for (Index j = 0; j < course_.inputs(); ++j) {
    Matrix begin = Matrix::Zero(n, n * pieces), end = begin;
    for (Index k = 0; k < pieces; ++k) {
      begin.middleCols(k * n, n).diagonal().setConstant(course_.begin(j, k));
      end.middleCols(k * n, n).diagonal().setConstant(course_.end(j, k));
    }
    forced_.push_back(
        std::make_unique<const ForcedStructure>(structure, course_.edges, begin, end));
  }
}

ForcedStructure MagnusForcedPlan::under(const Matrix& b) const {
  return ForcedStructure(structure_, course_.edges, b * course_.begin, b * course_.end);
}

void MagnusForcedPlan::choose(const Vector& theta, const MagnusOptions& magnus) const {
  const Index n = structure_.dimension(), pieces = course_.begin.cols();
  MagnusOptions inside = magnus;
  const MagnusScheme& wanted = find_magnus_scheme(magnus.method);
  if (wanted.nodes.front() == 0 || wanted.nodes.back() == 1) inside.method = "4";
  const RefinedTimes refined = refine_times(structure_, theta, course_.edges, magnus.longest);
  // Steps suit any input: judged by what forces that fall from one to zero in each piece do, in units of its length.
  Matrix begin = Matrix::Zero(n, n * pieces);
  for (Index k = 0; k < pieces; ++k)
    begin.middleCols(k * n, n).diagonal().setConstant(1 / mean_length(course_.edges));
  const ForcedStructure typical(structure_, course_.edges, begin,
                                Matrix::Zero(begin.rows(), begin.cols()));
  MagnusGrid grid = plan_grid(typical, theta, refined.times, inside);
  if (steps_ && grid == steps_->grid) return;
  auto steps = std::make_shared<Steps>(Steps{std::move(grid), {0}, {}});
  for (std::size_t k = 0; k < course_.pieces.size(); ++k)
    if (course_.pieces[k].to_sample) steps->samples.push_back(refined.kept[k + 1]);
  for (const auto& forced : forced_)
    steps->units.push_back(std::make_unique<const MagnusPlan>(*forced, steps->grid));
  steps_ = std::move(steps);
}

bool MagnusForcedPlan::plan(const Vector& theta, const MagnusOptions& magnus) {
  magnus_ = magnus;
  const auto before = steps_;
  choose(theta, magnus);
  return before != steps_;
}

std::unique_ptr<const ForcedResponse> MagnusForcedPlan::at(const Vector& theta) const {
  if (!steps_) choose(theta, magnus_);
  return std::make_unique<MagnusForcedResponse>(*this, steps_, theta);
}

}  // namespace lgn
