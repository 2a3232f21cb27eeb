// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <array>
#include <bit>
#include <random>

namespace flopsmith {
namespace {

using Library = nlohmann::ordered_json;

std::string libraryText(const Library& json, int indent = -1)
{
    return json.dump(indent, ' ', false, Library::error_handler_t::replace);
}

/// The same random value twice: of this program and of the library.
struct Twins
{
    Json ours;
    Library theirs;
};

class RandomTwins
{
public:
    explicit RandomTwins(std::uint64_t seed)
        : m_generator(seed)
    {}

    Twins value(int depth)
    {
        switch (below(depth > 0 ? 10 : 8)) {
        case 0: return {nullptr, nullptr};
        case 1: return same(below(2) == 0);
        case 2: return same(static_cast<std::int64_t>(bits()));
        case 3: return same(bits());
        case 4: return same(std::bit_cast<double>(bits())); // with infinities and no numbers
        case 5: return same(shortReal());
        case 6: return same(static_cast<double>(static_cast<std::int64_t>(bits()) >> below(64)));
        case 7: return same(text());
        case 8: return array(depth);
        default: return object(depth);
        }
    }

    // ASCII, control characters, whole characters of all lengths, and parts of them.
    std::string text()
    {
        static const std::array<std::string, 12> kPieces{"a",
                                                         "\"",
                                                         "\\",
                                                         "\n\t\b\f\r",
                                                         std::string(1, '\0'),
                                                         "\x7f",
                                                         "\xc3\xa4",
                                                         "\xe2\x80\xa8",
                                                         "\xf0\x9f\x94\xa5",
                                                         "\xe2\x82",
                                                         "\xed\xa0\x80",
                                                         "/"};
        std::string text;
        for (std::uint64_t i = below(8); i > 0; --i) {
            text += below(3) == 0 ? std::string(1, static_cast<char>(bits()))
                                  : kPieces.at(below(kPieces.size()));
        }
        return text;
    }

private:
    template <class Value>
    static Twins same(const Value& value)
    {
        return {value, value};
    }

    Twins array(int depth)
    {
        Twins twins{Json::array(), Library::array()};
        for (std::uint64_t i = below(4); i > 0; --i) {
            const Twins element = value(depth - 1);
            twins.ours.push_back(element.ours);
            twins.theirs.push_back(element.theirs);
        }
        return twins;
    }

    Twins object(int depth)
    {
        Twins twins{Json::object(), Library::object()};
        for (std::uint64_t i = below(4); i > 0; --i) {
            const Twins member = value(depth - 1);
            const std::string key = text() + std::to_string(i);
            twins.ours[key] = member.ours;
            twins.theirs[key] = member.theirs;
        }
        return twins;
    }

    // As people write them: 0.1, 1e20, 250.0.
    double shortReal()
    {
        const std::string digits = std::to_string(below(10'000));
        return std::stod(digits + "e" + std::to_string(static_cast<int>(below(60)) - 30));
    }

    std::uint64_t bits() { return m_generator(); }
    std::uint64_t below(std::uint64_t end) { return bits() % end; }

    std::mt19937_64 m_generator;
};

TEST(JsonLibrary, WritesTheSameBytes)
{
    RandomTwins random(1);
    for (int i = 0; i < 20'000; ++i) {
        const Twins twins = random.value(4);

        ASSERT_EQ(jsonText(twins.ours), libraryText(twins.theirs));
        ASSERT_EQ(jsonText(twins.ours, i % 5), libraryText(twins.theirs, i % 5));
    }
}

TEST(JsonLibrary, ReadsTheSameValues)
{
    RandomTwins random(2);
    for (int i = 0; i < 20'000; ++i) {
        const std::string text = libraryText(random.value(4).theirs, i % 3 - 1);
        const Library theirs = Library::parse(text);

        const Json ours = ownJson(text);

        ASSERT_EQ(jsonText(ours), libraryText(theirs)) << text;
        ASSERT_EQ(jsonText(*parsedJson(text, "file")), jsonText(ours)) << text;
        ASSERT_EQ(ours.is_number_unsigned(), theirs.is_number_unsigned()) << text;
        ASSERT_EQ(ours.is_number_float(), theirs.is_number_float()) << text;
    }
}

// Texts that are cut short or changed anywhere are JSON for both or for neither.
TEST(JsonLibrary, RefusesTheSameTexts)
{
    RandomTwins random(3);
    std::mt19937 place(4);
    for (int i = 0; i < 20'000; ++i) {
        std::string text = libraryText(random.value(3).theirs);
        text.resize(i % 2 == 0 ? place() % (text.size() + 1) : text.size());
        if (!text.empty()) {
            text[place() % text.size()] = static_cast<char>(place());
        }
        const Library theirs = Library::parse(text, nullptr, false);

        const Json ours = ownJson(text);

        const bool hasKeyTwice = ours.is_discarded() && !theirs.is_discarded();
        if (hasKeyTwice) { // of which the library takes the last
            EXPECT_NE(parsedJson(text, "").error().message.find("occurs twice"), std::string::npos);
        } else {
            ASSERT_EQ(jsonText(ours), libraryText(theirs)) << text;
        }
    }
}

TEST(JsonLibrary, TellsArraysFromObjectsInBracesAlike)
{
    EXPECT_EQ(jsonText(Json{{"a", 1}, {"b", {1, 2}}}),
              libraryText(Library{{"a", 1}, {"b", {1, 2}}}));
    EXPECT_EQ(jsonText(Json{{"a", 1}, {"b"}}), libraryText(Library{{"a", 1}, {"b"}}));
    EXPECT_EQ(jsonText(Json{{"a", 1}, {"a", 2}}), libraryText(Library{{"a", 1}, {"a", 2}}));
    EXPECT_EQ(jsonText(Json{{"a", {{"b", "c"}}}}), libraryText(Library{{"a", {{"b", "c"}}}}));
    EXPECT_EQ(jsonText(Json{{{"a", "b"}, {"c", "d"}}}),
              libraryText(Library{{{"a", "b"}, {"c", "d"}}}));
}

} // namespace
} // namespace flopsmith
