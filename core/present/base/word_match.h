// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Bytes of a title that a query matches.
struct MatchedPlace
{
    std::size_t begin = 0;
    std::size_t length = 0;

    bool operator==(const MatchedPlace&) const = default;
};

/// How well a query matches a title.
struct WordMatch
{
    int score = 0; ///< higher is better
    bool hasGaps = false; ///< some word matches letters that are not neighbours
    std::vector<MatchedPlace> places{}; ///< ascending, not overlapping

    bool operator==(const WordMatch&) const = default;
};

/// Matches the words of a query, in any order and regardless of case, with a title (both UTF-8).
/// Each word must occur as a whole word, at the start of a word, inside one, or as letters with
/// gaps that begin at the start of a word; earlier kinds in this list score more, and so do earlier
/// positions and a title of which every word was typed. An empty query matches every title. Typing
/// more letters never makes a query match more titles.
std::optional<WordMatch> wordMatch(std::string_view query, std::string_view title);

/// A title to be found, with further words by which it is found if its title does not match.
struct SearchedTitle
{
    std::string title;
    std::string more{};
    std::vector<std::string> names{}; ///< other names, each as good as the title: "moe"
    bool isFavoured = false; ///< comes before others that match about as well
};

/// A title that was found: its index, and the match with the title.
struct RankedTitle
{
    std::size_t index = 0;
    WordMatch match{};
};

/// The matching titles, best first; ties keep their order. Titles that match only together with
/// their further words come last. A name matches without gaps only.
std::vector<RankedTitle> rankedTitles(std::string_view query,
                                      const std::vector<SearchedTitle>& titles);

} // namespace flopsmith
