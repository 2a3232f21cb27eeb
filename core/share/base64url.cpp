// SPDX-License-Identifier: MIT
#include "core/share/base64url.h"

#include <cstdint>

namespace flopsmith {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

} // namespace

std::string base64url(std::string_view bytes)
{
    std::string letters;
    std::uint32_t bits = 0;
    unsigned waiting = 0; // bits that no letter has yet
    for (const char byte : bytes) {
        bits = (bits << 8U) | static_cast<unsigned char>(byte);
        waiting += 8;
        while (waiting >= 6) {
            waiting -= 6;
            letters += kLetters[(bits >> waiting) & 63U];
        }
    }
    if (waiting > 0) {
        letters += kLetters[(bits << (6 - waiting)) & 63U];
    }
    return letters;
}

std::string bytesOfBase64url(std::string_view letters)
{
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned waiting = 0;
    for (const char letter : letters) {
        bits = (bits << 6U) | static_cast<std::uint32_t>(kLetters.find(letter));
        waiting += 6;
        if (waiting >= 8) {
            waiting -= 8;
            bytes += static_cast<char>((bits >> waiting) & 0xFFU);
        }
    }
    return bytes;
}

std::size_t firstStranger(std::string_view letters)
{
    return letters.find_first_not_of(kLetters);
}

} // namespace flopsmith
