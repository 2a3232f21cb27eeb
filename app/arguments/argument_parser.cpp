// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/arguments/argument_parser.h"

#include <CLI/CLI.hpp>

#include <optional>

namespace flopsmith::app {

Option Option::typeName(const std::string& name) const
{
    m_option->type_name(name);
    return *this;
}

Option Option::description(const std::string& help) const
{
    m_option->description(help);
    return *this;
}

Option Option::required(bool isRequired) const
{
    m_option->required(isRequired);
    return *this;
}

Option Option::check(const ValueCheck& check) const
{
    m_option->transform(CLI::Validator(check.problem, check.description));
    return *this;
}

Option Option::oneOf(const std::vector<std::string>& values) const
{
    m_option->check(CLI::IsMember(values));
    return *this;
}

Option Option::excludes(Option other) const
{
    m_option->excludes(other.m_option);
    return *this;
}

Option Option::excludes(const std::string& other) const
{
    m_option->excludes(other);
    return *this;
}

Option Option::needs(Option other) const
{
    m_option->needs(other.m_option);
    return *this;
}

Option Option::showDefault() const
{
    m_option->capture_default_str();
    return *this;
}

Option Option::delimiter(char separator) const
{
    m_option->delimiter(separator);
    return *this;
}

Option Option::valueIfAlone(const std::string& value) const
{
    m_option->expected(0, 1)->default_str(value);
    return *this;
}

Option Option::oneValuePerUse() const
{
    m_option->allow_extra_args(false);
    return *this;
}

ArgumentParser ArgumentParser::addCommand(const std::string& name, const std::string& help) const
{
    return ArgumentParser(*m_command->add_subcommand(name, help));
}

template <class Value>
Option ArgumentParser::addOption(const std::string& name,
                                 Value& value,
                                 const std::string& help) const
{
    return Option(*m_command->add_option(name, value, help));
}

template Option ArgumentParser::addOption(const std::string&,
                                          std::string&,
                                          const std::string&) const;
template Option ArgumentParser::addOption(const std::string&,
                                          std::vector<std::string>&,
                                          const std::string&) const;
template Option ArgumentParser::addOption(const std::string&, int&, const std::string&) const;
template Option ArgumentParser::addOption(const std::string&, double&, const std::string&) const;
template Option ArgumentParser::addOption(const std::string&,
                                          std::optional<int>&,
                                          const std::string&) const;
template Option ArgumentParser::addOption(const std::string&,
                                          std::optional<double>&,
                                          const std::string&) const;

Option ArgumentParser::addOption(const std::string& name,
                                 const std::function<void(const std::string&)>& assign,
                                 const std::string& help) const
{
    return Option(*m_command->add_option_function(name, assign, help));
}

Option ArgumentParser::addFlag(const std::string& name, bool& value, const std::string& help) const
{
    return Option(*m_command->add_flag(name, value, help));
}

Option ArgumentParser::addFlag(const std::string& name,
                               const std::function<void()>& raise,
                               const std::string& help) const
{
    return Option(*m_command->add_flag_callback(name, raise, help));
}

Option ArgumentParser::option(const std::string& name) const
{
    return Option(*m_command->get_option(name));
}

void ArgumentParser::callback(const std::function<void()>& chosen) const
{
    m_command->callback(chosen);
}

void ArgumentParser::footer(const std::string& text) const
{
    m_command->footer(text);
}

void ArgumentParser::allowOneCommand() const
{
    m_command->require_subcommand(0, 1);
}

bool ArgumentParser::isCommandBelowChosen() const
{
    return !m_command->get_subcommands().empty();
}

} // namespace flopsmith::app
