// SPDX-License-Identifier: MIT
#include "core/present/stack/stack_find.h"

#include "core/parameter/parameter_table.h"
#include "core/present/base/word_match.h"

#include <algorithm>
#include <string>

namespace flopsmith {
namespace {

constexpr std::string_view kDigitGap = "\xE2\x80\xAF"; // between the groups of groupedDigits()

bool isDigit(char letter)
{
    return letter >= '0' && letter <= '9';
}

bool isInNumber(char letter)
{
    return isDigit(letter) || letter == '.';
}

std::string withoutDigitGaps(std::string text)
{
    for (auto at = text.find(kDigitGap); at != std::string::npos; at = text.find(kDigitGap)) {
        text.erase(at, kDigitGap.size());
    }
    return text;
}

// Whether the text contains the number as a whole: 12 in "heads 12", not in "128".
bool hasNumber(std::string_view text, std::string_view number)
{
    for (auto at = text.find(number); at != std::string_view::npos;
         at = text.find(number, at + 1)) {
        const std::size_t end = at + number.size();
        const bool startsThere = at == 0 || !isInNumber(text[at - 1]);
        if (startsThere && (end == text.size() || !isInNumber(text[end]))) {
            return true;
        }
    }
    return false;
}

bool hasAllWords(std::string_view text, std::string_view query)
{
    const auto match = wordMatch(query, text);
    if (!match || match->hasGaps) {
        return false;
    }
    for (std::size_t at = 0; at < query.size();) {
        const std::size_t end = std::min(query.find(' ', at), query.size());
        const std::string_view word = query.substr(at, end - at);
        const bool isNumber = !word.empty() && std::all_of(word.begin(), word.end(), isInNumber);
        if (isNumber && !hasNumber(text, word)) {
            return false;
        }
        at = end + 1;
    }
    return true;
}

// "heads 12": every name of a parameter, and its value.
std::string searchedText(const Parameter& parameter, const Scenario& scenario)
{
    std::string text = parameter.group;
    for (const std::string_view part :
         {parameter.text.key, parameter.text.label, parameter.text.symbol}) {
        text += ' ';
        text += part;
    }
    return text + ' ' + valueText(parameter.value(scenario));
}

// The heading of the model's parameters that belong to a row; d_model is the embedding's.
bool isOfRow(const StackRow& row, std::string_view group)
{
    switch (row.kind) {
    case StackRow::Kind::embedding: return group == "Embedding" || group == "Model";
    case StackRow::Kind::encoderNorm: return group == "Encoder norm";
    case StackRow::Kind::finalNorm: return group == "Final norm";
    case StackRow::Kind::head: return group == "Head";
    case StackRow::Kind::run: return false;
    }
    return false;
}

std::vector<std::string> searchedTexts(const Scenario& scenario, const StackRow& row)
{
    std::vector<std::string> texts{row.title + ' ' + row.repeatText};
    const bool isRun = row.kind == StackRow::Kind::run;
    for (const StackPart& part : row.parts) {
        // The detail of a run's part has several parameters, which are searched separately.
        texts.push_back(isRun ? part.title : withoutDigitGaps(part.title + ' ' + part.detail));
        for (const StageChip& chip : part.chips) {
            texts.push_back(chip.title + ' ' + std::string(chip.id));
        }
    }
    const ParameterList parameters =
        isRun ? blockParameterList(scenario, row.run) : modelParameterList();
    for (const Parameter& parameter : *parameters) {
        if ((isRun || isOfRow(row, parameter.group)) && parameter.applies(scenario)) {
            texts.push_back(searchedText(parameter, scenario));
        }
    }
    return texts;
}

} // namespace

std::vector<int> rowsContaining(const Scenario& scenario,
                                const StackPicture& picture,
                                std::string_view query)
{
    std::vector<int> found;
    if (query.find_first_not_of(' ') == std::string_view::npos) {
        return found;
    }
    for (std::size_t row = 0; row < picture.rows.size(); ++row) {
        const std::vector<std::string> texts = searchedTexts(scenario, picture.rows[row]);
        if (std::any_of(texts.begin(), texts.end(), [query](const std::string& text) {
                return hasAllWords(text, query);
            })) {
            found.push_back(static_cast<int>(row));
        }
    }
    return found;
}

} // namespace flopsmith
