#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lgn/dynamics/law.h"
#include "lgn/model/model.h"

namespace lgn {

/// A model as its named values make it: A(p) and B(p), with exact derivatives.
///
/// Of a network p are its elements, A = M⁻¹(S − R), or M q̈ = −K q − C q̇ (network_elements.h); of a law they are its constants. What
/// acts on a network acts on the balance of a node, so that M B stays as it is when a storage changes; of other laws B stays.
/// Costs O(n + elements) beside the n² of A itself for a network.
class NamedSystem {
 public:
  /// Throws Error where the model has no named values, A varies in time, or A is not what its values say.
  explicit NamedSystem(const Model& model);

  struct Value {
    std::string name, quantity;
    double value;
    bool fixed = false;  ///< known by a law, as the incidence of Kirchhoff's laws is
  };
  const std::vector<Value>& values() const { return values_; }
  Vector start() const;

  /// One entry of ∂A/∂p_k.
  struct Entry {
    Index row, col;
    double value;
  };
  Matrix generator(const Vector& p) const;
  std::vector<Entry> slope(const Vector& p, Index k) const;
  /// d log(storage)/dp_k for every row of B; empty where B does not move with p_k.
  std::vector<Entry> storage_slope(const Vector& p, Index k) const;

  /// A column of B, known by name: an input of the model; a channel, for a unit source in its balance; or f5, for a force on
  /// mass 5. Throws Error for another name.
  Vector source(const std::string& name, const Vector& p) const;
  /// A row of C and the D beside it: a channel. Throws Error for another name.
  Index output(const std::string& name) const;
  Matrix observation() const;
  double feedthrough(Index output, const std::string& source) const;
  /// Of an input of the model; other sources act at once.
  double delay(const std::string& source) const;

  /// Q of the energy ½ xᵀQx, and the entries of ∂Q/∂p_k; nothing of a law that has none. Those of a law are central differences,
  /// exact for energies that are at most quadratic in a constant, as all of this library are.
  std::optional<Matrix> energy(const Vector& p) const;
  std::vector<Entry> energy_slope(const Vector& p, Index k) const;
  /// Where free motions start, one column each: the model's initial states; or a state that is 1, the others 0.
  Matrix initial_states(const std::string& state) const;
  /// Throws Error where no energy is known, or the initial states hold none.
  void check_energy(const std::string& state) const;

  /// The index of the value that a name means: its own, or k6 for the only spring that touches mass 6. −1: none.
  Index find(const std::string& name) const;

  /// The model with other values: generator, inputs, parameters, network, energy and modes follow; what data said of the old
  /// values (standard errors, covariances, candidates) is gone.
  Model model(const Vector& p) const;

  const Model& original() const { return model_; }
  const std::optional<Network>& network() const { return network_; }

 private:
  Vector storages(const Vector& p) const;
  Vector storage_of_rows(const Vector& p) const;
  double element(const Vector& p, std::size_t k) const;
  std::vector<Entry> stencil(const Network::Element& element) const;
  std::vector<NamedValue> parameters(const Vector& p) const;

  Model model_;
  std::optional<Network> network_;
  std::optional<Law> law_;
  std::vector<Value> values_;
  std::vector<bool> reciprocal_;
  std::vector<Index> storage_of_node_;  ///< the element that stores for a node; −1: none, m = 1
};

}  // namespace lgn
