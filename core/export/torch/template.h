// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/legal_values.h"
#include "core/base/result.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace flopsmith::torch {

/// The values that a template may use, and the names that it leaves open.
struct TemplateContext
{
    /// Fields of a specification by their keys in files, and what follows from them.
    std::map<std::string, FieldValue, std::less<>> values;
    /// "NAME" → "Spectral2": what __NAME__ is replaced by.
    std::map<std::string, std::string, std::less<>> names;
};

/// The Python text that a template describes. A template is Python itself, whose comments say what
/// stays:
///   line  #? EXPR                        kept, without the mark, if EXPR is true
///   #if EXPR, #elif EXPR, #else, #endif  around lines, at any indentation, nested too
///   __NAME__                             a name that the context gives
/// EXPR: `field` (a flag that is set, a number that is not 0), `field == value`, `field != value`,
/// joined by not, and, or and parentheses. What precedes the first class, def or #if serves
/// editors alone and is left out, as are blank lines at the end. Parameters of a function on lines of their
/// own are joined to one line where they fit.
/// `file` is named in errors: "dense.py, line 12: there is no field \"biass\"; known are bias, d_ff".
Result<std::string> rendered(std::string_view text,
                             const TemplateContext& context,
                             const std::string& file);

} // namespace flopsmith::torch
