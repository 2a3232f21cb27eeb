// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

// CLI11 is header-only and takes 10 s per including source. Commands and options use these handles
// instead; only one source includes the library.
namespace flopsmith::app {

/// A check of a value.
struct ValueCheck
{
    /// Returns what is wrong with the text of a value, or an empty text. It may also rewrite the
    /// value: "4k" as "4000".
    std::function<std::string(std::string& text)> problem;
    std::string description{}; ///< for the help, after the type's name
};

/// A handle of an option, a flag or a positional argument. Its functions change the option and
/// return the handle, to be chained.
class Option
{
public:
    explicit Option(CLI::Option& option)
        : m_option(&option)
    {}

    /// The value's name in the help ("SECONDS").
    Option typeName(const std::string& name) const;
    Option description(const std::string& help) const;
    Option required(bool isRequired = true) const;

    Option check(const ValueCheck& check) const;
    Option oneOf(const std::vector<std::string>& values) const;

    /// Excludes the other option, which must have been added to the same command before.
    Option excludes(Option other) const;
    Option excludes(const std::string& other) const;

    /// Requires the other option.
    Option needs(Option other) const;

    /// Shows the variable's current value as the default in the help.
    Option showDefault() const;

    /// The separator of several values in one argument.
    Option delimiter(char separator) const;

    /// The value may be left out, and then is this one.
    Option valueIfAlone(const std::string& value) const;

    /// Of a list: each use takes one argument, not all that follow.
    Option oneValuePerUse() const;

private:
    CLI::Option* m_option;
};

/// A handle of the parser of the program or of one of its commands.
class ArgumentParser
{
public:
    explicit ArgumentParser(CLI::App& command)
        : m_command(&command)
    {}

    ArgumentParser addCommand(const std::string& name, const std::string& help) const;

    /// A positional argument has a name without dashes. Value is std::string, int or double,
    /// std::optional of a number, or std::vector<std::string>; it must outlive the parsing.
    template <class Value>
    Option addOption(const std::string& name, Value& value, const std::string& help) const;
    Option addOption(const std::string& name,
                     const std::function<void(const std::string&)>& assign,
                     const std::string& help) const;

    Option addFlag(const std::string& name, bool& value, const std::string& help) const;
    Option addFlag(const std::string& name,
                   const std::function<void()>& raise,
                   const std::string& help) const;

    /// An option that was added before.
    Option option(const std::string& name) const;

    /// Called after parsing if the command line names this command.
    void callback(const std::function<void()>& chosen) const;

    /// Text below the options in the help.
    void footer(const std::string& text) const;

    /// Allows at most one subcommand.
    void allowOneCommand() const;

    /// Whether a subcommand was given; for callbacks.
    bool isCommandBelowChosen() const;

private:
    CLI::App* m_command;
};

} // namespace flopsmith::app
