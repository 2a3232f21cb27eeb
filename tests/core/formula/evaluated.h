// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>

// Works out "24*768^2*1*1024 + 5/2*768*log2(768)" by itself, so that a formula's text is checked
// as a reader would check it: with nothing but the characters on the screen.
namespace flopsmith::test {

/// An exact part, and what stands before logarithms together with the value.
struct Evaluated
{
    Count numerator = 0;
    Count denominator = 1;
    long double logFactors = 0; ///< sum of what multiplies log2(…)
    long double logPart = 0; ///< sum of the terms with log2(…)

    bool isWhole() const { return denominator == 1; }
};

class TextEvaluator
{
public:
    explicit TextEvaluator(std::string_view text)
        : m_text(text)
    {}

    Evaluated sum()
    {
        Evaluated total;
        addTerm(total, accepted('-') ? -1 : 1);
        while (m_at < m_text.size()) {
            addTerm(total, m_text.substr(m_at, 3) == " - " ? -1 : 1);
        }
        return total;
    }

private:
    void addTerm(Evaluated& total, int sign)
    {
        if (m_text[m_at] == ' ') {
            m_at += 3; // " + "
        }
        m_above = sign;
        m_below = 1;
        m_log = 1;
        m_hasLog = false;
        factor(false);
        while (m_at < m_text.size() && m_text[m_at] != ' ') {
            const bool divides = m_text[m_at++] == '/';
            factor(divides);
        }
        if (m_hasLog) {
            const long double by =
                static_cast<long double>(m_above) / static_cast<long double>(m_below);
            total.logFactors += by;
            total.logPart += by * m_log;
            return;
        }
        total.numerator = total.numerator * m_below + m_above * total.denominator;
        total.denominator *= m_below;
        reduce(total.numerator, total.denominator);
    }

    void factor(bool divides)
    {
        if (m_text.substr(m_at, 5) == "log2(") {
            m_at += 5;
            m_log = std::log2(static_cast<long double>(integer()));
            m_hasLog = true;
            ++m_at; // ")"
            return;
        }
        const Count base = integer();
        const Count power = accepted('^') ? integer() : 1;
        for (Count i = 0; i < power; ++i) {
            (divides ? m_below : m_above) *= base;
        }
        reduce(m_above, m_below);
    }

    Count integer()
    {
        Count value = 0;
        while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9') {
            value = value * 10 + (m_text[m_at++] - '0');
        }
        return value;
    }

    bool accepted(char c)
    {
        const bool there = m_at < m_text.size() && m_text[m_at] == c;
        m_at += there ? 1 : 0;
        return there;
    }

    static void reduce(Count& above, Count& below)
    {
        Count a = above < 0 ? -above : above;
        Count b = below;
        while (b != 0) {
            const Count rest = a % b;
            a = b;
            b = rest;
        }
        if (a > 1) {
            above /= a;
            below /= a;
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    Count m_above = 1;
    Count m_below = 1;
    long double m_log = 1;
    bool m_hasLog = false;
};

inline Evaluated evaluated(std::string_view numbers)
{
    return TextEvaluator(numbers).sum();
}

} // namespace flopsmith::test
