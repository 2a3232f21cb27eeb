// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formulas/formula_text.h"

#include "ui/theme/utf8.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith::ui {
namespace {

const QString kNoBreak = QStringLiteral("\u00A0");
const QString kThin = QStringLiteral("\u202F"); // narrow, inside numbers

const QString kDot = QStringLiteral("\u202F· "); // allows a line break after it

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isName(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isNumber(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

QString plain(std::string_view text)
{
    return fromUtf8(text).toHtmlEscaped();
}

// "291 648 307"; four digits stay together.
QString grouped(std::string_view digits)
{
    QString text = plain(digits);
    if (text.size() > 4) {
        for (qsizetype at = text.size() - 3; at > 0; at -= 3) {
            text.insert(at, kThin);
        }
    }
    return text;
}

QString greek(std::string_view word)
{
    static constexpr std::array<std::pair<std::string_view, const char16_t*>, 16> kLetters{
        {{"alpha", u"α"},
         {"beta", u"β"},
         {"gamma", u"γ"},
         {"delta", u"δ"},
         {"theta", u"θ"},
         {"kappa", u"κ"},
         {"eta", u"η"},
         {"lambda", u"λ"},
         {"mu", u"μ"},
         {"nu", u"ν"},
         {"rho", u"ρ"},
         {"sigma", u"σ"},
         {"tau", u"τ"},
         {"phi", u"φ"},
         {"psi", u"ψ"},
         {"omega", u"ω"}}};
    const auto* found = std::find_if(kLetters.begin(), kLetters.end(), [word](const auto& entry) {
        return entry.first == word;
    });
    return found == kLetters.end() ? QString() : QString::fromUtf16(found->second);
}

// A single letter is a variable and italic; a word or a number is upright.
QString wordHtml(std::string_view word)
{
    const QString letter = greek(word);
    if (!letter.isEmpty() || (word.size() == 1 && !isNumber(word))) {
        return QStringLiteral("<i>%1</i>").arg(letter.isEmpty() ? plain(word) : letter);
    }
    return word == "ff" ? QStringLiteral("<i>ff</i>") : plain(word);
}

QString raised(const QString& power)
{
    return QStringLiteral("<sup>%1</sup>").arg(power);
}

// The end of the factor that starts at `from`: the next *, / or blank outside parentheses.
std::size_t endOfFactor(std::string_view text, std::size_t from)
{
    int open = 0;
    std::size_t at = from;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        open += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (open == 0 && (c == '*' || c == '/' || c == ' ')) {
            break;
        }
    }
    return at;
}

// A letter that can be moved carries its name.
QString markedSymbol(std::string_view name, const QStringList& movable)
{
    const QString html = symbolHtml(name);
    return movable.contains(fromUtf8(name))
        ? QStringLiteral("<span title='%1%2'>%3</span>").arg(kSymbolMark, fromUtf8(name), html)
        : html;
}

// d^2, 768, log2(d*H)^2
QString factorHtml(std::string_view factor, const QStringList& movable)
{
    std::size_t power = factor.rfind('^');
    if (power != std::string_view::npos && factor.find(')', power) != std::string_view::npos) {
        power = std::string_view::npos; // the power is inside the parentheses
    }
    const std::string_view base = factor.substr(0, power);
    const QString exponent =
        power == std::string_view::npos ? QString() : raised(plain(factor.substr(power + 1)));
    constexpr std::string_view kLog = "log2(";
    if (base.substr(0, kLog.size()) == kLog && base.back() == ')') {
        const std::string_view argument = base.substr(kLog.size(), base.size() - kLog.size() - 1);
        const bool single = endOfFactor(argument, 0) == argument.size();
        const QString inner = formulaHtml(argument, movable);
        return QStringLiteral("log") + QStringLiteral("<sub>2</sub>") + exponent
            + (single ? kNoBreak + inner : QStringLiteral("(") + inner + QStringLiteral(")"));
    }
    constexpr std::string_view kSum = "sum_";
    const std::size_t opens = base.find('(');
    if (base.substr(0, kSum.size()) == kSum && opens != std::string_view::npos) {
        const std::string_view summed = base.substr(opens + 1, base.size() - opens - 2);
        return QStringLiteral("Σ<sub>%1</sub>%2(%3)")
            .arg(wordHtml(base.substr(kSum.size(), opens - kSum.size())),
                 kThin,
                 formulaHtml(summed, movable));
    }
    const bool isSymbol = isName(base.empty() ? '0' : base.front());
    return (isSymbol ? markedSymbol(base, movable) : grouped(base)) + exponent;
}

struct Product
{
    std::vector<std::string_view> over;
    std::vector<std::string_view> under;
};

Product factorsOf(std::string_view term)
{
    Product product;
    bool divides = false;
    for (std::size_t at = 0; at < term.size();) {
        const std::size_t end = endOfFactor(term, at);
        (divides ? product.under : product.over).push_back(term.substr(at, end - at));
        divides = end < term.size() && term[end] == '/';
        at = end + 1;
    }
    return product;
}

// Numbers need a dot between them, variables do not.
QString joined(const std::vector<std::string_view>& factors, const QStringList& movable)
{
    QString text;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const bool dot = i > 0 && isDigit(factors[i].front()) && isDigit(factors[i - 1].back());
        text += i == 0 ? QString() : dot ? kDot : kNoBreak;
        text += factorHtml(factors[i], movable);
    }
    return text;
}

QString termHtml(std::string_view term, const QStringList& movable)
{
    Product product = factorsOf(term);
    QString text;
    // 5/2 is a coefficient, unless the whole term is numeric.
    const bool rational = product.over.size() > 1 && product.under.size() == 1
        && isNumber(product.over.front()) && isNumber(product.under.front())
        && term.find('/') == product.over.front().size();
    if (rational) {
        text = QStringLiteral("<sup>%1</sup>⁄<sub>%2</sub>")
                   .arg(grouped(product.over.front()), grouped(product.under.front()));
        const bool dot = isDigit(product.over[1].front());
        text += dot ? kDot : kNoBreak;
        product.over.erase(product.over.begin());
        product.under.clear();
    }
    text += joined(product.over, movable);
    if (!product.under.empty()) {
        const QString under = joined(product.under, movable);
        text += kThin + QStringLiteral("⁄") + kThin
            + (product.under.size() > 1 ? QStringLiteral("(%1)").arg(under) : under);
    }
    return text;
}

// Calls take(term, sign) for every term; the sign of a first term without one is '\0'.
template <class Take>
void forEachTerm(std::string_view text, Take take)
{
    char sign = '\0';
    if (!text.empty() && text.front() == '-') {
        sign = '-';
        text.remove_prefix(1);
    }
    while (!text.empty()) {
        int open = 0;
        std::size_t end = 0;
        for (; end < text.size() && (open > 0 || text[end] != ' '); ++end) {
            open += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        }
        take(text.substr(0, end), sign);
        if (end + 3 > text.size()) {
            break;
        }
        sign = text[end + 1];
        text.remove_prefix(end + 3);
    }
}

} // namespace

QString symbolHtml(std::string_view name)
{
    std::vector<std::string_view> parts;
    for (std::size_t start = 0; start <= name.size();) {
        const std::size_t end = std::min(name.find('_', start), name.size());
        parts.push_back(name.substr(start, end - start));
        start = end + 1;
    }
    if (parts.front() == "f") {
        parts.front() = "ff";
        parts.insert(parts.begin(), "d");
    }
    QStringList below;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        below << wordHtml(parts[i]);
    }
    const QString letter = wordHtml(parts.front());
    return below.isEmpty()
        ? letter
        : letter + QStringLiteral("<sub>%1</sub>").arg(below.join(QLatin1Char(',')));
}

QString formulaHtml(std::string_view text, const QStringList& movable)
{
    QString html;
    forEachTerm(text, [&html, &movable](std::string_view term, char sign) {
        if (!html.isEmpty()) {
            html += sign == '-' ? QStringLiteral(" −") + kNoBreak : QStringLiteral(" +") + kNoBreak;
        } else if (sign == '-') {
            html += QStringLiteral("−");
        }
        html += termHtml(term, movable);
    });
    return html;
}

QString plainFormula(std::string_view text)
{
    QString plain = fromUtf8(text);
    return plain.replace(QLatin1Char('*'), QStringLiteral("·"))
        .replace(QStringLiteral("^2"), QStringLiteral("²"))
        .replace(QStringLiteral("^3"), QStringLiteral("³"));
}

} // namespace flopsmith::ui
