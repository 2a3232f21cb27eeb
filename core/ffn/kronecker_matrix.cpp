// SPDX-License-Identifier: MIT
#include "core/ffn/kronecker_matrix.h"

#include "core/base/random.h"

#include <numeric>

namespace flopsmith {
namespace {

void shuffle(std::vector<int>::iterator first, std::vector<int>::iterator last, Random& random)
{
    for (auto left = last - first; left > 1; --left) {
        std::swap(first[left - 1], first[random.integer(0, left - 1)]);
    }
}

// Deals columns like cards; a deck that is used up is shuffled anew.
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
        // A row that spans two decks leaves what it holds already to the rows after it.
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

} // namespace flopsmith
