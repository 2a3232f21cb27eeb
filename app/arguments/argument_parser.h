// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

// CLI11 is header-only, and every file that includes it compiles all of it anew (10 s). Commands and
// their options see these handles instead; one source knows the library behind them.
namespace flopsmith::app {

/// What a value must be.
struct ValueCheck
{
    /// What is wrong with the text of a value; empty: nothing.
    std::function<std::string(const std::string& text)> problem;
    std::string description{}; ///< for the help, behind the type's name
};

/// An option, a flag or a positional argument. A handle: its functions change the option and give
/// the handle back, to be chained.
class Option
{
public:
    explicit Option(CLI::Option& option)
        : m_option(&option)
    {}

    /// What the help calls a value ("SECONDS").
    Option typeName(const std::string& name) const;
    Option description(const std::string& help) const;
    Option required(bool isRequired = true) const;

    Option check(const ValueCheck& check) const;
    Option oneOf(const std::vector<std::string>& values) const;

    /// Not together with the other, which must be of the same command and already there.
    Option excludes(Option other) const;
    Option excludes(const std::string& other) const;

    /// Only together with the other.
    Option needs(Option other) const;

    /// The help shows the value that the variable has now.
    Option showDefault() const;

    /// The separator of several values in one argument.
    Option delimiter(char separator) const;

    /// Of a list: each use takes one argument, not all that follow.
    Option oneValuePerUse() const;

private:
    CLI::Option* m_option;
};

/// What the arguments of the program, or of one of its commands, mean. A handle too.
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

    /// One that was added before.
    Option option(const std::string& name) const;

    /// Called after parsing if the command line names this command.
    void callback(const std::function<void()>& chosen) const;

    /// Text below the options in the help.
    void footer(const std::string& text) const;

    /// The command line may name one command below this one, or none.
    void allowOneCommand() const;

    /// Whether it does; for callbacks.
    bool isCommandBelowChosen() const;

private:
    CLI::App* m_command;
};

} // namespace flopsmith::app
