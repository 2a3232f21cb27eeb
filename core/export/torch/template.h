// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/legal_values.h"
#include "core/base/result.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace flopsmith::torch {

/// The values and names for a template.
struct TemplateContext
{
    /// Fields of a specification by their keys in files, and values derived from them.
    std::map<std::string, FieldValue, std::less<>> values;
    /// "NAME" → "Spectral2": the replacement of __NAME__.
    std::map<std::string, std::string, std::less<>> names;
};

/// The Python text of a template. A template is Python itself, with comments that say which lines
/// stay:
///   line  #? EXPR                        kept, without the mark, if EXPR is true
///   #if EXPR, #elif EXPR, #else, #endif  around lines, at any indentation, nested too
///   __NAME__                             a name that the context defines
/// EXPR: `field` (a flag that is set, a number that is not 0), `field == value`, `field != value`,
/// joined by not, and, or and parentheses. Text before the first class, def or #if only serves
/// editors and is left out, as are blank lines at the end. Parameters of a function on separate
/// lines are joined to one line if it is not too long. `file` is named in errors: "dense.py, line
/// 12: there is no field \"biass\"; known are bias, d_ff".
Result<std::string> rendered(std::string_view text,
                             const TemplateContext& context,
                             const std::string& file);

} // namespace flopsmith::torch
