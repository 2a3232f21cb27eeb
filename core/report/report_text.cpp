// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_text.h"

#include "core/base/text.h"
#include "core/report/frame_words.h"

namespace flopsmith {

std::string symbolWords(const std::vector<FormulaSymbol>& symbols,
                        std::string_view language,
                        const std::function<std::string(const FormulaSymbol&)>& spell,
                        const std::function<std::string(const std::string&)>& escape)
{
    const bool isEnglish = language == "en";
    std::string text;
    for (const FormulaSymbol& symbol : symbols) {
        text += text.empty() ? std::string(frameWordsIn(language).with) + " " : ", ";
        text += spell(symbol) + " = "
            + escape(symbol.values.empty() ? groupedDigits(symbol.value) : symbol.values);
        text += symbol.meaning.empty() || !isEnglish ? "" : " (" + escape(symbol.meaning) + ")";
    }
    return text;
}

std::string optionMark(std::size_t option)
{
    constexpr std::size_t kLetters = 26;
    return option < kLetters ? std::string(1, static_cast<char>('A' + option))
                             : std::to_string(option + 1);
}

} // namespace flopsmith
