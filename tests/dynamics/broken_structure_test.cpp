#include "lgn/dynamics/structures.h"
#include "tests/dynamics/structure_laws.h"

namespace lgn::testing {
namespace {

enum class Fault {
  none,
  pullback_sign,
  pushforward_scale,
  antidamped,
  says_conservative,
  negative_energy,
  projection_drifts,
  projection_too_far,
  duplicate_name,
  missing_name,
};

/// S − diag(d) with one thing wrong.
class BrokenStructure final : public ConstantStructure {
 public:
  explicit BrokenStructure(Fault fault) : fault_(fault) {}
  std::string name() const override { return "broken"; }
  Index dimension() const override { return 3; }
  Guarantee guarantee() const override { return {true, true, fault_ == Fault::says_conservative}; }
  Index parameters() const override { return sd_.parameters(); }
  std::vector<std::string> parameter_names() const override {
    auto names = sd_.parameter_names();
    if (fault_ == Fault::duplicate_name) names.back() = names.front();
    if (fault_ == Fault::missing_name) names.pop_back();
    return names;
  }
  Matrix generator(const Vector& theta) const override {
    Matrix a = sd_.generator(theta);
    if (fault_ == Fault::antidamped) a.diagonal() *= -1e-9;
    return a;
  }
  Vector pullback(const Vector& theta, const Matrix& g) const override {
    return (fault_ == Fault::pullback_sign ? -1 : 1) * sd_.pullback(theta, g);
  }
  Matrix pushforward(const Vector& theta, const Vector& delta) const override {
    return (fault_ == Fault::pushforward_scale ? 1 + 1e-8 : 1) * sd_.pushforward(theta, delta);
  }
  Vector project(const Matrix& a) const override {
    Vector theta = sd_.project(a);
    if (fault_ == Fault::projection_drifts) theta *= 1 + 1e-12;
    if (fault_ == Fault::projection_too_far) theta *= 0.999;
    return theta;
  }
  std::optional<Matrix> energy(const Vector&) const override {
    Matrix q = Matrix::Identity(3, 3);
    if (fault_ == Fault::negative_energy) q(0, 1) = q(1, 0) = 1 + 1e-9;
    return q;
  }
  Vector lower_bounds() const override { return sd_.lower_bounds(); }
  Vector random_start(Random& random) const override { return sd_.random_start(random); }
  std::vector<NamedValue> named_values(const Vector& theta) const override {
    return sd_.named_values(theta);
  }

 private:
  Fault fault_;
  SdStructure sd_{3};
};

/// Which of the laws find fault with it.
std::set<std::string> complaints(Fault fault) {
  const BrokenStructure s(fault);
  Random random(9);
  const Vector theta = interior(s, random);
  const Matrix a = random.normals(3, 3);
  std::set<std::string> failed;
  const auto note = [&](const char* law, const ::testing::AssertionResult& result) {
    if (!result) failed.insert(law);
  };
  note("adjoint", pullback_is_adjoint(s, theta, random));
  note("derivative", pushforward_is_derivative(s, theta, random));
  note("guarantee", guarantee_holds(s, theta));
  note("flow", flow_keeps_guarantee(s, theta, random));
  note("repeats", projection_repeats(s, a));
  note("member", projection_keeps_member(s, theta));
  note("nearest", projection_is_nearest(s, a, random));
  note("description", descriptions_fit(s, theta));
  return failed;
}

TEST(StructureLawsCatch, NothingWrongWithASoundStructure) {
  EXPECT_TRUE(complaints(Fault::none).empty());
}

TEST(StructureLawsCatch, AWrongPullback) {
  EXPECT_TRUE(complaints(Fault::pullback_sign).contains("adjoint"));
}

TEST(StructureLawsCatch, AWrongPushforward) {
  const auto found = complaints(Fault::pushforward_scale);
  EXPECT_TRUE(found.contains("adjoint") && found.contains("derivative"));
}

TEST(StructureLawsCatch, ABrokenGuarantee) {
  const auto found = complaints(Fault::antidamped);
  EXPECT_TRUE(found.contains("guarantee") && found.contains("flow"));
  const auto energy = complaints(Fault::says_conservative);
  EXPECT_TRUE(energy.contains("guarantee") && energy.contains("flow"));
  EXPECT_TRUE(complaints(Fault::negative_energy).contains("guarantee"));
}

TEST(StructureLawsCatch, AWrongProjection) {
  const auto drift = complaints(Fault::projection_drifts);
  EXPECT_TRUE(drift.contains("repeats") && drift.contains("member"));
  EXPECT_TRUE(complaints(Fault::projection_too_far).contains("nearest"));
}

TEST(StructureLawsCatch, WrongNames) {
  EXPECT_TRUE(complaints(Fault::duplicate_name).contains("description"));
  EXPECT_TRUE(complaints(Fault::missing_name).contains("description"));
}

}  // namespace
}  // namespace lgn::testing
