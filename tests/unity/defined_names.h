// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith::test {

// What a source defines in a namespace: a function, a type, an alias, a constant, a macro. Two sources
// that are compiled as one must not define the same, whatever its linkage.
struct DefinedName
{
    enum class Kind { function, member, alias, other };

    Kind kind = Kind::other;
    std::string name; ///< with its named namespaces: anonymous ones are one in a unity source
    std::string
        signature; ///< of a function: types of its parameters; of an alias: what it stands for
    int line = 1;
};

// Reads declarations as this project writes them, without types: parameters are the same if they are
// written the same. Throws std::runtime_error where braces do not match.
std::vector<DefinedName> definedNames(std::string_view source);

} // namespace flopsmith::test
