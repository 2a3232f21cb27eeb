// SPDX-License-Identifier: MIT
#include "core/io/table/latex.h"

#include "core/base/printable.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

struct LatexSpelling
{
    std::string_view text;
    std::string_view latex;
};

// Characters that LaTeX reads as commands, and the non-ASCII characters that this program writes.
constexpr std::array<LatexSpelling, 33> kLatexSpellings{{
    {"\\", "\\textbackslash{}"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"$", "\\$"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"\xE2\x80\x93", "--"}, // en dash
    {"\xE2\x80\xA6", "\\dots{}"}, // ellipsis
    {"\xE2\x80\xAF", "\\,"}, // narrow no-break space
    {"\xC2\xA0", "~"}, // no-break space
    {"\xC2\xB5", "$\\mu$"}, // micro sign
    {"\xC3\x97", "$\\times$"}, // multiplication sign
    {"\xC3\xB7", "$\\div$"}, // division sign
    {"\xC2\xB7", "$\\cdot$"}, // middle dot
    {"\xC2\xB1", "$\\pm$"}, // plus-minus
    {"\xE2\x89\xA5", "$\\geq$"}, // at least
    {"\xE2\x89\xA4", "$\\leq$"}, // at most
    {"\xE2\x88\x92", "$-$"}, // minus sign
    {"\xE2\x86\x92", "$\\to$"}, // arrow
    {"\xE2\x88\x9A", "$\\surd$"}, // root sign
    {"\xE2\x97\x8F", "$\\bullet$"}, // black circle
    {"\xCE\x94", "$\\Delta$"}, // difference
    {"\xC2\xB2", "$^2$"}, // superscript two
    {"\xC2\xB3", "$^3$"}, // superscript three
    {"\xE1\xB5\x80", "$^T$"}, // of a transposed matrix
    {"\xE2\x8A\x97", "$\\otimes$"}, // circled times
    {"\xE2\x80\x94", "---"}, // em dash
}};

} // namespace

std::string latexEscaped(std::string_view raw)
{
    const std::string clean = printable(raw);
    std::string_view text = clean;
    std::string escaped;
    while (!text.empty()) {
        const auto found = std::find_if(
            kLatexSpellings.begin(), kLatexSpellings.end(), [text](const LatexSpelling& s) {
                return text.substr(0, s.text.size()) == s.text;
            });
        if (found != kLatexSpellings.end()) {
            escaped += found->latex;
            text.remove_prefix(found->text.size());
        } else {
            escaped += text.front();
            text.remove_prefix(1);
        }
    }
    return escaped;
}

} // namespace flopsmith
