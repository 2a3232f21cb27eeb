// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/share/base64url.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <algorithm>

namespace flopsmith {
namespace {

// RFC 4648, section 10, without padding.
TEST(Base64url, HasTheLettersOfTheStandard)
{
    EXPECT_EQ(base64url(""), "");
    EXPECT_EQ(base64url("f"), "Zg");
    EXPECT_EQ(base64url("fo"), "Zm8");
    EXPECT_EQ(base64url("foo"), "Zm9v");
    EXPECT_EQ(base64url("foob"), "Zm9vYg");
    EXPECT_EQ(base64url("\xFF\xEF\xFE"), "_-_-");
}

TEST(Base64url, AnyBytesComeBack)
{
    EXPECT_TRUE(rc::check([](const std::string& bytes) {
        const std::string letters = base64url(bytes);

        RC_ASSERT(bytesOfBase64url(letters) == bytes);
        RC_ASSERT(letters.size() == lettersOfBytes(bytes.size()));
        RC_ASSERT(firstStranger(letters) == std::string::npos);
    }));
}

TEST(Base64url, TellsWhereAStrangerStands)
{
    EXPECT_EQ(firstStranger("ab+c"), 2U);
    EXPECT_EQ(firstStranger("ab/"), 2U);
    EXPECT_EQ(firstStranger("=abc"), 0U);
}

} // namespace
} // namespace flopsmith
