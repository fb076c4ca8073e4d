#include "petsc/distributed_start.h"

#include <algorithm>
#include <map>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/dynamics/network_pattern.h"
#include "lgn/identify/regression/weak_form.h"

namespace lgn::petsc {
namespace {

constexpr Index none = -1;

Index balance(const NetworkNode& node) {
  return node.velocity == NetworkNode::none ? node.state : node.velocity;
}

/// Lists of numbers that are read in the order in which they were written.
class Reader {
 public:
  explicit Reader(std::vector<double> numbers) : numbers_(std::move(numbers)) {}
  double number() { return numbers_[next_++]; }
  Index index() { return static_cast<Index>(number()); }

 private:
  std::vector<double> numbers_;
  std::size_t next_ = 0;
};

void put(std::vector<double>& list, std::initializer_list<Index> numbers) {
  for (const Index number : numbers) list.push_back(static_cast<double>(number));
}

}  // namespace

DistributedStart::DistributedStart(const Ranks& ranks, WholeNetwork whole, AskedToStop asked)
    : ranks_(ranks), whole_(std::move(whole)) {
  std::vector<std::vector<Index>> lists(lgn::at(ranks_.is_root() ? ranks_.size() : 0));
  RowBlocks blocks;
  ranks_.on_root([&] {
    const auto places = entries_of_topology(whole_.nodes, whole_.options.rules.pattern);
    const Index n =
        std::ssize(whole_.nodes) * (whole_.nodes.front().velocity == NetworkNode::none ? 1 : 2);
    blocks = RowBlocks::even(n, ranks_.size());
    pattern_ = SparsePattern::around(n, places);
    order_ = pattern_.near_order();
    columns_.resize(lgn::at(n));
    for (const auto& [row, col] : places) columns_[lgn::at(row)].push_back(col);
    for (auto& columns : columns_) {
      std::sort(columns.begin(), columns.end());
      columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    }
    // Of each own row its state, and its columns as pairs of state and row.
    const std::vector<Index> row_of = rows_of_states();
    for (int r = 0; r < ranks_.size(); ++r)
      for (Index k = blocks.start[lgn::at(r)]; k < blocks.start[lgn::at(r) + 1]; ++k) {
        const Index state = order_[lgn::at(k)];
        auto& list = lists[lgn::at(r)];
        list.insert(list.end(), {state, std::ssize(columns_[lgn::at(state)])});
        for (const Index column : columns_[lgn::at(state)])
          list.insert(list.end(), {column, row_of[lgn::at(column)]});
      }
  });
  blocks.start = ranks_.share(std::move(blocks.start));
  const std::vector<Index> list = ranks_.scatter(lists);
  const Index first = blocks.start[lgn::at(ranks_.rank())],
              count = blocks.start[lgn::at(ranks_.rank()) + 1] - first;
  std::vector<Exchange::Wanted> wanted;
  std::map<Index, Index> known;  // places of rows of others
  std::vector<Index> states_of_others;
  for (std::size_t next = 0; next < list.size();) {
    own_states_.push_back(list[next]);
    std::vector<Index> columns;
    const std::size_t end = next + 2 + 2 * lgn::at(list[next + 1]);
    for (next += 2; next < end; next += 2) {
      const Index row = list[next + 1];
      if (row >= first && row < first + count) {
        columns.push_back(row - first);
        continue;
      }
      const auto [place, is_new] = known.emplace(row, count + std::ssize(known));
      if (is_new) wanted.push_back({blocks.owner(row), row, place->second});
      columns.push_back(place->second);
    }
    rows_.push_back(std::move(columns));
  }
  all_known_ = count + std::ssize(known);
  others_ =
      std::make_shared<Exchange>(ranks_, wanted, [&](std::int64_t row) { return row - first; });
  sums_ = std::make_shared<RowPartition>(ranks_, std::move(blocks), std::move(asked));
}

std::vector<Index> DistributedStart::rows_of_states() const {
  std::vector<Index> row_of(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k)
    row_of[lgn::at(order_[k])] = static_cast<Index>(k);
  return row_of;
}

SparseStart DistributedStart::at(const Dataset& own, double width) const {
  constexpr int order = 7;
  const Index count = own.dimension();
  std::vector<double> found;
  {
    const Regression regression = weak_form(own, width, order, 1, *sums_);
    const Index windows = regression.states.cols();
    if (windows < 2)
      throw NotIdentified(
          "no stretch of samples is dense enough for the integrals of the weak form",
          "give longer runs, or smaller gaps");
    // A state's windows side by side: columns here are rows of the exchange.
    Matrix x(windows, all_known_);
    x.leftCols(count) = regression.states.transpose();
    others_->run(x.data(), windows, x.data());
    const Matrix y = regression.derivatives.transpose();
    // Ranks have as many parts as each other, so that all look whether to end.
    constexpr Index parts = 16;
    for (Index part = 0; part < parts; ++part) {
      sums_->stop_point();
      for (Index i = count * part / parts; i < count * (part + 1) / parts; ++i) {
        const Vector row = regress_row(x, rows_[lgn::at(i)], y.col(i));
        found.insert(found.end(), row.data(), row.data() + row.size());
      }
    }
  }
  found = ranks_.gather(found);
  SparseStart whole;
  ranks_.on_root([&] {
    Vector values = Vector::Zero(pattern_.entries());
    auto next = found.begin();
    for (const Index state : order_)
      for (const Index column : columns_[lgn::at(state)])
        values[pattern_.find(state, column)] = *next++;
    whole = start_from_entries(pattern_, values, whole_.nodes, whole_.options);
  });
  return divided(whole);
}

SparseStart DistributedStart::divided(const SparseStart& whole) const {
  const RowBlocks& blocks = sums_->blocks();
  // For each rank: whether storages are free; nodes with their place in the whole, their rows and their parameter; elements.
  std::vector<std::vector<double>> lists(lgn::at(ranks_.is_root() ? ranks_.size() : 0));
  if (ranks_.is_root()) {
    const NetworkStructure& network = *whole.structure;
    const std::vector<Index> row_of = rows_of_states();
    const Vector ones = Vector::Ones(std::ssize(network.nodes()));
    std::vector<std::vector<std::size_t>> elements(lists.size());
    std::vector<std::vector<Index>> nodes(lists.size());
    for (Index i = 0; i < std::ssize(network.nodes()); ++i) {
      const NetworkNode& node = network.nodes()[lgn::at(i)];
      const int one = blocks.owner(row_of[lgn::at(node.state)]),
                other = blocks.owner(row_of[lgn::at(balance(node))]);
      nodes[lgn::at(one)].push_back(i);
      if (other != one) nodes[lgn::at(other)].push_back(i);
    }
    for (std::size_t e = 0; e < network.elements().size(); ++e) {
      const NetworkElement& element = network.elements()[e];
      std::vector<int> touched;
      for (const auto& entry : network.element_entries(element, ones))
        for (const Index state : {entry.row, entry.col})
          touched.push_back(blocks.owner(row_of[lgn::at(state)]));
      std::sort(touched.begin(), touched.end());
      touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
      for (const int r : touched) {
        elements[lgn::at(r)].push_back(e);
        nodes[lgn::at(r)].push_back(element.from);
        if (element.to != NetworkElement::ground) nodes[lgn::at(r)].push_back(element.to);
      }
    }
    for (std::size_t r = 0; r < lists.size(); ++r) {
      std::vector<double>& list = lists[r];
      std::vector<Index>& mine = nodes[r];
      std::sort(mine.begin(), mine.end());
      mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
      put(list, {network.has_storages() ? 1 : 0, std::ssize(mine), std::ssize(elements[r])});
      for (const Index i : mine) {
        const NetworkNode& node = network.nodes()[lgn::at(i)];
        const Index parameter = network.parameter_of_storage(lgn::at(i));
        put(list, {node.state, row_of[lgn::at(node.state)], node.velocity,
                   node.velocity == NetworkNode::none ? none : row_of[lgn::at(node.velocity)],
                   parameter});
        list.push_back(parameter == NetworkStructure::fixed ? 0.0 : whole.theta[parameter]);
      }
      const auto place = [&](Index node) {
        return std::lower_bound(mine.begin(), mine.end(), node) - mine.begin();
      };
      for (const std::size_t e : elements[r]) {
        const NetworkElement& element = network.elements()[e];
        const Index parameter = network.parameter_of_element(e);
        put(list, {static_cast<Index>(element.type), place(element.from),
                   element.to == NetworkElement::ground ? none : place(element.to), parameter});
        list.push_back(element.sign);
        list.push_back(parameter == NetworkStructure::fixed ? 0.0 : whole.theta[parameter]);
      }
    }
  }
  Reader in(ranks_.scatter(lists));
  const bool storages = in.index() == 1;
  const Index node_count = in.index(), element_count = in.index();
  std::vector<NetworkNode> nodes;
  std::vector<char> one;
  std::vector<Index> storage_places;
  std::vector<double> storage_values;
  PartOfNetwork part;
  std::map<Index, Index> row_of_state;
  for (Index i = 0; i < node_count; ++i) {
    const Index state = in.index(), row = in.index(), velocity = in.index(), other = in.index(),
                parameter = in.index();
    nodes.push_back({state, velocity});
    row_of_state[state] = row;
    if (velocity != none) row_of_state[velocity] = other;
    one.push_back(parameter == NetworkStructure::fixed ? 1 : 0);
    storage_places.push_back(parameter);
    storage_values.push_back(in.number());
  }
  for (const auto& [state, row] : row_of_state) {
    part.states.push_back(state);
    part.rows.push_back(row);
  }
  const auto state_here = [&](Index state) {
    return state == none ? none
                         : std::lower_bound(part.states.begin(), part.states.end(), state) -
                               part.states.begin();
  };
  const auto owner = [&](const NetworkNode& node) {
    return blocks.owner(part.rows[lgn::at(balance(node))]);
  };
  for (NetworkNode& node : nodes) node = {state_here(node.state), state_here(node.velocity)};
  std::vector<NetworkElement> elements;
  std::vector<double> theta;
  for (Index e = 0; e < element_count; ++e) {
    const auto type = static_cast<ElementType>(in.index());
    const Index from = in.index(), to = in.index(), parameter = in.index();
    const double sign = in.number(), value = in.number();
    elements.push_back({type, from, to, sign});
    if (parameter == NetworkStructure::fixed) continue;
    part.parameters.push_back(parameter);
    part.owners.push_back(owner(nodes[lgn::at(from)]));
    theta.push_back(value);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (storage_places[i] != NetworkStructure::fixed) {
      part.parameters.push_back(storage_places[i]);
      part.owners.push_back(owner(nodes[i]));
      theta.push_back(storage_values[i]);
    }
  part.own_states = own_states_;
  auto structure = std::make_shared<NetworkStructure>(
      NetworkStructure::part(std::move(nodes), std::move(elements), storages, one));
  const NetworkPattern pattern(*structure);
  auto partition =
      std::make_shared<RowPartition>(*sums_, std::move(part), pattern.pattern(), whole.structure);
  return {std::move(structure), Eigen::Map<const Vector>(theta.data(), std::ssize(theta)),
          std::move(partition)};
}

}  // namespace lgn::petsc
