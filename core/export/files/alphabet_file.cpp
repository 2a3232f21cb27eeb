// SPDX-License-Identifier: MIT
#include "core/export/files/alphabet_file.h"

#include "core/json/json_text.h"

#include <set>

namespace flopsmith {

std::string alphabetText(const std::vector<std::string>& symbols)
{
    return jsonText(Json(symbols)) + "\n";
}

Result<std::vector<std::string>> readAlphabet(std::string_view text, const std::string& source)
{
    FLOPSMITH_TRY(const Json json, parsedJson(text, source));
    std::vector<std::string> symbols;
    std::set<std::string> different;
    for (const auto& symbol : json.is_array() ? json : Json::array()) {
        if (symbol.is_string() && !symbol.get<std::string>().empty()) {
            symbols.push_back(symbol.get<std::string>());
            different.insert(symbols.back());
        }
    }
    if (!json.is_array() || symbols.size() != json.size() || symbols.size() < 2
        || different.size() != symbols.size()) {
        return Error{source + ": expected a list of at least two different characters in quotes"};
    }
    return symbols;
}

} // namespace flopsmith
