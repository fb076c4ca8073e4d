#include <algorithm>

#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/varying_law.h"
#include "lgn/model/variation_json_internal.h"

namespace lgn {
namespace {

/// No table that a file asks for has more numbers than this.
constexpr Index most_numbers = 20'000'000;

bool too_large(Index rows, Index columns) { return columns > 0 && rows > most_numbers / columns; }

double finite(const JsonReader& in, const char* name) {
  const double value = in.real(name);
  if (!std::isfinite(value)) in.fail(name, "is not a number");
  return value;
}

Index count_of(const JsonReader& in, Index least) {
  constexpr Index most = 10'000;
  const Index count = in.whole("count");
  if (count < least || count > most)
    in.fail("count", fmt::format("is not between {} and {}", least, most));
  return count;
}

std::shared_ptr<const TimeBasis> read_basis(const JsonReader& in) {
  const std::string name = in.text("name");
  if (name == "harmonics")
    return std::make_shared<Harmonics>(count_of(in, 0), finite(in, "origin"));
  if (name == "fourier")
    return std::make_shared<FourierFeatures>(in.finite_numbers("frequencies", -1),
                                             finite(in, "origin"));
  if (name != "spline")
    in.fail("name", fmt::format("is \"{}\"; bases are harmonics, spline, fourier", name));
  const double begin = finite(in, "begin"), end = finite(in, "end");
  if (!(end > begin)) in.fail("end", "is not after its begin");
  return std::make_shared<SplineBasis>(count_of(in, 4), begin, end);
}

/// The functions of each entry: of the constant and of each group all or none.
std::vector<std::vector<Index>> read_active(const JsonReader& in, const TimeBasis& basis,
                                            Index entries) {
  const Json& lists = in.raw("active");
  if (!lists.is_array() || static_cast<Index>(lists.size()) != entries)
    in.fail("active", fmt::format("is not a list of the functions of {} entries", entries));
  std::vector<std::vector<Index>> active;
  for (const Json& list : lists) {
    active.emplace_back();
    std::vector<bool> has(static_cast<std::size_t>(basis.size()));
    if (!list.is_array() || list.empty()) in.fail("active", "has an entry that is no list");
    for (const Json& function : list) {
      // As an unsigned number, a negative one is too large.
      if (!function.is_number_integer() ||
          function.get<std::uint64_t>() >= static_cast<std::uint64_t>(basis.size()))
        in.fail("active",
                fmt::format("has a function that is not among the {} of the basis", basis.size()));
      const Index f = function.get<Index>();
      if (!active.back().empty() && f <= active.back().back())
        in.fail("active", "has functions that do not ascend");
      active.back().push_back(f);
      has[static_cast<std::size_t>(f)] = true;
    }
    const auto in_use = [&](Index f) { return has[static_cast<std::size_t>(f)]; };
    for (const auto& group : basis.groups())
      if (std::any_of(group.begin(), group.end(), in_use) !=
          std::all_of(group.begin(), group.end(), in_use))
        in.fail("active", "has a part of functions that belong together");
    if (!basis.partitions_unity() && !has[0]) in.fail("active", "has an entry without its mean");
  }
  return active;
}

std::shared_ptr<const Structure> read_modulated(const JsonReader& in, Index n) {
  std::shared_ptr<const ConstantStructure> base;
  try {
    base = find_structure(in.text("base"), n);
  } catch (const Error& error) {
    in.fail("base", "cannot be used: " + error.problem());
  }
  const auto basis = read_basis(in.object("basis"));
  if (too_large(basis->size(), base->parameters())) in.fail("basis", "is too large");
  const std::string link = in.text("link");
  if (link != "clip" && link != "softplus") in.fail("link", "is neither clip nor softplus");
  using Link = ModulatedStructure::Link;
  return std::make_shared<ModulatedStructure>(base, basis,
                                              read_active(in, *basis, base->parameters()),
                                              link == "clip" ? Link::clip : Link::softplus);
}

std::shared_ptr<const Structure> read_varying_law(const JsonReader& in, Index n) {
  std::optional<VaryingLaw> law;
  try {
    law = find_varying_law(in.text("law"), n);
  } catch (const Error& error) {
    in.fail("law", "cannot be used: " + error.problem());
  }
  if (!law)
    in.fail("law", fmt::format("is \"{}\", which is no law of the program", in.text("law")));
  return std::make_shared<VaryingParametric>(std::move(*law));
}

MagnusOptions read_magnus(const JsonReader& in) {
  MagnusOptions magnus;
  const std::string method = in.text("method");
  try {
    magnus.method = find_magnus_scheme(method).name;
  } catch (const Error& error) {
    in.fail("method", "cannot be used: " + error.problem());
  }
  magnus.tolerance = in.real("tolerance");
  if (!(magnus.tolerance > 0)) in.fail("tolerance", "is not positive");
  constexpr Index most = 4096;
  magnus.most_substeps = in.whole("most_substeps");
  if (magnus.most_substeps < 1 || magnus.most_substeps > most)
    in.fail("most_substeps", fmt::format("is not between 1 and {}", most));
  return magnus;
}

/// Standard errors, none of them negative, from a list of rows; NaN where one is not known.
Matrix read_errors(const JsonReader& in, const char* name, const Json& lists, Index rows,
                   Index columns) {
  Matrix errors = Matrix::Constant(rows, columns, std::nan(""));
  const auto wrong = [&] {
    in.fail(name, fmt::format("is not {} lists of {} standard errors", rows, columns));
  };
  if (lists.is_null()) return errors;
  if (!lists.is_array() || static_cast<Index>(lists.size()) != rows) wrong();
  for (Index i = 0; i < rows; ++i) {
    const Json& list = lists[static_cast<std::size_t>(i)];
    if (!list.is_array() || static_cast<Index>(list.size()) != columns) wrong();
    for (Index j = 0; j < columns; ++j) {
      const Json& error = list[static_cast<std::size_t>(j)];
      if (error.is_null()) continue;
      if (!error.is_number() || error.get<double>() < 0) wrong();
      errors(i, j) = error.get<double>();
    }
  }
  return errors;
}

/// The same of matrices side by side, from a list of them.
Matrix read_matrix_errors(const JsonReader& in, const char* name, Index n, Index points) {
  Matrix errors = Matrix::Constant(n, n * points, std::nan(""));
  const Json& list = in.raw(name);
  if (list.is_null()) return errors;
  if (!list.is_array() || static_cast<Index>(list.size()) != points)
    in.fail(name, fmt::format("is not a list of {} matrices", points));
  for (Index k = 0; k < points; ++k)
    errors.middleCols(k * n, n) = read_errors(in, name, list[static_cast<std::size_t>(k)], n, n);
  return errors;
}

Vector read_errors(const JsonReader& in, const char* name, Index size) {
  if (in.raw(name).is_null()) return Vector::Constant(size, std::nan(""));
  const Vector errors = in.numbers(name, size);
  if ((errors.array() < 0).any()) in.fail(name, "has a negative standard error");
  return errors;
}

double read_error(const JsonReader& in, const char* name) {
  const double error = in.real(name);
  if (error < 0) in.fail(name, "is a negative standard error");
  return error;
}

/// The even times of the course; their first and last, and how many there are.
Vector read_times(const JsonReader& in, const ModelVariation& variation) {
  const Vector times = in.finite_numbers("t", -1);
  const Index n = variation.structure->dimension(), points = times.size();
  if (points < 2 || !(times[points - 1] > times[0])) in.fail("t", "does not ascend");
  Index widest = std::max(n * n, variation.theta.size());
  if (const ModulatedStructure* modulated = variation.structure->modulated())
    widest = std::max(widest, modulated->basis().size());
  if (too_large(points, widest)) in.fail("t", "has too many times");
  const Vector even = Vector::LinSpaced(points, times[0], times[points - 1]);
  constexpr double rounding = 1e-9;
  if ((times - even).cwiseAbs().maxCoeff() > rounding * (times[points - 1] - times[0]))
    in.fail("t", "is not evenly spaced");
  return times;
}

void read_entry_errors(const JsonReader& in, const JsonReader& course, EntryCourse& entry) {
  if (in.text("name") != entry.name)
    in.fail("name", fmt::format("is \"{}\", not \"{}\"", in.text("name"), entry.name));
  entry.mean_error = read_error(in, "mean_se");
  const auto harmonics = in.objects("harmonics");
  if (harmonics.size() != entry.harmonics.size())
    in.fail("harmonics",
            fmt::format("of \"{}\" does not have {} parts", entry.name, entry.harmonics.size()));
  for (std::size_t k = 0; k < harmonics.size(); ++k) {
    entry.harmonics[k].amplitude_error = read_error(harmonics[k], "amplitude_se");
    entry.harmonics[k].phase_error = read_error(harmonics[k], "phase_se");
  }
  entry.errors = read_errors(course.object(entry.name.c_str()), "se", entry.values.size());
}

/// What follows from θ; where nothing does, θ is at fault.
template <class F>
auto computed(const JsonReader& in, F find) {
  try {
    return find();
  } catch (const Error& error) {
    in.fail("theta", "cannot be used: " + error.problem());
  }
}

VariationCourse read_course(const JsonReader& in, const ModelVariation& variation) {
  const JsonReader fields = in.object("course");
  const Vector times = read_times(fields, variation);
  const Index n = variation.structure->dimension(), points = times.size();
  VariationCourse course = computed(in, [&] {
    return find_course(*variation.structure, variation.theta, times[0], times[points - 1], {},
                       points);
  });
  course.errors = read_matrix_errors(fields, "A_se", n, points);
  course.re_errors = read_errors(fields, "poles_re_se", fields.raw("poles_re_se"), n, points);
  course.im_errors = read_errors(fields, "poles_im_se", fields.raw("poles_im_se"), n, points);
  const auto entries = in.objects("entries");
  if (entries.size() != course.entries.size())
    in.fail("entries", fmt::format("does not have {} entries", course.entries.size()));
  for (std::size_t e = 0; e < entries.size(); ++e)
    read_entry_errors(entries[e], fields.object("entries"), course.entries[e]);
  return course;
}

void read_parameters(const JsonReader& in, ModelVariation& variation) {
  const Index parameters = variation.structure->parameters();
  variation.theta = in.finite_numbers("theta", parameters);
  const ModulatedStructure* modulated = variation.structure->modulated();
  if (modulated != nullptr && (modulated->omega(variation.theta).array() <= 0).any())
    in.fail("theta", "has a frequency that is not positive");
  if (!in.raw("se").is_null()) variation.errors = read_errors(in, "se", parameters);
  const Vector interval = in.finite_numbers("interval", 2);
  variation.begin = interval[0];
  variation.end = interval[1];
  if (!(variation.end > variation.begin)) in.fail("interval", "does not end after it begins");
  if (!in.optional("start_times").is_null())
    variation.start_times = in.finite_numbers("start_times", -1);
}

}  // namespace

ModelVariation variation_from_json(const JsonReader& in, Index n) {
  ModelVariation variation;
  const std::string kind = in.text("kind");
  if (kind != "modulated" && kind != "law")
    in.fail("kind", fmt::format("is \"{}\", which is neither modulated nor law", kind));
  variation.structure = kind == "law" ? read_varying_law(in, n) : read_modulated(in, n);
  read_parameters(in, variation);
  variation.magnus = read_magnus(in.object("magnus"));
  variation.course = read_course(in, variation);
  if (in.raw("floquet").is_null()) return variation;
  variation.floquet = computed(in, [&] {
    return find_floquet(*variation.structure, variation.theta, variation.begin, variation.magnus);
  });
  if (!variation.floquet) in.fail("floquet", "is there, but the generator does not repeat");
  return variation;
}

}  // namespace lgn
