// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/unity/source_tokens.h"

#include <span>

namespace flopsmith::test {

using Tokens = std::span<const SourceToken>;

// Position of the token that closes the bracket at open; of "<" only where a template may stand.
// Throws std::runtime_error where there is none.
std::size_t closing(Tokens tokens, std::size_t open);

// What is between commas that stand in no bracket.
std::vector<Tokens> separated(Tokens tokens);

// Types of parameters without names, default arguments and const of values; names of template
// parameters by their position.
std::string parameterTypes(Tokens parameters, Tokens templateParameters);

// A template's parameters, likewise.
std::string templateHead(Tokens templateParameters);

std::string joined(Tokens tokens);

} // namespace flopsmith::test
