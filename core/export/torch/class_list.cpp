// SPDX-License-Identifier: MIT
#include "core/export/torch/class_list.h"

#include "core/export/torch/installed_templates.h"

#include <algorithm>
#include <array>

namespace flopsmith::torch {
namespace {

// Functions and classes that templates call, such as those in the folders "layer" and "mixer".
struct SharedDefinition
{
    std::string_view name;
    std::string_view path;
};

constexpr std::array<SharedDefinition, 14> kSharedDefinitions{{
    {"gelu_tanh", "layer/gelu_tanh.py"},
    {"relu_squared", "layer/relu_squared.py"},
    {"largest", "layer/largest.py"},
    {"sinusoidal", "layer/sinusoidal.py"},
    {"rotate", "layer/rotate.py"},
    {"rotate_by", "layer/rotate_by.py"},
    {"plain_frequencies", "layer/plain_frequencies.py"},
    {"linear_frequencies", "layer/linear_frequencies.py"},
    {"llama3_frequencies", "layer/llama3_frequencies.py"},
    {"yarn_frequencies", "layer/yarn_frequencies.py"},
    {"alibi_slopes", "mixer/alibi_slopes.py"},
    {"relative_bucket", "mixer/relative_bucket.py"},
    {"Again", "layer/again.py"},
    {"Context", "export/context.py"},
}};

bool isNamePart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
        || c == '.';
}

bool calls(std::string_view text, std::string_view function)
{
    const std::string call = std::string(function) + "(";
    for (std::size_t at = text.find(call); at != std::string_view::npos;
         at = text.find(call, at + 1)) {
        if (at == 0 || !isNamePart(text[at - 1])) {
            return true;
        }
    }
    return false;
}

// The parameters of a class's constructor except self; none without a constructor.
std::vector<std::string> parametersOf(std::string_view text, const std::string& className)
{
    constexpr std::string_view kConstructor = "def __init__(";
    const std::size_t begin = text.find("class " + className + "(");
    const std::size_t at = text.find(kConstructor, begin);
    std::vector<std::string> names;
    if (begin == std::string_view::npos || at == std::string_view::npos) {
        return names;
    }
    const std::size_t first = at + kConstructor.size();
    std::string name;
    for (const char c : text.substr(first, text.find(')', first) - first + 1)) {
        if (isNamePart(c)) {
            name += c;
        } else if (!name.empty()) {
            names.push_back(std::move(name));
            name.clear();
        }
    }
    names.erase(std::remove(names.begin(), names.end(), "self"), names.end());
    return names;
}

// A condition reads values of both; the module's take precedence.
TemplateContext merged(TemplateContext context, const TemplateContext& common)
{
    context.values.insert(common.values.begin(), common.values.end());
    context.names.insert(common.names.begin(), common.names.end());
    return context;
}

} // namespace

std::optional<std::string_view> templateAt(std::string_view path)
{
    for (const InstalledTemplate& each : installedTemplates()) {
        if (each.path == path) {
            return each.text;
        }
    }
    return std::nullopt;
}

ClassList::ClassList(TemplateContext common)
    : m_common(std::move(common))
{}

bool ClassList::flag(std::string_view name) const
{
    const auto found = m_common.values.find(name);
    return found != m_common.values.end() && found->second == FieldValue(true);
}

void ClassList::keep(Error error)
{
    if (!m_error) {
        m_error = std::move(error);
    }
}

const ClassList::Entry* ClassList::entryOf(const ModuleText& module, std::string_view text)
{
    TemplateContext context = merged(module.context, m_common);
    context.names["NAME"] = module.className;
    const Result<std::string> first = rendered(text, context, module.path);
    if (!first) {
        keep(first.error());
        return nullptr;
    }
    if (const auto known = m_byText.find(*first); known != m_byText.end()) {
        return &m_entries[known->second];
    }
    const int shape = ++m_shapes[module.className];
    Entry entry{module.className, *first};
    if (shape > 1) {
        entry.name += std::to_string(shape);
        context.names["NAME"] = entry.name;
        entry.text = rendered(text, context, module.path).value();
    }
    m_byText.emplace(*first, m_entries.size());
    m_entries.push_back(std::move(entry));
    return &m_entries.back();
}

PythonExpression ClassList::module(const ModuleText& module)
{
    const std::optional<std::string_view> text = templateAt(module.path);
    const Entry* const entry = text ? entryOf(module, *text) : nullptr;
    if (entry == nullptr) {
        keep(Error{"there is no template " + module.path});
        return {};
    }
    PythonExpression call = PythonExpression::call(entry->name);
    for (const std::string& parameter : parametersOf(entry->text, entry->name)) {
        const auto argument = module.arguments.find(parameter);
        if (argument == module.arguments.end()) {
            keep(Error{module.path + ": nothing gives the constructor's \"" + parameter + "\""});
            return {};
        }
        call.with(parameter, argument->second);
    }
    return call;
}

std::string ClassList::classOf(const ModuleText& module)
{
    const std::optional<std::string_view> text = templateAt(module.path);
    const Entry* const entry = text ? entryOf(module, *text) : nullptr;
    if (entry == nullptr) {
        keep(Error{"there is no template " + module.path});
        return {};
    }
    return entry->name;
}

std::string ClassList::classOf(const std::string& className, const std::string& text)
{
    const Entry* const entry = entryOf({.path = className, .className = className}, text);
    return entry == nullptr ? std::string{} : entry->name;
}

Result<std::string> ClassList::source(const std::string& model) const
{
    if (m_error) {
        return *m_error;
    }
    std::string classes;
    for (const Entry& entry : m_entries) {
        classes += entry.text + "\n\n";
    }
    classes += model;
    std::string source;
    for (const SharedDefinition& shared : kSharedDefinitions) {
        const std::optional<std::string_view> text = templateAt(shared.path);
        if (text && calls(classes, shared.name)) {
            FLOPSMITH_TRY(const std::string definition,
                          rendered(*text, m_common, std::string(shared.path)));
            source += definition + "\n\n";
        }
    }
    return source + classes;
}

} // namespace flopsmith::torch
