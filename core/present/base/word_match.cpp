// SPDX-License-Identifier: MIT
#include "core/present/base/word_match.h"

#include <algorithm>
#include <cstdint>

namespace flopsmith {
namespace {

constexpr int kWholeWord = 800;
constexpr int kWordStart = 600;
constexpr int kInsideWord = 300;
constexpr int kWithGaps = 100;
constexpr int kWholeTitle = 90; ///< if every word of the title was typed
constexpr int kLastWord = 50; ///< words further back count as this far
constexpr int kByFurtherWords = -100'000;
constexpr int kFavoured = 150; ///< less than a better kind of match

/// A letter as it is compared, and where it is in the text.
struct Letter
{
    std::uint32_t code = 0;
    std::size_t begin = 0;
    std::size_t length = 1;
};

using Letters = std::vector<Letter>;

// Bytes of the character that starts here; 1 in text that is not UTF-8.
std::size_t characterLength(std::string_view text, std::size_t at)
{
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (at + length > text.size()) {
        return 1;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((static_cast<unsigned char>(text[at + i]) & 0xC0U) != 0x80U) {
            return 1;
        }
    }
    return length;
}

// Small letters of ASCII, Latin-1, Greek and Cyrillic; others stay as they are.
std::uint32_t smallLetter(std::uint32_t code)
{
    const auto isIn = [code](std::uint32_t first, std::uint32_t last) {
        return code >= first && code <= last;
    };
    const bool capital = isIn('A', 'Z') || (isIn(0xC0, 0xDE) && code != 0xD7) || isIn(0x391, 0x3A9)
        || isIn(0x410, 0x42F);
    return capital ? code + 0x20 : code;
}

Letters lettersOf(std::string_view text)
{
    Letters letters;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = characterLength(text, at);
        const auto first = static_cast<unsigned char>(text[at]);
        std::uint32_t code = length == 1 ? first : first & (0x7FU >> length);
        for (std::size_t i = 1; i < length; ++i) {
            code = (code << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
        }
        letters.push_back({smallLetter(code), at, length});
        at += length;
    }
    return letters;
}

bool isBlank(const Letter& letter)
{
    return letter.code == ' ' || letter.code == '\t' || letter.code == '\n';
}

bool isInWord(const Letter& letter)
{
    return letter.code >= 0x80 || (letter.code >= '0' && letter.code <= '9')
        || (letter.code >= 'a' && letter.code <= 'z');
}

std::vector<Letters> blankSeparated(const Letters& letters)
{
    std::vector<Letters> words(1);
    for (const Letter& letter : letters) {
        if (!isBlank(letter)) {
            words.back().push_back(letter);
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) {
        words.pop_back();
    }
    return words;
}

bool isEqual(const Letter& a, const Letter& b)
{
    return a.code == b.code;
}

bool isSameWord(const Letters& a, const Letters& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), isEqual);
}

/// A title, and where its words start.
class MatchedTitle
{
public:
    explicit MatchedTitle(std::string_view title)
        : m_letters(lettersOf(title))
        , m_words(blankSeparated(m_letters))
    {}

    /// How one word of a query matches best.
    struct Found
    {
        int score = 0;
        int wordsBefore = 0;
        std::vector<std::size_t> letters{};
    };

    std::optional<Found> find(const Letters& word) const
    {
        std::optional<Found> best;
        for (std::size_t at = 0; at + word.size() <= m_letters.size(); ++at) {
            if (const int score = scoreAt(word, at); score > (best ? best->score : 0)) {
                best = Found{score, wordsBefore(at), {}};
                for (std::size_t i = 0; i < word.size(); ++i) {
                    best->letters.push_back(at + i);
                }
            }
        }
        return best ? best : findWithGaps(word);
    }

    bool isMadeOf(const std::vector<Letters>& query) const
    {
        return std::all_of(m_words.begin(), m_words.end(), [&query](const Letters& own) {
            return std::any_of(query.begin(), query.end(), [&own](const Letters& typed) {
                return isSameWord(own, typed);
            });
        });
    }

    std::vector<MatchedPlace> places(std::vector<std::size_t> matched) const
    {
        std::sort(matched.begin(), matched.end());
        matched.erase(std::unique(matched.begin(), matched.end()), matched.end());
        std::vector<MatchedPlace> joined;
        for (const std::size_t index : matched) {
            const Letter& letter = m_letters[index];
            if (!joined.empty() && joined.back().begin + joined.back().length == letter.begin) {
                joined.back().length += letter.length;
            } else {
                joined.push_back({letter.begin, letter.length});
            }
        }
        return joined;
    }

private:
    bool startsWord(std::size_t at) const
    {
        return at == 0 || isBlank(m_letters[at - 1])
            || (isInWord(m_letters[at]) && !isInWord(m_letters[at - 1]));
    }

    bool endsWord(std::size_t end) const
    {
        return end == m_letters.size() || isBlank(m_letters[end])
            || (isInWord(m_letters[end - 1]) && !isInWord(m_letters[end]));
    }

    int wordsBefore(std::size_t at) const
    {
        int count = 0;
        for (std::size_t i = 0; i < at && count < kLastWord; ++i) {
            count += startsWord(i) && !isBlank(m_letters[i]) ? 1 : 0;
        }
        return count;
    }

    int scoreAt(const Letters& word, std::size_t at) const
    {
        if (!std::equal(word.begin(), word.end(), m_letters.data() + at, isEqual)) {
            return 0;
        }
        if (!startsWord(at)) {
            return kInsideWord;
        }
        return endsWord(at + word.size()) ? kWholeWord : kWordStart;
    }

    std::optional<Found> findWithGaps(const Letters& word) const
    {
        for (std::size_t start = 0; start < m_letters.size(); ++start) {
            if (!startsWord(start) || !isEqual(m_letters[start], word.front())) {
                continue;
            }
            Found found{kWithGaps, wordsBefore(start), {}};
            std::size_t next = 0;
            for (std::size_t at = start; at < m_letters.size() && next < word.size(); ++at) {
                if (isEqual(m_letters[at], word[next])) {
                    found.letters.push_back(at);
                    ++next;
                }
            }
            // A later start leaves fewer letters.
            return next == word.size() ? std::optional(found) : std::nullopt;
        }
        return std::nullopt;
    }

    Letters m_letters;
    std::vector<Letters> m_words;
};

// With the title, or with another name that matches better.
std::optional<WordMatch> nameMatch(std::string_view query, const SearchedTitle& searched)
{
    std::optional<WordMatch> best = wordMatch(query, searched.title);
    for (const std::string& name : searched.names) {
        const auto match = wordMatch(query, name);
        if (match && !match->hasGaps && (!best || match->score > best->score)) {
            best = WordMatch{match->score, false, {}};
        }
    }
    return best;
}

// With the title, its names and its further words together.
std::optional<WordMatch> furtherMatch(std::string_view query, const SearchedTitle& searched)
{
    std::string all = searched.title + ' ' + searched.more;
    for (const std::string& name : searched.names) {
        all += ' ' + name;
    }
    auto match = wordMatch(query, all);
    if (!match || match->hasGaps) {
        return std::nullopt;
    }
    match->score += kByFurtherWords;
    std::erase_if(match->places, [&searched](const MatchedPlace& place) {
        return place.begin + place.length > searched.title.size();
    });
    return match;
}

} // namespace

std::optional<WordMatch> wordMatch(std::string_view query, std::string_view title)
{
    const MatchedTitle searched(title);
    const std::vector<Letters> words = blankSeparated(lettersOf(query));
    if (words.empty()) {
        return WordMatch{};
    }
    WordMatch match;
    int wordsBefore = kLastWord;
    std::vector<std::size_t> matched;
    for (const Letters& word : words) {
        const auto found = searched.find(word);
        if (!found) {
            return std::nullopt;
        }
        match.score += found->score;
        match.hasGaps = match.hasGaps || found->score == kWithGaps;
        wordsBefore = std::min(wordsBefore, found->wordsBefore);
        matched.insert(matched.end(), found->letters.begin(), found->letters.end());
    }
    match.score += (searched.isMadeOf(words) ? kWholeTitle : 0) - wordsBefore;
    match.places = searched.places(std::move(matched));
    return match;
}

std::vector<RankedTitle> rankedTitles(std::string_view query,
                                      const std::vector<SearchedTitle>& titles)
{
    const bool isTyped = query.find_first_not_of(' ') != std::string_view::npos;
    std::vector<RankedTitle> ranked;
    for (std::size_t i = 0; i < titles.size(); ++i) {
        const SearchedTitle& searched = titles[i];
        auto match = nameMatch(query, searched);
        if (!match) {
            match = furtherMatch(query, searched);
        }
        if (match) {
            match->score += searched.isFavoured && isTyped ? kFavoured : 0;
            ranked.push_back({i, std::move(*match)});
        }
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
        return a.match.score > b.match.score;
    });
    return ranked;
}

} // namespace flopsmith
