#pragma once

#include <string>
#include <vector>

namespace lgn {

/// What a channel measures. A network of storages is read in the words of its field: capacitances
/// and inductances for voltages and currents, masses and compliances for velocities and forces,
/// heat capacities for temperatures; positions and velocities of the same masses are mechanical.
enum class ChannelKind { plain, voltage, current, temperature, force, velocity, position };

/// "voltage", "current", …; "plain" where it is not known.
std::string name_of(ChannelKind kind);

/// Kinds from words such as "voltage", or letters: v, i, T, f, q or x. `v` is a velocity beside
/// positions or forces, else a voltage. `-` and "plain" are plain. Throws Error for another word or
/// a wrong number of words.
std::vector<ChannelKind> parse_kinds(const std::vector<std::string>& words, std::size_t channels);

/// Kinds from the names of channels, such as v1, i1 or v(n1), i(l1), q1, T_inside; all plain unless
/// every name says what it is.
std::vector<ChannelKind> guess_kinds(const std::vector<std::string>& channels);

}  // namespace lgn
