#pragma once

namespace lgn::modal_blocks {

/// A block's state, or a slope of it.
struct BlockState {
  double first = 0, second = 0;
};

template <class State>
BlockState block_state(const State& x) {
  return {x[0], x.size() > 1 ? x[1] : 0.0};
}

/// exp of a block over a time, and its derivatives by w and d: each [[a, b], [−b, c]].
struct Response {
  double a, b, c;

  /// What becomes of a state.
  BlockState moved(BlockState x) const {
    return {a * x.first + b * x.second, c * x.second - b * x.first};
  }
};
struct ResponseWithSlopes {
  Response value, by_w, by_d;
};
/// Over no time.
inline constexpr ResponseWithSlopes at_once{{1, 0, 1}, {0, 0, 0}, {0, 0, 0}};

/// Of one time after another: both are functions of the same block, which commute.
ResponseWithSlopes product(const ResponseWithSlopes& x, const ResponseWithSlopes& y);

/// Of [[0, w], [−w, −d]].
ResponseWithSlopes pair_response(double w, double d, double t);

/// Of [−s]: its state stands in the place of the first of a pair.
ResponseWithSlopes single_response(double s, double t);

}  // namespace lgn::modal_blocks
