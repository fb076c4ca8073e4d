#include "experiments/identification/plan.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/modal.h"
#include "lgn/identify.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/model/plan_words.h"
#include "lgn/physics/assignment.h"

namespace lgn::studies {
namespace {

struct Case {
  std::string name;
  PlanOptions options;
  bool offset = false;
  bool driven = false;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, std::vector<std::string> modes,
                       const std::string& duration, const std::string& rate,
                       const std::string& noise) -> Case& {
    all.push_back({name, {}, false, false});
    PlanOptions& options = all.back().options;
    options.modes = std::move(modes);
    options.duration = duration;
    options.rate = rate;
    options.noise = noise;
    return all.back();
  };
  add("one mode", {"3.2Hz,0.01"}, "10s", "30Hz", "2%");
  add("one mode, ten cycles, much noise", {"5Hz,0.02"}, "2s", "100Hz", "20%");
  add("one mode, 2.4 samples in a cycle", {"5Hz,0.01"}, "10s", "12Hz", "2%");
  add("two modes", {"3.2Hz,0.01", "7Hz,0.02"}, "10s", "40Hz", "2%");
  add("two close modes", {"3.2Hz,0.01", "3.5Hz,0.01"}, "15s", "20Hz", "2%");
  add("two modes, three runs", {"3.2Hz,0.02", "7Hz,0.02"}, "4s", "40Hz", "5%").options.runs = "3";
  add("two modes, two sensors", {"12Hz,0.01,1,0.3", "31Hz,0.01,0.2,1"}, "2s", "150Hz", "2%");
  add("three modes, three sensors",
      {"2Hz,0.02,1,0.8,0.4", "5Hz,0.02,1,-0.5,0.3", "9Hz,0.03,1,0.2,-1"}, "6s", "40Hz", "3%");
  add("a mode and a time constant, an offset", {"2Hz,0.05", "1.5s"}, "8s", "30Hz", "2%").offset =
      true;
  add("two modes under a multisine, an offset", {"1Hz,0.03", "2.5Hz,0.02"}, "30s", "20Hz", "5%")
      .driven = true;
  return all;
}

/// One sensor on a structure with a force.
PlannedSystem with_force(PlannedSystem system) {
  system.drive.b = Matrix::Zero(system.a.rows(), 1);
  for (Index i = 1; i < system.a.rows(); i += 2) system.drive.b(i, 0) = 1;
  system.offset = true;
  return system;
}

/// The exact signals of every run of the plan.
Dataset signals_of(const MeasurementPlan& plan) {
  const Dataset once = planned_signals(plan.system, plan.record);
  std::vector<Trajectory> runs;
  for (Index r = 0; r < plan.record.runs; ++r) {
    const Trajectory& run = once.runs()[static_cast<std::size_t>(r) % once.runs().size()];
    runs.emplace_back(std::to_string(r + 1), run.times(), run.states(), run.inputs());
  }
  return Dataset(once.channels(), std::move(runs), once.inputs());
}

MeasurementPlan plan_of(const Case& chosen) {
  MeasurementPlan plan = plan_for_modes(chosen.options);
  if (!chosen.offset && !chosen.driven) return plan;
  plan.system.offset = true;
  if (chosen.driven) {
    plan.system = with_force(plan.system);
    plan.record.input = "multisine";
    const Vector rms = planned_rms(plan.system, plan.record);
    plan.record.noise = 0.05 * rms;
  }
  plan.expected = expect_errors(plan.system, plan.record);
  return plan;
}

/// The modes that a fit finds in data of the plan.
class Finder {
 public:
  Finder(const PlannedSystem& system, const Vector& noise, bool quick)
      : quick_(quick), states_(system.a.rows()) {
    const Eigensystem eigen = eigensystem(system.a);
    truth_ = modal_system(eigen.values, system.c.cast<Complex>() * eigen.right, noise);
    options_.offset = system.offset ? Offset::estimate : Offset::none;
    options_.driven = system.drive.active();
    options_.record = options_.driven ? Record::driven : Record::free;
    options_.hold = InputHold::zoh;
    options_.feedthrough = Feedthrough::no;
    options_.noise_model = NoiseModel::output;
    options_.states = States::given;
    options_.state_count = states_;
    options_.errors = Errors::never;
  }

  std::vector<Mode> operator()(const Dataset& data) const {
    if (!quick_) return identify(data, options_).modes;
    return find_modes(
        maximum_likelihood(data, truth_.structure, {.theta = {truth_.theta}}, options_)
            .generator());
  }

 private:
  bool quick_;
  Index states_;
  ModalSystem truth_;
  FitOptions options_;
};

PlanCheck checked(const Case& chosen, int repeats, bool quick, Random& random) {
  const MeasurementPlan plan = plan_of(chosen);
  const std::vector<Mode> modes = listed_modes(plan.expected, plan.system);
  const Dataset exact = signals_of(plan);
  const Finder find(plan.system, plan.record.noise, quick);
  PlanCheck result{chosen.name};
  double of_frequency = 0, of_damping = 0, frequencies = 0, dampings = 0;
  for (int k = 0; k < repeats; ++k) {
    std::vector<Trajectory> runs;
    for (const auto& run : exact.runs())
      runs.emplace_back(run.label(), run.times(),
                        run.states() + plan.record.noise.asDiagonal() *
                                           random.normals(run.states().rows(), run.samples()),
                        run.inputs());
    const Dataset noisy(exact.channels(), std::move(runs), exact.inputs());
    const std::vector<Mode> found = find(noisy);
    ComplexVector poles(std::ssize(found)), true_poles(std::ssize(modes));
    for (std::size_t i = 0; i < found.size(); ++i) poles[static_cast<Index>(i)] = found[i].pole;
    for (std::size_t i = 0; i < modes.size(); ++i)
      true_poles[static_cast<Index>(i)] = modes[i].pole;
    const EigenvalueMatch match = match_eigenvalues(true_poles, poles);
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const Mode &mode = modes[i], &there = found[static_cast<std::size_t>(match.partner[i])];
      const auto squared = [](double error, double expected) {
        return error * error / (expected * expected);
      };
      of_frequency += squared(there.frequency_hz - mode.frequency_hz, mode.se->frequency_hz);
      frequencies += 1;
      if (!mode.oscillates()) continue;
      of_damping += squared(there.damping_ratio - mode.damping_ratio, mode.se->damping_ratio);
      dampings += 1;
    }
    ++result.fits;
  }
  const RelativeErrors worst = worst_errors(plan.expected, plan.system);
  result.frequency = worst.frequency;
  result.damping = worst.damping_ratio;
  result.frequency_ratio = std::sqrt(of_frequency / frequencies);
  result.damping_ratio = std::sqrt(of_damping / dampings);
  result.ratio = std::sqrt((of_frequency + of_damping) / (frequencies + dampings));
  return result;
}

}  // namespace

std::vector<PlanCheck> study_plan(int repeats, bool quick) {
  std::vector<PlanCheck> result;
  Random random(20);
  for (const Case& chosen : cases()) result.push_back(checked(chosen, repeats, quick, random));
  return result;
}

}  // namespace lgn::studies
