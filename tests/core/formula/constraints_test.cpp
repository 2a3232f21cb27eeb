// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/constraints.h"

#include "core/base/random.h"
#include "core/formula/canonical_sum.h"
#include "core/formula/expression.h"
#include "core/formula/symbol_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// d = 768, f = 3072, H = 12, G = 4, s_mu = 192, S = 1024
class Constraints : public testing::Test
{
protected:
    std::string parsed(std::string_view text) const
    {
        const Result<GiNaC::ex> value = expressionFrom(text, m_table);
        return value.ok() ? CanonicalSum(value.value(), m_table).text() : value.error().message;
    }

    std::string simplified(const GiNaC::ex& formula, const std::vector<std::string>& constraints)
    {
        const Result<GiNaC::exmap> substitutions = substitutionsFrom(constraints, m_table);
        return substitutions.ok()
            ? CanonicalSum(m_table.substituted(formula, substitutions.value()), m_table).text()
            : substitutions.error().message;
    }

    std::string problem(const std::vector<std::string>& constraints)
    {
        const Result<GiNaC::exmap> substitutions = substitutionsFrom(constraints, m_table);
        EXPECT_FALSE(substitutions.ok());
        return substitutions.ok() ? "" : substitutions.error().message;
    }

    SymbolTable m_table;
    GiNaC::ex m_s = m_table.size("S", 1024, "");
    GiNaC::ex m_mu = m_table.size("s_mu", 192, "");
    GiNaC::ex m_g = m_table.size("G", 4, "");
    GiNaC::ex m_h = m_table.size("H", 12, "");
    GiNaC::ex m_f = m_table.size("f", 3072, "");
    GiNaC::ex m_d = m_table.size("d", 768, "");
};

TEST_F(Constraints, AreWrittenAsPeopleWriteThem)
{
    EXPECT_EQ(parsed("4d"), "4*d");
    EXPECT_EQ(parsed(" 4 * d "), "4*d");
    EXPECT_EQ(parsed("2/3*4d"), "8/3*d");
    EXPECT_EQ(parsed("d/H"), "d/H");
    EXPECT_EQ(parsed("d/4H"), "1/4*d*H"); // from left to right
    EXPECT_EQ(parsed("d/(4H)"), "1/4*d/H");
    EXPECT_EQ(parsed("2.5(d + 1)"), "5/2*d + 5/2");
    EXPECT_EQ(parsed("-d^2 + 3s_mu - 1"), "-d^2 + 3*s_mu - 1");
    EXPECT_EQ(parsed("(d-f)(d+f)"), "d^2 - f^2");
    EXPECT_EQ(parsed("d - d"), "0");
}

TEST_F(Constraints, RefuseWhatIsNoExpression)
{
    EXPECT_EQ(parsed(""), "has nothing where a number or a size should stand");
    EXPECT_EQ(parsed("4*"), "has nothing where a number or a size should stand");
    EXPECT_EQ(parsed("4 d)"), "has \")\" where the expression should end");
    EXPECT_EQ(parsed("4 & d"), "has \"& d\" where the expression should end");
    EXPECT_EQ(parsed("(d"), "lacks a closing parenthesis");
    EXPECT_EQ(parsed("."), "has a point without digits");
    EXPECT_EQ(parsed("d/0"), "divides by zero");
    EXPECT_EQ(parsed("d/(H-H)"), "divides by zero");
    EXPECT_EQ(parsed("d/(H+1)"), "divides by a sum; a number or a product of sizes is possible");
    EXPECT_EQ(parsed("d^f"), "has a power that is not a number from 0 to 6");
    EXPECT_EQ(parsed("d^12"), "has a power that is not a number from 0 to 6");
    EXPECT_EQ(parsed("4q"), "names q, but this model's sizes are d, f, H, G, s_mu and S");
}

// None of these may take time or memory.
TEST_F(Constraints, RefuseWhatWouldTakeForever)
{
    EXPECT_EQ(parsed("((d+f+H)^6)^6"), "has sizes to a power above 6");
    EXPECT_EQ(parsed("((((9^6)^6)^6)^6)^6"), "has a number of more than 40 digits");
    EXPECT_EQ(parsed("1/((((9^6)^6)^6)^6)^6"), "has a number of more than 40 digits");
    EXPECT_EQ(parsed(std::string(50, '(')), "has more than 16 nested parentheses");
    EXPECT_EQ(parsed(std::string(101, '-')), "is longer than 100 characters");
}

TEST_F(Constraints, SurviveRandomCharacters)
{
    constexpr std::string_view kCharacters = "dfHS_mu0123456789.+-*/^() =,\xC3\xA9";
    Random random(1);
    for (int i = 0; i < 3000; ++i) {
        std::string text;
        for (std::int64_t n = random.integer(0, 20); n > 0; --n) {
            text += kCharacters[static_cast<std::size_t>(
                random.integer(0, std::int64_t{kCharacters.size()} - 1))];
        }
        const std::vector<std::string> constraints{text};
        const Result<GiNaC::exmap> result = substitutionsFrom(constraints, m_table);
        EXPECT_TRUE(result.ok() || result.error().message.size() > 20) << text;
    }
}

TEST_F(Constraints, ReplaceTheirLeftSide)
{
    EXPECT_EQ(simplified(m_d * m_f, {"f=4d"}), "4*d^2");
    EXPECT_EQ(simplified(m_d * m_f, {"d = f/4"}), "1/4*f^2");
    EXPECT_EQ(simplified(m_d * m_f, {"d=768"}), "768*f");
    EXPECT_EQ(simplified(m_d * m_f, {"4d = f"}), "1/4*f^2");
    EXPECT_EQ(simplified(m_d * m_f, {"f/d = 4"}), "4*d^2");
    EXPECT_EQ(simplified(m_g * m_s, {"G*s_mu = d"}), "G*S");
    EXPECT_EQ(simplified(m_g * m_mu, {"G*s_mu = d"}), "d");
}

TEST_F(Constraints, ArePutIntoEachOther)
{
    EXPECT_EQ(simplified(m_f, {"f=4d", "d=64H", "H=3G"}), "768*G");
    EXPECT_EQ(simplified(m_f * m_h, {"H=3G, f=4d"}), "12*d*G");
}

TEST_F(Constraints, ThatAreMalformedAreNamed)
{
    EXPECT_EQ(problem({"4d"}),
              "the constraint \"4d\" is not of the form SIZE=EXPRESSION, as in \"f=4d\"");
    EXPECT_EQ(problem({""}),
              "the constraint \"\" is not of the form SIZE=EXPRESSION, as in \"f=4d\"");
    EXPECT_EQ(problem({"f==4d"}),
              "the constraint \"f==4d\" is not of the form SIZE=EXPRESSION, as in \"f=4d\"");
    EXPECT_EQ(problem({"f=4d,"}),
              "the constraint \"\" is not of the form SIZE=EXPRESSION, as in \"f=4d\"");
    EXPECT_EQ(problem({"f="}),
              "the constraint \"f=\" has nothing where a number or a size should stand");
    EXPECT_EQ(problem({"f=4x"}),
              "the constraint \"f=4x\" names x, but this model's sizes are d, f, H, G, s_mu and S");
    EXPECT_THAT(problem({"768=d"}), HasSubstr("no size to solve for"));
    EXPECT_THAT(problem({"d+H=780"}), HasSubstr("no size to solve for"));
    EXPECT_THAT(problem({"d^2=589824"}), HasSubstr("no size to solve for"));
}

TEST_F(Constraints, ThatContradictTheModelAreRefused)
{
    EXPECT_EQ(problem({"f=3d"}),
              "the constraint \"f=3d\" does not hold for this model: f is 3072, and 3*d is 2304");
    EXPECT_EQ(problem({"f=8/3*d + 1/2"}),
              "the constraint \"f=8/3*d + 1/2\" does not hold for this model: f is 3072, and "
              "8/3*d + 1/2 is 4097/2");
}

TEST_F(Constraints, ThatGoInCirclesAreRefused)
{
    EXPECT_EQ(problem({"f=4d", "d=f/4"}),
              "the constraint \"f=4d\" gives f through itself together with \"d=f/4\": leave one "
              "out");
    EXPECT_EQ(problem({"f = f + H - 12"}),
              "the constraint \"f = f + H - 12\" gives f through itself: leave one out");
    EXPECT_THAT(problem({"S=256G", "f=4d", "d=64H", "H=f/256"}),
                StartsWith("the constraint \"f=4d\" gives f through itself together with"));
    EXPECT_EQ(problem({"f=4d", "f=3072"}),
              "the constraints \"f=4d\" and \"f=3072\" both give f: leave one of them out");
}

TEST_F(Constraints, ReachIntoLogarithms)
{
    EXPECT_EQ(simplified(m_d * m_table.log2(m_d), {"d=64H"}), "64*H*log2(H) + 384*H");
    EXPECT_EQ(simplified(m_table.log2(m_s), {"S=1024"}), "10");
    EXPECT_EQ(simplified(m_table.log2(m_d), {"d=f/4"}), "log2(f) - 2");
}

TEST(CanonicalSum, DoesNotDependOnTheOrderInWhichLettersAndTermsAreMade)
{
    std::vector<std::string> names{"S", "zeta", "d", "B", "L", "f", "alpha", "s_mu", "C", "V", "s"};
    Random random(7);
    const auto shuffle = [&](auto& items) {
        for (std::size_t i = items.size(); i-- > 1;) {
            std::swap(items[i],
                      items[static_cast<std::size_t>(random.integer(0, std::int64_t(i)))]);
        }
    };
    for (int round = 0; round < 200; ++round) {
        SymbolTable table;
        shuffle(names);
        GiNaC::exvector terms;
        GiNaC::ex all = 1;
        for (const std::string& name : names) {
            const GiNaC::ex letter = table.size(name, 2, "");
            terms.push_back(3 * letter);
            all *= letter;
        }
        const GiNaC::ex d = table.size("d", 2, "");
        const GiNaC::ex s = table.size("S", 2, "");
        terms.insert(terms.end(), {all, -d * d, d / s, table.log2(d) * s, table.log2(s) * s, 5});
        shuffle(terms);
        GiNaC::ex sum;
        for (const GiNaC::ex& term : terms) {
            sum += term;
        }

        EXPECT_EQ(CanonicalSum(sum, table).text(),
                  "-d^2 + d*f*V*s*s_mu*L*alpha*zeta*B*S*C + 3*d + d/S + 3*f + 3*V + 3*s + 3*s_mu + "
                  "3*L + 3*alpha + 3*zeta + 3*B + S*log2(S) + S*log2(d) + 3*S + 3*C + 5");
    }
}

TEST(CanonicalSum, SetsFractionsInLatex)
{
    SymbolTable table;
    const GiNaC::ex d = table.size("d", 8, "");
    const GiNaC::ex h = table.size("H", 2, "");
    const GiNaC::ex s = table.size("s_mu", 3, "");

    EXPECT_EQ(CanonicalSum(GiNaC::numeric(-5, 2) * d * d * s, table).latex(),
              "-\\frac{5}{2}\\,d^{2}\\,s_{\\mu}");
    EXPECT_EQ(CanonicalSum(GiNaC::numeric(3, 2) * d / h / h, table).latex(),
              "\\frac{3\\,d}{2\\,H^{2}}");
    EXPECT_EQ(CanonicalSum(1 / (h * s), table).latex(), "\\frac{1}{H\\,s_{\\mu}}");
    EXPECT_EQ(CanonicalSum(1 / (h * s), table).text(), "1/H/s_mu");
    EXPECT_EQ(CanonicalSum(table.log2(d) / h, table).latex(), "\\frac{1}{H}\\,\\log_2 d");
    EXPECT_EQ(CanonicalSum(1, table).latex(), "1");
    EXPECT_EQ(CanonicalSum(GiNaC::numeric(1, 3), table).latex(), "\\frac{1}{3}");
}

TEST(LatexName, HasSubscripts)
{
    EXPECT_EQ(latexName("d"), "d");
    EXPECT_EQ(latexName("f"), "d_{ff}");
    EXPECT_EQ(latexName("f_2"), "d_{ff,2}");
    EXPECT_EQ(latexName("s_mu"), "s_{\\mu}");
    EXPECT_EQ(latexName("s_mu_3"), "s_{\\mu,3}");
    EXPECT_EQ(latexName("N_types"), "N_{\\mathrm{types}}");
    EXPECT_EQ(latexName("L_2"), "L_{2}");
}

} // namespace
} // namespace flopsmith
