#pragma once

#include <vector>

#include "lgn/dynamics/structure.h"

namespace lgn {

/// What a network is made of.
enum class ElementType {
  storage,   ///< m_i: capacitance, inductance, mass, compliance, heat capacity
  coupling,  ///< s_ij, of either sign, and s_ji = −s_ij: takes energy from one node to another
  exchange,  ///< g_ij ≥ 0: a conductance between two nodes
  loss,      ///< d_i ≥ 0: a resistance in series with a current, a conductance of a voltage
  spring,    ///< k_ij ≥ 0, or k_i to the ground
  damper,    ///< c_ij ≥ 0, or c_i to the ground
  stiffness  ///< k_ij, or k_i, of either sign, as beams have; K as a whole is kept ⪰ 0
};

/// An element and the nodes that it touches.
struct NetworkElement {
  static constexpr Index ground = -1;
  ElementType type;
  Index from, to = ground;
  /// ±1 for a coupling whose size is known, as incidence is by Kirchhoff's laws; 0: a parameter.
  double sign = 0;

  bool operator==(const NetworkElement&) const = default;
  /// Whether its value cannot be negative.
  bool bounded() const { return type != ElementType::coupling && type != ElementType::stiffness; }
  /// Whether it is part of K.
  bool stiff() const { return type == ElementType::spring || type == ElementType::stiffness; }
};

/// A node: a state; or a mass with its position and its velocity.
struct NetworkNode {
  static constexpr Index none = -1;
  Index state;
  Index velocity = none;
};

/// A generator on a sparsity pattern, made of elements that store, carry and lose energy.
///
/// Of states, called "network" (theory, Eq. 52):
///     m_i ẋ_i = Σ_j s_ij x_j − Σ_j g_ij (x_i − x_j) − d_i x_i,    A = M⁻¹(S − R),
/// S skew, R = Laplacian of g + diag(d) ⪰ 0, energy ½ xᵀMx. Of masses, called "mechanical"
/// (theory, Eq. 53):
///     q̇_i = v_i,  M v̇ = −K q − C v,
/// K and C Laplacians of k ≥ 0 and c ≥ 0 plus diagonals, energy ½ vᵀMv + ½ qᵀKq. With elements
/// `stiffness` K is any symmetric matrix on the pattern, plus as much of the identity as makes it
/// ⪰ 0; none where it is so already, and every mass then has a stiffness to the ground. Re λ ≤ 0 and the energy never grows, whatever θ.
///
/// θ holds the elements in their order, all but couplings of known size, then log m of the nodes.
/// Elements other than couplings and stiffnesses are max(θ, 0), with bound 0. Without storages m = 1. With them, one
/// m in each connected part shows only relative to the others, and is 1 for its first node, unless
/// the part has a coupling of known size. Everything is stored and differentiated on the pattern.
class NetworkStructure final : public ConstantStructure {
 public:
  /// Throws Error where nodes or elements are not of the states 0 … n − 1, an element is there
  /// twice, a state is in no node or in two, masses are mixed with single states, or types do not
  /// belong to the nodes.
  NetworkStructure(std::vector<NetworkNode> nodes, std::vector<NetworkElement> elements,
                   bool storages);
  /// Without the elements whose parameters `kept` marks by zeros; storages stay what they are.
  NetworkStructure without(const Vector& kept) const;
  /// A part of a larger network: the nodes whose storages are one are those of the whole.
  static NetworkStructure part(std::vector<NetworkNode> nodes, std::vector<NetworkElement> elements,
                               bool storages, const std::vector<char>& one);

  std::string name() const override { return mechanical() ? "mechanical" : "network"; }
  Index dimension() const override { return n_; }
  /// Conservative where nothing loses energy.
  Guarantee guarantee() const override;
  Index parameters() const override { return parameters_; }
  std::vector<std::string> parameter_names() const override;
  Matrix generator(const Vector& theta) const override;
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector& theta, const Vector& delta) const override;
  /// A itself for a member, otherwise a member near A, not always the nearest: first the storages,
  /// from ratios of opposite entries by least squares of logarithms (log_scale.h); then for those
  /// storages the nearest elements.
  Vector project(const Matrix& a) const override;
  Vector lower_bounds() const override;
  Vector random_start(Random& random) const override;
  /// S, d, exchange and storage; M, K and C of masses.
  std::vector<NamedValue> named_values(const Vector& theta) const override;
  std::optional<Matrix> energy(const Vector& theta) const override;
  bool common_unit() const override { return !storages_ && !mechanical(); }
  Vector typical_parameters(const Vector& channel_sizes) const override;
  bool scales_with_time() const override { return !mechanical(); }

  const NetworkStructure* network() const override { return this; }
  /// On the pattern alone, but for stiffnesses of either sign.
  std::unique_ptr<const Generator> at(const Vector& theta) const override;

  const std::vector<NetworkNode>& nodes() const { return nodes_; }
  const std::vector<NetworkElement>& elements() const { return elements_; }
  bool mechanical() const {
    return !nodes_.empty() && nodes_.front().velocity != NetworkNode::none;
  }
  bool has_storages() const { return storages_; }
  /// Whether storages, and with them elements other than couplings of known size, share a factor
  /// that A does not show in some part.
  bool relative() const { return relative_; }

  static constexpr Index fixed = -1;
  /// Where in θ an element, or the storage of a node, is; `fixed`: nowhere.
  Index parameter_of_element(std::size_t element) const { return element_parameter_[element]; }
  Index parameter_of_storage(std::size_t node) const { return storage_parameter_[node]; }
  double element_value(const Vector& theta, std::size_t element) const;
  /// m of every node.
  Vector storages(const Vector& theta) const;

  /// ∂A for a change of the element's value by one: what it adds to A.
  struct Entry {
    Index row, col;
    double value;
  };
  std::vector<Entry> element_entries(const NetworkElement& element, const Vector& storages) const;

 private:
  NetworkStructure(std::vector<NetworkNode> nodes, std::vector<NetworkElement> elements,
                   bool storages, const std::vector<char>* one);
  void check() const;
  /// `one`: the nodes whose storage is one; null: the first of each connected part where nothing fixes it.
  void place_parameters(const std::vector<char>* one);
  /// The entries of an element before rows are divided by their storage; the node of each row.
  std::vector<Entry> stencil(const NetworkElement& element) const;
  /// A without the rows q̇ = v, times M: row by row what the elements add up to.
  void add_elements(Matrix& a, const Vector& values) const;
  /// What makes K ⪰ 0: how much of the identity is added, and the mode of K that asks for it.
  struct Support {
    double amount = 0;
    Vector mode;  ///< empty where nothing is added
  };
  Support support(const Vector& values) const;
  /// B_e's part of K along a mode: (u_i − u_j)², or u_i².
  static double along(const NetworkElement& element, const Vector& mode);
  Vector element_values(const Vector& theta) const;
  /// S, or the Laplacian of exchanges, springs or dampers with what goes to the ground.
  Matrix node_matrix(ElementType type, const Vector& values) const;
  Vector project_storages(const Matrix& a) const;
  /// The nearest values of elements that share entries, at storages m, put into θ.
  void project_together(const Matrix& a, const Vector& m, const std::vector<std::size_t>& elements,
                        bool non_negative, Vector& theta) const;

  Index n_ = 0;
  std::vector<NetworkNode> nodes_;
  std::vector<NetworkElement> elements_;
  bool storages_, relative_ = false, has_stiffness_ = false;
  std::vector<Index> node_of_row_;  ///< whose balance a row is; −1 for the rows q̇ = v
  std::vector<Index> element_parameter_, storage_parameter_;
  Index parameters_ = 0;
};

/// Nodes 0 … n − 1, each a state.
std::vector<NetworkNode> single_states(Index n);

}  // namespace lgn
