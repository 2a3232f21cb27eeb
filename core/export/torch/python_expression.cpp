// SPDX-License-Identifier: MIT
#include "core/export/torch/python_expression.h"

#include "core/base/printable.h"
#include "core/base/text.h"

namespace flopsmith::torch {
namespace {

constexpr std::size_t kWidestExpression = 96;
constexpr std::size_t kIndent = 4;

} // namespace

PythonExpression PythonExpression::literal(std::string text)
{
    return {std::move(text), {}};
}

PythonExpression PythonExpression::number(std::int64_t value)
{
    return literal(std::to_string(value));
}

PythonExpression PythonExpression::number(double value)
{
    return literal(numberText(value));
}

PythonExpression PythonExpression::call(const std::string& function)
{
    return {function + "(", {}};
}

PythonExpression PythonExpression::list()
{
    return {"[", {}};
}

PythonExpression& PythonExpression::with(std::string name, PythonExpression value)
{
    items.push_back({std::move(name), std::move(value)});
    return *this;
}

bool PythonExpression::operator==(const PythonExpression& other) const
{
    return head == other.head && items == other.items;
}

bool PythonExpression::hasItems() const
{
    return !head.empty() && (head.back() == '(' || head.back() == '[');
}

std::string PythonExpression::text() const
{
    if (!hasItems()) {
        return head;
    }
    std::string line = head;
    for (const Item& item : items) {
        line += (line.size() > head.size() ? ", " : "") + item.name + (item.name.empty() ? "" : "=")
            + item.value.text();
    }
    return line + (head.back() == '(' ? ")" : "]");
}

std::string PythonExpression::text(std::size_t indent, std::size_t before) const
{
    const std::string line = text();
    if (items.empty() || indent + before + line.size() <= kWidestExpression) {
        return line;
    }
    const std::size_t inner = indent + kIndent;
    std::string lines = head + "\n";
    for (const Item& item : items) {
        const std::string name = item.name.empty() ? "" : item.name + "=";
        lines += std::string(inner, ' ') + name + item.value.text(inner, name.size() + 1) + ",\n";
    }
    return lines + std::string(indent, ' ') + (head.back() == '(' ? ")" : "]");
}

std::string pythonQuoted(const std::string& text)
{
    std::string quoted;
    for (const char c : printable(text)) {
        quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    }
    return quoted;
}

} // namespace flopsmith::torch
