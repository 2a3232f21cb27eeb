// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace flopsmith::test {

// Names of functions that a source uses without calling them, as in "apply(rows)": an overload in
// another source makes such a name ambiguous. (Words that it declares as variables are none.)
std::set<std::string> functionsAsValues(std::string_view source);

} // namespace flopsmith::test
