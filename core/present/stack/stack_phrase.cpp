// SPDX-License-Identifier: MIT
#include "core/present/stack/stack_phrase.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::size_t kListedBlocks = 8; ///< more are shown with "…"
constexpr int kFarTooMany = 1'000'000; ///< stands for every larger number

using Words = std::vector<std::string>;

// In small letters, without the signs that stand between words.
Words wordsOf(std::string_view typed)
{
    Words words(1);
    for (const char letter : typed) {
        const bool divides = letter == ' ' || letter == '\t' || letter == ':' || letter == ','
            || letter == ';' || letter == '=';
        if (!divides) {
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) {
        words.pop_back();
    }
    return words;
}

std::optional<int> spokenNumberIn(std::string_view word)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kNumbers{{
        {"one", "first"},
        {"two", "second"},
        {"three", "third"},
        {"four", "fourth"},
        {"five", "fifth"},
        {"six", "sixth"},
        {"seven", "seventh"},
        {"eight", "eighth"},
        {"nine", "ninth"},
        {"ten", "tenth"},
        {"eleven", "eleventh"},
        {"twelve", "twelfth"},
    }};
    for (std::size_t i = 0; i < kNumbers.size(); ++i) {
        if (word == kNumbers[i].first || word == kNumbers[i].second) {
            return static_cast<int>(i) + 1;
        }
    }
    return std::nullopt;
}

// "4", "4th", "4-th", "-1", "four", "fourth". Too large ones become kFarTooMany.
std::optional<int> numberIn(std::string_view word)
{
    if (const auto spoken = spokenNumberIn(word)) {
        return spoken;
    }
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range) {
        value = kFarTooMany;
    } else if (error != std::errc()) {
        return std::nullopt;
    }
    std::string_view rest(end, static_cast<std::size_t>(word.data() + word.size() - end));
    if (!rest.empty() && rest.front() == '-') {
        rest.remove_prefix(1);
    }
    constexpr std::array<std::string_view, 6> kEndings{"", "st", "nd", "rd", "th", "."};
    const bool isNumber = std::find(kEndings.begin(), kEndings.end(), rest) != kEndings.end();
    return isNumber ? std::optional(std::min(value, kFarTooMany)) : std::nullopt;
}

bool isBlockWord(std::string_view word)
{
    return word == "block" || word == "blocks" || word == "layer" || word == "layers";
}

// What may stand between the blocks and the part that they get.
bool isFiller(std::string_view word)
{
    constexpr std::array<std::string_view, 14> kFillers{"a",
                                                        "an",
                                                        "the",
                                                        "is",
                                                        "are",
                                                        "be",
                                                        "become",
                                                        "becomes",
                                                        "gets",
                                                        "get",
                                                        "by",
                                                        "to",
                                                        "with",
                                                        "->"};
    return isBlockWord(word) || std::find(kFillers.begin(), kFillers.end(), word) != kFillers.end();
}

std::string partIn(const Words& words, std::size_t at)
{
    while (at < words.size() && isFiller(words[at])) {
        ++at;
    }
    std::string part;
    for (; at < words.size(); ++at) {
        part += (part.empty() ? "" : " ") + words[at];
    }
    return part;
}

StackPhrase replacement(const BlockChoice& choice, const Words& words, std::size_t at)
{
    StackPhrase phrase{.choice = choice, .part = partIn(words, at)};
    if (choice.n < 1) {
        phrase.problem = "Count from 1 on: every 4th block is blocks 4, 8, 12.";
    }
    return phrase;
}

// "from block 2" at this place; moves behind it.
int startIn(const Words& words, std::size_t& at)
{
    std::size_t number = at + 1;
    if (at >= words.size() || words[at] != "from") {
        return 0;
    }
    if (number < words.size() && isBlockWord(words[number])) {
        ++number;
    }
    const auto from = number < words.size() ? numberIn(words[number]) : std::nullopt;
    if (!from || *from < 1) {
        return 0;
    }
    at = number + 1;
    return *from;
}

std::optional<StackPhrase> everyNth(const Words& words)
{
    if (words.size() < 2) {
        return std::nullopt;
    }
    BlockChoice choice;
    std::size_t at = 2;
    if (isBlockWord(words[1])) {
        choice.n = 1;
    } else if (words[1] == "other") {
        choice.n = 2;
    } else if (const auto n = numberIn(words[1])) {
        choice.n = *n;
    } else if (words[1] == "n-th" || words[1] == "nth" || words[1] == "n") {
        return StackPhrase{.part = partIn(words, at),
                           .problem = "Type a number for n: “every 4th”."};
    } else {
        return std::nullopt;
    }
    while (at < words.size() && isBlockWord(words[at])) {
        ++at;
    }
    choice.from = startIn(words, at);
    return replacement(choice, words, at);
}

std::optional<StackPhrase> firstOrLast(const Words& words)
{
    if (words.size() < 2) {
        return std::nullopt;
    }
    BlockChoice choice{.kind =
                           words[0] == "last" ? BlockChoice::Kind::last : BlockChoice::Kind::first};
    if (isBlockWord(words[1])) {
        return replacement(choice, words, 2);
    }
    const auto n = numberIn(words[1]);
    if (!n) {
        return std::nullopt;
    }
    choice.n = *n;
    return replacement(choice, words, 2);
}

// "repeat 3", "repeat 3 times", "repeat x3", "repeat twice more"
std::optional<StackPhrase> repetition(const Words& words)
{
    if (words.size() < 2) {
        return std::nullopt;
    }
    std::string word = words[1];
    if (word.size() > 1 && (word.front() == 'x' || word.front() == '*')) {
        word.erase(0, 1);
    } else if (word.size() > 1 && word.back() == 'x') {
        word.pop_back();
    }
    const std::optional<int> n = word == "once" ? 1 : word == "twice" ? 2 : numberIn(word);
    const bool hasOnlyFillers = std::all_of(words.begin() + 2, words.end(), [](const auto& each) {
        return each == "times" || each == "time" || each == "more" || each == "x";
    });
    if (!n || !hasOnlyFillers) {
        return std::nullopt;
    }
    StackPhrase phrase{.kind = StackPhrase::Kind::repeat, .more = *n};
    if (*n < 1) {
        phrase.problem = "Type how many times more they come, from 1 on: “repeat 3”.";
    }
    return phrase;
}

// At "," and ";", and at "and" and "then".
std::vector<std::string> piecesOf(std::string_view typed)
{
    std::vector<std::string> pieces(1);
    std::string spaced;
    for (const char letter : typed) {
        spaced += letter == ',' || letter == ';' ? std::string(" and ") : std::string(1, letter);
    }
    for (const std::string& word : wordsOf(spaced)) {
        if (word == "and" || word == "then") {
            if (!pieces.back().empty()) {
                pieces.emplace_back();
            }
        } else {
            pieces.back() += word + ' ';
        }
    }
    if (pieces.back().empty()) {
        pieces.pop_back();
    }
    return pieces;
}

std::string ordinal(int n)
{
    const int last = n % 10;
    const bool isTeen = n % 100 / 10 == 1;
    const char* ending = isTeen ? "th"
        : last == 1             ? "st"
        : last == 2             ? "nd"
        : last == 3             ? "rd"
                                : "th";
    return std::to_string(n) + ending;
}

std::string nBlocks(const char* which, int n)
{
    return n == 1 ? std::string(which) + " block"
                  : std::string(which) + ' ' + std::to_string(n) + " blocks";
}

} // namespace

std::optional<StackPhrase> stackPhrase(std::string_view typed)
{
    Words words = wordsOf(typed);
    if (!words.empty() && words[0] == "the") {
        words.erase(words.begin());
    }
    if (words.empty()) {
        return std::nullopt;
    }
    if (words[0] == "every") {
        return everyNth(words);
    }
    if (words[0] == "first" || words[0] == "last") {
        return firstOrLast(words);
    }
    return words[0] == "repeat" ? repetition(words) : std::nullopt;
}

std::vector<StackPhrase> stackPhrases(std::string_view typed)
{
    std::vector<StackPhrase> phrases;
    const std::vector<std::string> pieces = piecesOf(typed);
    for (const std::string& piece : pieces) {
        auto phrase = stackPhrase(piece);
        if (phrase && phrase->kind == StackPhrase::Kind::replace && !phrase->part.empty()) {
            phrases.push_back(*std::move(phrase));
        }
    }
    if (phrases.size() == pieces.size() && phrases.size() > 1) {
        return phrases;
    }
    const auto whole = stackPhrase(typed);
    return whole ? std::vector<StackPhrase>{*whole} : std::vector<StackPhrase>();
}

std::string choiceText(const BlockChoice& choice)
{
    switch (choice.kind) {
    case BlockChoice::Kind::first: return nBlocks("First", choice.n);
    case BlockChoice::Kind::last: return nBlocks("Last", choice.n);
    case BlockChoice::Kind::everyNth: break;
    }
    const std::string every =
        choice.n == 1 ? "Every block" : "Every " + ordinal(choice.n) + " block";
    return choice.from == 0 ? every : every + " from " + std::to_string(choice.from);
}

std::string blocksText(const std::vector<int>& blocks)
{
    const auto number = [&blocks](std::size_t i) { return std::to_string(blocks[i] + 1); };
    const std::size_t count = blocks.size();
    if (count == 1) {
        return "block " + number(0);
    }
    const bool areNeighbours = blocks.back() - blocks.front() + 1 == static_cast<int>(count);
    if (areNeighbours && count > 2) {
        return "blocks " + number(0) + " – " + number(count - 1);
    }
    std::string text = "blocks ";
    const bool isLong = count > kListedBlocks;
    const std::size_t listed = isLong ? 3 : count;
    for (std::size_t i = 0; i < listed; ++i) {
        text += (i == 0 ? "" : ", ") + number(i);
    }
    if (isLong) {
        text += " … " + number(count - 1) + " (" + std::to_string(count) + " blocks)";
    }
    return text;
}

std::string moreTimesText(int more)
{
    return more == 1 ? "once more" : std::to_string(more) + " times more";
}

} // namespace flopsmith
