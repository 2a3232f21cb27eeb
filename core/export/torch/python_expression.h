// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith::torch {

/// A value in Python: a literal or name, or a call or list of values.
struct PythonExpression
{
    std::string head; ///< "768", "Dense(", "[": it ends in a bracket if items follow
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

    /// The text for a line that begins with `indent` blanks and `before`; one line per item if one
    /// line would be too long.
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
