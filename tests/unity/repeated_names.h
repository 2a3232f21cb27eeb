// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/unity/defined_names.h"

#include <set>

namespace flopsmith::test {

struct NamedSource
{
    std::string path;
    std::vector<DefinedName> names;
    std::set<std::string> functionsAsValues{};
    bool isHeader = false; ///< two of them are included together anyway
};

NamedSource namedSource(const std::string& path, std::string_view text);

// One line per name that two of the sources, or a source and a header, define, with both places.
std::vector<std::string> repeatedNames(const std::vector<NamedSource>& sources);

} // namespace flopsmith::test
