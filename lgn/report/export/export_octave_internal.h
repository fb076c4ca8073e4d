#pragma once

// The text of exported MATLAB and Octave functions; not installed.

#include <string_view>

namespace lgn::export_internal {

inline constexpr std::string_view octave_head = R"m(function model = @name@()
%@title@
% dx/dt = @what@. It needs MATLAB (R2016b or later) or Octave alone.
%   model = @name@();
%   x = model.simulate(0:0.1:10);      % a row per time, from model.x0 at the first
%   x = model.simulate(times, x0);
model.A = [@A@];@mean@
model.channels = {@channels@};
model.starts = @starts@;  % x0 of every run, a column each
model.x0 = model.starts(:, 1:min(1, end));
model.poles = complex([@poles_re@], [@poles_im@]).';
model.time_unit = @unit@;
@varying@model.simulate = @(times, varargin) states_at(model, times, varargin{:});
end

function states = states_at(model, times, x0)
% x at increasing times, a row each, from x0 at the first.
if nargin < 3
  x0 = model.x0;
end
n = size(model.A, 1);
times = times(:);
if any(~isfinite(times)) || any(diff(times) <= 0)
  error('times must be finite and increase');
end
if numel(x0) ~= n
  error('x0 must be %d numbers', n);
end
states = zeros(numel(times), n);
if isempty(times)
  return
end
flows = flow_maps(model, times);
x = x0(:);
states(1, :) = x.';
for k = 1:numel(times) - 1
  x = flows{k} * x;
  states(k + 1, :) = x.';
end
end

function count = count_halvings(a, radius, degree)
% How often a is halved before its series: by the sizes of its powers, which may be far below that
% of a; and more where terms cancel, which would leave their rounding behind.
size1 = norm(a, 1);
b = a / size1;
b2 = b * b;
b3 = b2 * b;
d = size1 * [norm(b2, 1)^(1/2), norm(b3, 1)^(1/3), norm(b2 * b2, 1)^(1/4), norm(b2 * b3, 1)^(1/5)];
count = max(0, ceil(log2(min(max(d(1:3), d(2:4))) / radius)));
grown = ones(size(a, 1), 1);
power = (degree + 1) * (log2(size1) - count);  % log2 of the size of |a / 2^count|^(degree + 1)
for k = 1:degree + 1
  grown = abs(b).' * grown;
  largest = max(grown);
  if largest == 0
    return
  end
  power = power + log2(largest);
  grown = grown / largest;
end
excess = power - (log2(size1) - count) - degree * log2(6);
count = count + max(0, ceil(excess / degree));
end

function value = matrix_exponential(a)
% exp(a) by scaling and squaring with Taylor's polynomials that take few products: degree, the
% largest norm, factors of each product and the result, as sums of 1, a and earlier products.
persistent taylor
if isempty(taylor)
  taylor = {@taylor@};
end
size1 = norm(a, 1);
if ~isfinite(size1)
  error('the generator is not finite');
end
k = 1;
while k < numel(taylor) && size1 > taylor{k}.radius
  k = k + 1;
end
scheme = taylor{k};
squarings = 0;
if size1 > scheme.radius
  squarings = count_halvings(a, scheme.radius, scheme.degree);
end
one = eye(size(a));
powers = {a / 2^squarings};
for k = 1:numel(scheme.left)
  x = mixed(scheme.left{k}(2:end), powers) + scheme.left{k}(1) * one;
  y = mixed(scheme.right{k}(2:end), powers) + scheme.right{k}(1) * one;
  powers{end + 1} = x * y;
end
value = mixed(scheme.result(2:end), powers) + scheme.result(1) * one;
for k = 1:squarings
  value = value * value;
end
end

function total = mixed(weights, matrices)
total = zeros(size(matrices{1}));
for k = find(weights ~= 0)
  total = total + weights(k) * matrices{k};
end
end
)m";

inline constexpr std::string_view octave_constant = R"m(
function flows = flow_maps(model, times)
% exp(A (t_k+1 - t_k)) for each k; steps that differ by the rounding of times share one.
steps = diff(times);
[sorted, order] = sort(steps);
room = 16 * eps * max(abs(times));
flows = cell(1, numel(steps));
first = 1;
while first <= numel(order)
  last = first;
  while last < numel(order) && sorted(last + 1) - sorted(first) <= room
    last = last + 1;
  end
  step = sorted(first) + mean(sorted(first:last) - sorted(first));
  flow = matrix_exponential(step * model.A);
  for k = first:last
    flows{order(k)} = flow;
  end
  first = last + 1;
end
end
)m";

inline constexpr std::string_view octave_varying =
    R"m(model.generator = @(t) generator_at(t, course);
model.energy = @energy@;  % Q of x'Qx, which never grows; empty where that is not promised
model.tolerance = @tolerance@;
model.most_steps = @most@;
model.wanted = @method@;
model.free = @free@;
model.midpoint = @midpoint@;
)m";

inline constexpr std::string_view octave_waves = R"m(
function values = basis_at(t, course)
% What the entries of the generator are sums of: 1, then cosine and sine of each frequency.
turns = course.frequencies(:).' * (t - course.origin);
values = [1; reshape([cos(turns); sin(turns)], [], 1)];
end
)m";
inline constexpr std::string_view octave_splines = R"m(
function values = basis_at(t, course)
% What the entries of the generator are sums of: 1, then cubic B-splines on even knots, whose values
% at the ends are held (the recursion of Cox and de Boor).
spans = course.splines - 3;
u = spans * min(max((t - course.begin) / (course.end_ - course.begin), 0), 1);
first = min(floor(u), spans - 1);
found = 1;
for degree = 1:3
  raised = zeros(1, degree + 1);
  saved = 0;
  for j = 0:degree - 1
    right = min(max(first + j + 1, 0), spans);
    left = min(max(first + j + 1 - degree, 0), spans);
    share = found(j + 1) / (right - left);
    raised(j + 1) = saved + (right - u) * share;
    saved = (u - left) * share;
  end
  raised(degree + 1) = saved;
  found = raised;
end
values = zeros(1 + course.splines, 1);
values(1) = 1;
values(first + (2:5)) = found;
end
)m";

inline constexpr std::string_view octave_modulated = R"m(
function a = generator_at(t, course)
% A(t).
u = course.coefficients * basis_at(t, course);
u(course.softplus) = max(u(course.softplus), 0) + log1p(exp(-abs(u(course.softplus))));
n = course.n;
pairs = n * (n - 1) / 2;
s = zeros(n);
@body@end
)m";

/// A from u(t), for each structure; of S the first `pairs` entries are the upper triangle.
constexpr std::string_view octave_body(std::string_view structure) {
  if (structure == "full") return "a = reshape(u, n, n);\n";
  if (structure == "skew")
    return R"m(s(tril(true(n), -1)) = u;
a = s.' - s;
)m";
  if (structure == "sd")
    return R"m(s(tril(true(n), -1)) = u(1:pairs);
a = s.' - s - diag(max(u(pairs + 1:end), 0));
)m";
  if (structure == "scaled-sd")
    return R"m(s(tril(true(n), -1)) = u(1:pairs);
a = s.' - s - diag(max(u(pairs + (1:n)), 0));
scale = [1; exp(min(max(u(pairs + n + 1:end), -64), 64))];
a = diag(scale) * a / diag(scale);
)m";
  if (structure == "psd")
    return R"m(s(tril(true(n), -1)) = u(1:pairs);
lower = zeros(n);
lower(tril(true(n))) = u(pairs + 1:end);
a = s.' - s - lower * lower.';
)m";
  // metric
  return R"m(s(tril(true(n), -1)) = u(1:pairs);
half = n * (n + 1) / 2;
lower = zeros(n);
lower(tril(true(n))) = u(pairs + (1:half));
root = zeros(n);
root(tril(true(n))) = u(pairs + half + 1:end);
root(1:n + 1:end) = exp(min(max(diag(root), -64), 64));
a = (s.' - s - lower * lower.') * (root * root.');
)m";
}

constexpr std::string_view octave_law(std::string_view law) {
  if (law == "ltv-oscillator")
    return R"m(
function a = generator_at(t, course)
% A(t).
a = [0, 1; -course.omega2, -course.gamma0 * (1 + course.a * sin(course.omega_d * t))];
end
)m";
  // ltv-chain
  return R"m(
function a = generator_at(t, course)
% A(t): masses between two walls; the middle spring drifts.
masses = course.n / 2;
k = course.stiffness * ones(masses + 1, 1);
middle = floor((masses + 1) / 2) + 1;
k(middle) = course.stiffness * (1 + course.drift * tanh(t / course.tau));
inner = k(2:end - 1);
springs = diag(inner, 1) + diag(inner, -1) - diag(k(1:end - 1) + k(2:end));
a = [zeros(masses), eye(masses); springs, -course.damping * eye(masses)];
end
)m";
}

/// The steps that lgn takes, found in the same way.
inline constexpr std::string_view octave_magnus = R"m(
function [flow, total] = magnus_step(model, method, begin, h)
% The map of one Magnus step, and the size of its exponents.
n = size(model.A, 1);
r = cell(1, 0);
for c = method.nodes
  r{end + 1} = h * model.generator(begin + c * h);
end
for k = 1:numel(method.left)
  x = mixed(method.left{k}, r);
  y = mixed(method.right{k}, r);
  r{end + 1} = x * y - y * x;
end
flow = eye(n);
total = 0;
for k = 1:numel(method.exponents)
  omega = mixed(method.exponents{k}, r);
  flow = matrix_exponential(omega) * flow;
  total = total + norm(omega, 1);
end
end

function flow = equal_steps(model, begin, length, count)
% The map of equal steps.
flow = eye(size(model.A, 1));
for k = 0:count - 1
  flow = magnus_step(model, model.wanted, begin + length / count * k, length / count) * flow;
end
end

function d = difference_of(a, b)
if isequal(a, b)
  d = 0;
else
  d = norm(a - b, 'fro') / norm(b, 'fro');
end
end

function count = count_steps(model, begin, length)
% So many that more than twice as many change less than the tolerance.
count = 1;
missed = false;
coarse = equal_steps(model, begin, length, 1);
while count < model.most_steps
  fine = equal_steps(model, begin, length, 2 * count + 1);
  err = difference_of(coarse, fine);
  if missed && err <= model.tolerance
    err = difference_of(fine, equal_steps(model, begin, length, 4 * count + 3));
  end
  if err <= model.tolerance
    return
  end
  missed = true;
  factor = 2;
  if isfinite(err)
    factor = 1.1 * (err / model.tolerance)^(1 / model.wanted.order);
  end
  count = min(ceil(count * max(2, factor)), model.most_steps);
  coarse = equal_steps(model, begin, length, count);
end
end

function yes = energy_decays(model, flow, total)
% Whether the energy of no state grows by more than rounding.
n = size(model.A, 1);
root = chol(model.energy);
moved = root * flow / root;
yes = max(eig(moved.' * moved)) <= 1 + 8 * n * eps * max(1, total);
end

function [flow, spare] = decaying_step(model, begin, h, spare)
% The map of one step in which the energy does not grow: as wanted, else without commutators, else
% in halves while there are steps to spare, else by the midpoint rule; and what is spare.
[flow, total] = magnus_step(model, model.wanted, begin, h);
if isempty(model.energy) || energy_decays(model, flow, total)
  return
end
[other, total] = magnus_step(model, model.free, begin, h);
if energy_decays(model, other, total) && (difference_of(other, flow) <= model.tolerance || spare < 1)
  flow = other;
elseif spare < 1
  flow = magnus_step(model, model.midpoint, begin, h);
else
  [first, spare] = decaying_step(model, begin, h / 2, spare - 1);
  [second, spare] = decaying_step(model, begin + h / 2, h / 2, spare);
  flow = second * first;
end
end

function flows = flow_maps(model, times)
% The flow from each time to the next.
rate = 0;
for t = linspace(times(1), times(end), 64)
  rate = max(rate, norm(model.generator(t), 1));
end
flows = cell(1, numel(times) - 1);
for k = 1:numel(times) - 1
  length = times(k + 1) - times(k);
  pieces = max(1, min(ceil(length * rate / 32), 1e6));
  edges = [times(k) + length * (0:pieces - 1) / pieces, times(k + 1)];
  flow = eye(size(model.A, 1));
  for i = 1:pieces
    begin = edges(i);
    count = count_steps(model, begin, edges(i + 1) - begin);
    spare = model.most_steps - count;
    h = (edges(i + 1) - begin) / count;
    for j = 0:count - 1
      [one, spare] = decaying_step(model, begin + h * j, h, spare);
      flow = one * flow;
    end
  end
  flows{k} = flow;
end
end
)m";

}  // namespace lgn::export_internal
