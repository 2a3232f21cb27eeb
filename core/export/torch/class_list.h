// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/export/torch/python_expression.h"
#include "core/export/torch/template.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith::torch {

/// A module of a model as its template needs it.
struct ModuleText
{
    std::string path; ///< of its template: "ffn/spectral.py"
    std::string className; ///< of its first shape: "Spectral"
    TemplateContext context;
    /// Possible arguments of the constructor, by parameter name; only those that it has are passed.
    std::map<std::string, PythonExpression, std::less<>> arguments;
};

/// The classes of a program, each once: modules whose templates render to the same text share a
/// class, another shape gets the next number ("Attention", "Attention2"). Mistakes in templates are
/// saved for source(), so that callers need not check each module.
class ClassList
{
public:
    /// `common`: values that every template may read besides the fields of its part. Its flag
    /// "library" says that the Hugging Face library calls the program: parts then take a Context
    /// (context.py).
    explicit ClassList(TemplateContext common = {.values = {{"library", false}, {"caches", false}},
                                                 .names = {}});

    /// Whether the parts take a Context.
    bool isForLibrary() const { return flag("library"); }

    /// Whether one of the flags that all templates may read is set.
    bool flag(std::string_view name) const;

    /// The call that makes the module, its class added if it is new.
    PythonExpression module(const ModuleText& module);

    /// The name of the module's class, which is added if it is new.
    std::string classOf(const ModuleText& module);

    /// The same for a class without a file: a text with __NAME__ in it.
    std::string classOf(const std::string& className, const std::string& text);

    /// The functions that the classes call, all classes in the order in which they were added, and
    /// `model`.
    Result<std::string> source(const std::string& model) const;

private:
    struct Entry
    {
        std::string name;
        std::string text;
    };

    const Entry* entryOf(const ModuleText& module, std::string_view text);
    void keep(Error error);

    TemplateContext m_common;
    std::map<std::string, std::size_t, std::less<>> m_byText; ///< with the first name: its entry
    std::map<std::string, int, std::less<>> m_shapes; ///< of a first name
    std::vector<Entry> m_entries;
    std::optional<Error> m_error;
};

/// The template at the path, or nothing.
std::optional<std::string_view> templateAt(std::string_view path);

} // namespace flopsmith::torch
