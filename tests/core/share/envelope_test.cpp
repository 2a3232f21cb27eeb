// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/share/envelope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <algorithm>

namespace flopsmith {
namespace {

using testing::HasSubstr;

Envelope exampleEnvelope()
{
    return {.preset = "gpt2", .presetHash = 0xABCDEFU, .bytes = std::string("\0some bytes", 11)};
}

std::string whyNotOpened(const std::string& code)
{
    const Result<Envelope> envelope = openedEnvelope(code);
    EXPECT_FALSE(envelope.ok()) << code;
    return envelope.ok() ? std::string() : envelope.error().message;
}

TEST(Envelope, AnyContentComesBack)
{
    EXPECT_TRUE(rc::check([](const std::string& preset, std::uint32_t hash, const std::string& b) {
        const Envelope envelope{
            .preset = preset, .presetHash = preset.empty() ? 0 : hash & 0xFFFFFFU, .bytes = b};
        RC_PRE(preset.size() < 256U);

        const Result<Envelope> opened = openedEnvelope(sealed(envelope).value());

        RC_ASSERT(opened.ok());
        RC_ASSERT(*opened == envelope);
    }));
}

TEST(Envelope, EveryMistypedLetterIsNoticed)
{
    const std::string code = sealed(exampleEnvelope()).value();
    for (std::size_t at = 4; at < code.size(); ++at) {
        for (const char letter : {'A', 'b', '7', '_'}) {
            std::string wrong = code;
            wrong[at] = letter;
            EXPECT_EQ(openedEnvelope(wrong).ok(), wrong == code) << wrong;
        }
    }
}

TEST(Envelope, EveryCutIsNoticed)
{
    const std::string code = sealed(exampleEnvelope()).value();
    for (std::size_t size = 4; size < code.size(); ++size) {
        EXPECT_THAT(whyNotOpened(code.substr(0, size)), HasSubstr("cut short")) << size;
    }
    EXPECT_THAT(whyNotOpened(code.substr(0, code.size() - 3)),
                HasSubstr(std::to_string(code.size() - 3) + " of " + std::to_string(code.size())));
    EXPECT_THAT(whyNotOpened(code + "A"),
                HasSubstr("ends after " + std::to_string(code.size()) + " characters"));
}

TEST(Envelope, RefusalsSayWhatIsWrongAndWhatIsRight)
{
    const std::string code = sealed(exampleEnvelope()).value();
    EXPECT_THAT(whyNotOpened("FS2." + code.substr(4)), HasSubstr("version FS2"));
    EXPECT_THAT(whyNotOpened("FS1.ab+c"), HasSubstr("character 7, \"+\""));
    EXPECT_THAT(whyNotOpened("FS1." + std::string(kLongestShareCode, 'A')), HasSubstr("65536"));
    std::string wrong = code;
    wrong[6] = wrong[6] == 'A' ? 'B' : 'A'; // a letter of the id
    EXPECT_THAT(whyNotOpened(wrong), HasSubstr("checksum"));
}

TEST(Envelope, WhatIsTooLongIsNotSealed)
{
    const auto ofSize = [](std::size_t size) { return sealed({.bytes = std::string(size, 'x')}); };
    EXPECT_TRUE(ofSize(40'000).ok());
    EXPECT_THAT(ofSize(60'000).error().message, HasSubstr("save it as a file"));
    EXPECT_THAT(ofSize(200'000).error().message, HasSubstr("save it as a file"));
}

} // namespace
} // namespace flopsmith
