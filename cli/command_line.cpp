#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <set>

#include "cli/interrupt.h"
#include "lgn/core/error.h"

namespace lgn::cli {
namespace {

CLI::App& app_of(void* app) { return *static_cast<CLI::App*>(app); }

/// Long names of all options of a command, with their dashes.
std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string bash_completion(const CLI::App& app) {
  std::string commands, cases;
  for (const auto* command : app.get_subcommands({})) {
    commands += (commands.empty() ? "" : " ") + command->get_name();
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(),
                         fmt::join(flags_of(*command), " "));
  }
  return fmt::format(
      "_lgn() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}} words=\n  if [ \"$COMP_CWORD\" -eq 1 ]; "
      "then\n"
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n    return\n  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n  case $word in\n    -*) COMPREPLY=($(compgen -W "
      "\"$words\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}}\ncomplete -o filenames -F _lgn "
      "lgn\n",
      commands, cases);
}

std::string zsh_completion(const CLI::App& app) {
  return "#compdef lgn\nautoload -U +X bashcompinit && bashcompinit\n" + bash_completion(app);
}

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return out + "'";
}

std::string fish_completion(const CLI::App& app) {
  std::string text;
  for (const auto* command : app.get_subcommands({})) {
    text += fmt::format("complete -c lgn -n __fish_use_subcommand -a {} -d {}\n",
                        command->get_name(), fish_quoted(command->get_description()));
    for (const auto* option : command->get_options())
      for (const auto& name : option->get_lnames())
        text += fmt::format("complete -c lgn -n '__fish_seen_subcommand_from {}' -l {}\n",
                            command->get_name(), name);
  }
  return text;
}

}  // namespace

Command& Command::argument(const std::string& name, std::string& value, const std::string& help) {
  app_of(app_).add_option(name, value, help)->required()->type_name("");
  return *this;
}

Command& Command::arguments(const std::string& name, std::vector<std::string>& values,
                            const std::string& help) {
  app_of(app_).add_option(name, values, help)->required()->type_name("");
  return *this;
}

Command& Command::optional_arguments(const std::string& name, std::vector<std::string>& values,
                                     const std::string& help) {
  app_of(app_).add_option(name, values, help)->type_name("");
  return *this;
}

template <class T>
Command& Command::option(const std::string& names, T& value, const std::string& shown,
                         const std::string& help) {
  auto* option = app_of(app_).add_option(names, value, help)->type_name(shown)->group(heading_);
  if constexpr (std::is_same_v<T, std::vector<std::string>> ||
                std::is_same_v<T, std::vector<double>>)
    option->delimiter(',')->take_all()->allow_extra_args(false);
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::vector<double>>)
    option->check([](const std::string& text) {
      return std::isfinite(std::strtod(text.c_str(), nullptr)) ? std::string()
                                                               : text + " is not a finite number";
    });
  if constexpr (std::is_unsigned_v<T>)
    option->check([](const std::string& text) {
      T parsed{};
      const char* end = text.data() + text.size();
      const auto [stopped, error] = std::from_chars(text.data(), end, parsed);
      return error == std::errc() && stopped == end
                 ? std::string()
                 : fmt::format("{} is not a whole number from 0 to {}", text,
                               std::numeric_limits<T>::max());
    });
  return *this;
}
template Command& Command::option(const std::string&, std::string&, const std::string&,
                                  const std::string&);
template Command& Command::option(const std::string&, double&, const std::string&,
                                  const std::string&);
template Command& Command::option(const std::string&, int&, const std::string&, const std::string&);
template Command& Command::option(const std::string&, unsigned long&, const std::string&,
                                  const std::string&);
template Command& Command::option(const std::string&, std::vector<std::string>&, const std::string&,
                                  const std::string&);
template Command& Command::option(const std::string&, std::vector<double>&, const std::string&,
                                  const std::string&);

Command& Command::repeated(const std::string& names, std::vector<std::string>& values,
                           const std::string& shown, const std::string& help) {
  app_of(app_)
      .add_option(names, values, help)
      ->type_name(shown)
      ->group(heading_)
      ->take_all()
      ->allow_extra_args(false);
  return *this;
}

Command& Command::flag(const std::string& names, bool& value, const std::string& help) {
  app_of(app_).add_flag(names, value, help)->group(heading_);
  return *this;
}

Command& Command::group(const std::string& heading) {
  heading_ = heading;
  return *this;
}

Command& Command::footer(const std::string& text) {
  app_of(app_).footer(text);
  return *this;
}

Command& Command::run(std::function<void()> action) {
  app_of(app_).callback(std::move(action));
  return *this;
}

namespace {

/// A word as a shell takes it for itself.
std::string quoted(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80 || std::strchr("-_./,:=+%@", c) != nullptr;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

struct CommandLine::Parser {
  CLI::App app;
  std::string shell;
  double max_seconds = 0;
};

CommandLine::CommandLine(const std::string& description, const std::string& version)
    : parser_(std::make_unique<Parser>()) {
  auto& app = parser_->app;
  app.name("lgn");
  app.description(description);
  app.set_version_flag("--version", "lgn " + version, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add(const std::string& name, const std::string& help) {
  auto* app = parser_->app.add_subcommand(name, help);
  app->set_help_flag("-h,--help", "Print this help and exit");
  app->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  Command command(app);
  command.option("--max-seconds", parser_->max_seconds, "S",
                 "End after S seconds, as Ctrl-C does: with the best so\n"
                 "far where there is an answer, else with status 1");
  app->parse_complete_callback([this] {
    if (!(parser_->max_seconds >= 0)) throw Error("--max-seconds must not be negative");
    end_after(parser_->max_seconds);
  });
  return command;
}

double CommandLine::max_seconds() const { return parser_->max_seconds; }

void CommandLine::list(const std::string& name, const std::string& help,
                       const std::vector<std::string>& options) {
  auto* app = parser_->app.add_subcommand(name, help);
  app->set_help_flag("-h,--help", "Print this help and exit");
  for (const auto& option : options) app->add_flag("--" + option);
}

void CommandLine::add_completion() {
  Command command = add("completion", "print a completion script for bash, zsh or fish");
  command.argument("shell", parser_->shell, "bash, zsh or fish").run([this] {
    const auto& app = parser_->app;
    if (parser_->shell == "bash") {
      std::cout << bash_completion(app);
    } else if (parser_->shell == "zsh") {
      std::cout << zsh_completion(app);
    } else if (parser_->shell == "fish") {
      std::cout << fish_completion(app);
    } else {
      throw Error(fmt::format("no completion for \"{}\"", parser_->shell),
                  "there are bash, zsh and fish");
    }
  });
}

std::string CommandLine::typed(const std::vector<std::string>& without,
                               const std::vector<std::string>& arguments) const {
  const std::set<std::string> left_out(arguments.begin(), arguments.end());
  const auto* command = parser_->app.get_subcommands().front();
  std::string text = "lgn";
  for (std::size_t k = 0; k < words_.size(); ++k) {
    const std::string& word = words_[k];
    if (word == "--") {  // options end here
      for (; k < words_.size(); ++k)
        if (!left_out.contains(words_[k])) text += ' ' + quoted(words_[k]);
      break;
    }
    const bool option = word.size() > 1 && word[0] == '-';
    const std::string name = !option                  ? std::string()
                             : word.starts_with("--") ? word.substr(0, word.find('='))
                                                      : word.substr(0, 2);
    if (name.empty() || std::find(without.begin(), without.end(), name) == without.end()) {
      if (option || !left_out.contains(word)) text += ' ' + quoted(word);
      continue;
    }
    const bool takes_value = command->get_option(name)->get_items_expected_max() > 0;
    if (takes_value && name == word) ++k;  // its value stands in the next word
  }
  return text;
}

int CommandLine::run(int count, char** words) {
  auto& app = parser_->app;
  words_.assign(words + std::min(count, 1), words + count);
  try {
    app.parse(count, words);
    return 0;
  } catch (const CLI::Success& wish) {
    return app.exit(wish);
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string name = chosen.empty() ? "lgn" : "lgn " + chosen.front()->get_name();
    std::string problem = error.what();
    if (chosen.empty() && count > 1)
      problem =
          fmt::format("there is no {} \"{}\"", words[1][0] == '-' ? "option" : "command", words[1]);
    std::replace(problem.begin(), problem.end(), '\n', ' ');
    std::cerr << "lgn: " << problem << "; see " << name << " --help\n";
    return 2;
  }
}

}  // namespace lgn::cli
