// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith::torch {

/// A value in Python: a literal or name, or a call or list of such.
struct PythonExpression
{
    std::string head; ///< "768", "Dense(", "[": what is followed by items ends in a bracket
    struct Item;
    std::vector<Item> items;

    static PythonExpression literal(std::string text);
    static PythonExpression number(std::int64_t value);
    static PythonExpression number(double value);
    static PythonExpression call(const std::string& function);
    static PythonExpression list();

    /// Adds an argument "name=value", or "value" if the name is empty.
    PythonExpression& with(std::string name, PythonExpression value);

    bool operator==(const PythonExpression& other) const;

    /// On one line.
    std::string text() const;

    /// In a line that begins with `indent` blanks and `before`; broken into one line
    /// per item where it is too wide.
    std::string text(std::size_t indent, std::size_t before = 0) const;

private:
    bool hasItems() const;
};

struct PythonExpression::Item
{
    std::string name;
    PythonExpression value;

    bool operator==(const Item& other) const = default;
};

/// The text between the quotes of a Python string or docstring: on one line, quotes and
/// backslashes escaped.
std::string pythonQuoted(const std::string& text);

} // namespace flopsmith::torch
