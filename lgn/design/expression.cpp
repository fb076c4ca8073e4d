#include "lgn/design/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

#include "lgn/core/error.h"

namespace lgn {
namespace {

using Kind = Expression::Kind;
using Tree = std::shared_ptr<const Expression>;

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 128;
}

const std::map<std::string, Kind> mode_words{
    {"zeta", Kind::zeta}, {"f", Kind::frequency}, {"tau", Kind::tau},
    {"re", Kind::re},     {"im", Kind::im},
};
const std::map<std::string, Kind> pair_words{
    {"peak", Kind::peak},           {"gain", Kind::gain},         {"band", Kind::band},
    {"overshoot", Kind::overshoot}, {"settling", Kind::settling},
};
const std::map<std::string, Kind> list_words{
    {"sum", Kind::sum}, {"max", Kind::largest}, {"min", Kind::least}};

class Parser {
 public:
  Parser(const std::string& text, const NamedSystem& system) : text_(text), system_(system) {}

  Tree whole() {
    Tree result = sum();
    skip();
    if (at_ < text_.size()) fail("nothing more was expected here", "remove the rest");
    if (poles_) fail("poles are placed by a target", "as in poles=-0.1+0.6i");
    return result;
  }

  Target target() {
    Target result;
    result.text = text_;
    result.left = sum();
    skip();
    if (take(">=") || take("≥") || take(">"))
      result.relation = Target::Relation::at_least;
    else if (take("<=") || take("≤") || take("<"))
      result.relation = Target::Relation::at_most;
    else if (take("==") || take("="))
      result.relation = Target::Relation::equal;
    else
      fail("a target compares: >=, <= or = belongs here", "as in zeta>=0.2");
    const bool places = result.left->kind == Kind::poles;
    if (poles_ && !(places && result.relation == Target::Relation::equal))
      fail("poles stand alone, before =", "as in poles=-0.1+0.6i,-0.2+1.1i");
    do result.right.push_back(places ? complex_tree() : sum());
    while (take(","));
    skip();
    if (at_ < text_.size()) fail("nothing more was expected here", "give one target at a time");
    if (result.right.size() > 1 && result.relation != Target::Relation::equal)
      fail("only = takes several numbers", "give one target for each");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& help) const {
    complain_at(text_, at_, what, help);
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(const std::string& symbol) {
    skip();
    if (text_.compare(at_, symbol.size(), symbol) != 0) return false;
    at_ += symbol.size();
    return true;
  }
  void need(const std::string& symbol, const std::string& help) {
    if (!take(symbol)) fail("\"" + symbol + "\" is missing", help);
  }
  Tree make(Kind kind, std::vector<Tree> parts, std::size_t place) const {
    auto made = std::make_shared<Expression>();
    made->kind = kind;
    made->parts = std::move(parts);
    made->place = place;
    return made;
  }

  Tree sum() {
    // Expressions nest by parentheses and signs; a text of thousands of them is no formula.
    if (++depth_ > 200) fail("this is nested too deeply", "write it with fewer parentheses");
    Tree result = product();
    for (;;) {
      const std::size_t place = at_;
      if (take("+"))
        result = make(Kind::add, {result, product()}, place);
      else if (take("-"))
        result = make(Kind::subtract, {result, product()}, place);
      else
        break;
    }
    --depth_;
    return result;
  }

  Tree product() {
    Tree result = sign();
    for (;;) {
      const std::size_t place = at_;
      if (take("*"))
        result = make(Kind::multiply, {result, sign()}, place);
      else if (take("/"))
        result = make(Kind::divide, {result, sign()}, place);
      else
        return result;
    }
  }

  Tree sign() {
    const std::size_t place = at_;
    if (take("-")) {
      if (++depth_ > 200) fail("this is nested too deeply", "write it with fewer signs");
      Tree result = make(Kind::negate, {sign()}, place);
      --depth_;
      return result;
    }
    Tree base = atom();
    if (!take("^")) return base;
    return make(Kind::power, {base, number_tree()}, place);
  }

  double number() {
    skip();
    const std::size_t begin = at_;
    double sign = 1;
    if (at_ < text_.size() && text_[at_] == '-') {
      sign = -1;
      ++at_;
    }
    double value = 0;
    // "1..2" is a range: from_chars would read "1." of it.
    const std::size_t dots = std::min(text_.find("..", at_), text_.size());
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + dots, value);
    if (error != std::errc() || !std::isfinite(value)) {
      at_ = begin;
      fail("a number belongs here", "as in zeta>=0.2");
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    if (take("%")) value /= 100;
    return sign * value;
  }

  Tree number_tree() {
    auto made = std::make_shared<Expression>();
    skip();
    made->place = at_;
    made->number = number();
    return made;
  }

  /// -0.1+0.6i; its conjugate is meant too.
  Tree complex_tree() {
    auto made = std::make_shared<Expression>();
    const double first = number();
    if (take("i")) {
      made->imaginary = std::abs(first);
      return made;
    }
    made->number = first;
    skip();
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) {
      ++at_;
      made->imaginary = std::abs(number());
      need("i", "a pole is written -0.1+0.6i");
    }
    return made;
  }

  /// The longest name of a value that stands here, which may hold a dash; empty: none.
  std::string value_here() const {
    std::string longest;
    for (const auto& value : system_.values()) {
      const std::string& name = value.name;
      const std::size_t end = at_ + name.size();
      if (name.size() > longest.size() && text_.compare(at_, name.size(), name) == 0 &&
          (end >= text_.size() || !in_word(text_[end])))
        longest = name;
    }
    return longest;
  }

  std::string word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Tree atom() {
    skip();
    const std::size_t place = at_;
    if (at_ >= text_.size()) fail("the text ends where a value was expected", "as in zeta>=0.2");
    if (take("(")) {
      Tree inner = sum();
      need(")", "close the parenthesis");
      return inner;
    }
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number_tree();
    if (const std::string name = value_here(); !name.empty()) {
      at_ += name.size();
      return value(name, place);
    }
    const std::string name = word();
    if (const auto found = mode_words.find(name); found != mode_words.end())
      return of_modes(found->second, place);
    if (const auto found = pair_words.find(name); found != pair_words.end())
      return of_pair(found->second, name, place);
    if (const auto found = list_words.find(name); found != list_words.end())
      return of_list(found->second, place);
    if (name == "change") return make(Kind::change, {}, place);
    if (name == "lost") return of_energy(place);
    if (name == "poles") {
      poles_ = true;
      return make(Kind::poles, {}, place);
    }
    if (!name.empty() && system_.find(name) >= 0) return value(name, place);
    at_ = place;
    fail(name.empty() ? "a value or a property belongs here" : "\"" + name + "\" is not known",
         fmt::format("values of this model are {}; properties are zeta, f, tau, re, im, poles, "
                     "change, sum(…), max(…), min(…), peak(y/u), gain(y/u, f), band(y/u), "
                     "overshoot(y/u), settling(y/u), lost(t)",
                     value_names(system_)));
  }

  Tree value(const std::string& name, std::size_t place) const {
    auto made = std::make_shared<Expression>();
    made->kind = Kind::value;
    made->place = place;
    made->values = {system_.find(name)};
    return made;
  }

  void range(Expression& made) {
    made.low = number();
    need("..", "a band of frequencies is written 0.1..0.5");
    made.high = number();
    if (!(made.low >= 0 && made.low < made.high))
      fail("a band of frequencies goes up from zero or more", "as in 0.1..0.5");
  }

  Tree of_modes(Kind kind, std::size_t place) {
    auto made = std::make_shared<Expression>();
    made->kind = kind;
    made->place = place;
    if (!take("[")) return made;
    if (take("slowest"))
      made->slowest = true;
    else
      range(*made);
    need("]", "modes are chosen as in zeta[0.1..0.5] or tau[slowest]");
    return made;
  }

  Tree of_pair(Kind kind, const std::string& name, std::size_t place) {
    const std::string how = "as in " + name + "(q1/f1" + (kind == Kind::gain ? ", 0.2)" : ")");
    auto made = std::make_shared<Expression>();
    made->kind = kind;
    made->place = place;
    need("(", how);
    skip();
    const std::size_t begin = at_;
    // Names of channels may hold anything but what ends them here.
    const std::size_t slash = text_.find('/', at_);
    if (slash == std::string::npos) fail("an output, \"/\" and an input belong here", how);
    made->output = trimmed(begin, slash);
    at_ = slash + 1;
    skip();
    const std::size_t from = at_;
    int open = 0;
    while (at_ < text_.size() && text_[at_] != ',' && (text_[at_] != ')' || open > 0))
      open += text_[at_] == '(' ? 1 : text_[at_] == ')' ? -1 : 0, ++at_;
    made->input = trimmed(from, at_);
    if (at_ == text_.size()) need(")", how);
    try {
      system_.output(made->output);
    } catch (const Error& error) {
      complain_at(text_, begin, error.problem(), error.help());
    }
    try {
      system_.source(made->input, system_.start());
    } catch (const Error& error) {
      complain_at(text_, from, error.problem(), error.help());
    }
    if (kind == Kind::gain) {
      need(",", how);
      made->low = made->high = number();
      if (made->low < 0) fail("a frequency is not negative", how);
    } else if (kind == Kind::peak && take(",")) {
      range(*made);
    } else if (kind == Kind::settling) {
      made->number = 0.02;
      if (take(",")) made->number = number();
      if (!(made->number > 0 && made->number < 1))
        fail("a response settles to a part of its final value", "as in settling(q1/f1, 2%)");
    }
    need(")", how);
    return made;
  }

  /// lost(10), of the model's own initial states; lost(10, v1), where v1 alone is not zero.
  Tree of_energy(std::size_t place) {
    const std::string how = "as in lost(10) or lost(10, v1)";
    auto made = std::make_shared<Expression>();
    made->kind = Kind::lost;
    made->place = place;
    need("(", how);
    made->number = number();
    if (!(made->number > 0)) fail("energy is lost in a time above zero", how);
    if (take(",")) {
      skip();
      const std::size_t begin = at_;
      at_ = std::min(text_.find(')', at_), text_.size());
      made->input = trimmed(begin, at_);
      const std::vector<std::string> states = system_.original().states();
      if (std::find(states.begin(), states.end(), made->input) == states.end())
        complain_at(text_, begin, "the model has no state \"" + made->input + "\"",
                    fmt::format("its states are {}", fmt::join(states, ", ")));
    }
    need(")", how);
    system_.check_energy(made->input);
    return made;
  }

  std::string trimmed(std::size_t begin, std::size_t end) const {
    while (end > begin && std::isspace(static_cast<unsigned char>(text_[end - 1])) != 0) --end;
    return text_.substr(begin, end - begin);
  }

  /// sum(R*), max(R1, L?), or of one expression: max(zeta).
  Tree of_list(Kind kind, std::size_t place) {
    need("(", "as in sum(R*)");
    skip();
    const std::size_t begin = at_, end = text_.find(')', at_);
    const std::string inside = text_.substr(begin, std::min(end, text_.size()) - begin);
    const bool patterns = end != std::string::npos &&
                          inside.find_first_of("(+/[") == std::string::npos &&
                          (inside.find_first_of("*?,") != std::string::npos ||
                           system_.find(trimmed(begin, end)) >= 0);
    auto made = std::make_shared<Expression>();
    made->kind = kind;
    made->place = place;
    if (!patterns) {
      made->parts = {sum()};
      need(")", "close the parenthesis");
      return made;
    }
    while (at_ < end) {
      const std::size_t comma = std::min(text_.find(',', at_), end);
      skip();
      for (const Index k : matching_values(trimmed(at_, comma), system_, text_, at_))
        if (std::find(made->values.begin(), made->values.end(), k) == made->values.end())
          made->values.push_back(k);
      at_ = std::min(comma + 1, end);
    }
    at_ = end + 1;
    return made;
  }

  const std::string& text_;
  const NamedSystem& system_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool poles_ = false;
};

}  // namespace

std::shared_ptr<const Expression> parse_expression(const std::string& text,
                                                   const NamedSystem& system) {
  return Parser(text, system).whole();
}

Target parse_target(const std::string& text, const NamedSystem& system) {
  return Parser(text, system).target();
}

}  // namespace lgn
