// SPDX-License-Identifier: MIT
#include "core/ffn/factored/kronecker.h"

#include "core/base/count.h"
#include "core/base/random.h"
#include "core/ffn/shared/d_ff_field.h"

#include <algorithm>
#include <numeric>

namespace flopsmith {
namespace {

constexpr Component kKroneckerComponent{"kronecker", "Kronecker", 0xB79F00, Hatch::vertical};

// The other factor of a product; also defined before d₁ or f₁ is repaired.
int cofactor(int product, int part)
{
    return std::max(1, product / std::max(1, part));
}

KroneckerMatrix matrixOf(const KroneckerFfn& ffn, int in1, int in2, int out1, int out2)
{
    return {{ffn.rank, in1, out1, kept(ffn.keepRatio, out1)},
            {ffn.rank, in2, out2, kept(ffn.keepRatio, out2)}};
}

// Rearranged, W is a matrix [d₁·f₁, d₂·f₂] whose rank is the number of terms that W needs (Van Loan
// and Pitsianis 1993): more terms add nothing.
LegalValues legalRank(const KroneckerFfn& ffn, const FieldContext& context)
{
    const std::int64_t left = std::int64_t{std::max(1, ffn.d1)} * std::max(1, ffn.f1);
    const std::int64_t right =
        std::int64_t{cofactor(context.dModel, ffn.d1)} * cofactor(ffn.dFf, ffn.f1);
    return LegalValues::integers(1, std::min(left, right), Scale::log2);
}

Field<KroneckerFfn> seedField()
{
    return onlyIf(integerField(&KroneckerFfn::seed,
                               {"factor_seed", "", "entry seed", "draws the kept entries", ""},
                               [](const KroneckerFfn&, const FieldContext&) {
                                   return LegalValues::integers(0, 1'000'000);
                               }),
                  [](const KroneckerFfn& ffn) { return ffn.keepRatio < 1.0; });
}

void addLinear(const std::string& name,
               const KroneckerMatrix& matrix,
               bool bias,
               WeightShapes& shapes)
{
    shapes.push_back({name + ".a", matrix.a.rows(), matrix.a.kept, Init::normal});
    shapes.push_back({name + ".b", matrix.b.rows(), matrix.b.kept, Init::normal});
    if (bias) {
        shapes.push_back({name + ".bias", 1, matrix.out(), Init::small});
    }
}

void shuffle(std::vector<int>::iterator first, std::vector<int>::iterator last, Random& random)
{
    for (auto left = last - first; left > 1; --left) {
        std::swap(first[left - 1], first[random.integer(0, left - 1)]);
    }
}

// Deals columns like cards; an exhausted deck is shuffled again.
class Dealer
{
public:
    Dealer(int columns, Random& random)
        : m_random(random)
        , m_deck(static_cast<std::size_t>(columns))
        , m_dealt(m_deck.size(), false)
        , m_lastRow(m_deck.size(), -1)
    {
        std::iota(m_deck.begin(), m_deck.end(), 0);
    }

    // Starts a deck with the columns on top that were never dealt.
    void beginTerm()
    {
        const auto rest = std::partition(
            m_deck.begin(), m_deck.end(), [this](int column) { return !m_dealt[at(column)]; });
        shuffle(m_deck.begin(), rest, m_random);
        shuffle(rest, m_deck.end(), m_random);
        m_next = 0;
    }

    // `count` different columns, ascending.
    void deal(int count, std::vector<int>& to)
    {
        ++m_row;
        for (int i = 0; i < count; ++i) {
            to.push_back(card());
        }
        std::sort(to.end() - count, to.end());
    }

private:
    static std::size_t at(int column) { return static_cast<std::size_t>(column); }

    int card()
    {
        if (m_next == m_deck.size()) {
            shuffle(m_deck.begin(), m_deck.end(), m_random);
            m_next = 0;
        }
        // A row that spans two decks leaves columns that it already has to later rows.
        std::size_t place = m_next;
        while (m_lastRow[at(m_deck[place])] == m_row) {
            ++place;
        }
        std::swap(m_deck[place], m_deck[m_next]);
        const int column = m_deck[m_next++];
        m_lastRow[at(column)] = m_row;
        m_dealt[at(column)] = true;
        return column;
    }

    Random& m_random;
    std::vector<int> m_deck;
    std::vector<bool> m_dealt;
    std::vector<std::int64_t> m_lastRow; ///< that was dealt the column
    std::size_t m_next = 0;
    std::int64_t m_row = -1;
};

Count rightFirstMacs(const KroneckerFactor& a, const KroneckerFactor& b)
{
    return Count{a.in} * b.entries() + Count{a.entries()} * b.out;
}

Count leftFirstMacs(const KroneckerFactor& a, const KroneckerFactor& b)
{
    return Count{a.entries()} * b.in + Count{a.out} * b.entries();
}

} // namespace

std::vector<int> KroneckerFactor::columns(int seed) const
{
    Random random(static_cast<std::uint64_t>(seed));
    Dealer dealer(out, random);
    std::vector<int> all;
    all.reserve(static_cast<std::size_t>(entries()));
    for (int term = 0; term < rank; ++term) {
        dealer.beginTerm();
        for (int row = 0; row < in; ++row) {
            dealer.deal(kept, all);
        }
    }
    return all;
}

KroneckerOrder KroneckerMatrix::order() const
{
    return rightFirstMacs(a, b) <= leftFirstMacs(a, b) ? KroneckerOrder::rightFirst
                                                       : KroneckerOrder::leftFirst;
}

KroneckerMatrix KroneckerFfn::up(int dModel) const
{
    return matrixOf(*this, d1, cofactor(dModel, d1), f1, cofactor(dFf, f1));
}

KroneckerMatrix KroneckerFfn::down(int dModel) const
{
    return matrixOf(*this, f1, cofactor(dFf, f1), d1, cofactor(dModel, d1));
}

std::vector<int> KroneckerFfn::keptColumns(Factor which, int dModel) const
{
    const bool isUp = which == Factor::upA || which == Factor::upB;
    const bool isLeft = which == Factor::upA || which == Factor::downA;
    const KroneckerMatrix matrix = isUp ? up(dModel) : down(dModel);
    return (isLeft ? matrix.a : matrix.b).columns(4 * seed + static_cast<int>(which));
}

const VariantInfo& KroneckerFfn::info()
{
    static constexpr VariantInfo kInfo{"kronecker",
                                       "Kronecker",
                                       "act(x\xC2\xB7\xCE\xA3 A\xE2\x8A\x97"
                                       "B)\xC2\xB7\xCE\xA3 C\xE2\x8A\x97"
                                       "D",
                                       "Builds each large matrix from Kronecker products of small "
                                       "ones and never forms it: a token "
                                       "becomes a small matrix that is multiplied from both sides.",
                                       &kKroneckerComponent};
    return kInfo;
}

const std::vector<Field<KroneckerFfn>>& KroneckerFfn::fields()
{
    static const std::vector<Field<KroneckerFfn>> kFields{
        dFfField<KroneckerFfn>(),
        integerField(&KroneckerFfn::d1,
                     {"d_1",
                      "d_A",
                      "d\xE2\x82\x81",
                      "d_model = d\xE2\x82\x81\xC2\xB7"
                      "d\xE2\x82\x82: rows of the left factors",
                      "features"},
                     [](const KroneckerFfn&, const FieldContext& context) {
                         return LegalValues::divisorsOf(context.dModel);
                     }),
        integerField(&KroneckerFfn::f1,
                     {"f_1",
                      "f_A",
                      "f\xE2\x82\x81",
                      "d_ff = f\xE2\x82\x81\xC2\xB7"
                      "f\xE2\x82\x82: columns of the left factors",
                      "features"},
                     [](const KroneckerFfn& ffn, const FieldContext&) {
                         return LegalValues::divisorsOf(ffn.dFf);
                     }),
        integerField(&KroneckerFfn::rank,
                     {"rank", "R", "rank", "Kronecker products that each matrix is the sum of", ""},
                     legalRank),
        ratioField(&KroneckerFfn::keepRatio,
                   {"factor_keep_ratio",
                    "\xCF\x81",
                    "factor_keep_ratio",
                    "share of the entries kept in each row of each factor",
                    ""}),
        seedField(),
        choiceField(&KroneckerFfn::activation,
                    {"activation", "", "activation", "between the two matrices", ""}),
        flagField(&KroneckerFfn::bias, {"bias", "", "bias", "b1 and b2", ""}),
    };
    return kFields;
}

WeightShapes weights(const KroneckerFfn& ffn, int dModel)
{
    WeightShapes shapes;
    addLinear("c_fc", ffn.up(dModel), ffn.bias, shapes);
    addLinear("c_proj", ffn.down(dModel), ffn.bias, shapes);
    return shapes;
}

} // namespace flopsmith
