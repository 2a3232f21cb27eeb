// SPDX-License-Identifier: MIT
#include "core/share/envelope.h"

#include "core/base/printable.h"
#include "core/share/base64url.h"
#include "core/share/deflate.h"

#include <algorithm>
#include <optional>

namespace flopsmith {
namespace {

constexpr std::string_view kThisVersion = "FS1.";
constexpr std::size_t kHashBytes = 3;
constexpr std::size_t kLengthBytes = 2;
constexpr std::size_t kSumBytes = 4;
constexpr std::size_t kLongestId = 255;

// The highest byte first.
void appendNumber(std::string& bytes, std::uint32_t number, std::size_t size)
{
    for (std::size_t i = size; i-- > 0;) {
        bytes += static_cast<char>((number >> (8 * i)) & 0xFFU);
    }
}

/// Takes an envelope's bytes from the front.
class EnvelopeBytes
{
public:
    explicit EnvelopeBytes(std::string_view bytes)
        : m_rest(bytes)
    {}

    std::optional<std::string_view> take(std::size_t size)
    {
        if (size > m_rest.size()) {
            return std::nullopt;
        }
        const std::string_view taken = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        return taken;
    }

    std::optional<std::uint32_t> number(std::size_t size)
    {
        const std::optional<std::string_view> taken = take(size);
        if (!taken) {
            return std::nullopt;
        }
        std::uint32_t number = 0;
        for (const char byte : *taken) {
            number = (number << 8U) | static_cast<unsigned char>(byte);
        }
        return number;
    }

private:
    std::string_view m_rest;
};

// Up to the compressed bytes, and how many there should be.
struct EnvelopeHead
{
    Envelope envelope{};
    std::size_t size = 0;
    std::size_t length = 0;
};

std::optional<EnvelopeHead> headOf(std::string_view all)
{
    EnvelopeBytes bytes(all);
    EnvelopeHead head;
    const auto idSize = bytes.number(1);
    const auto id = idSize ? bytes.take(*idSize) : std::nullopt;
    if (!id) {
        return std::nullopt;
    }
    head.envelope.preset = std::string(*id);
    head.size = 1 + id->size() + kLengthBytes;
    if (!id->empty()) {
        const auto hash = bytes.number(kHashBytes);
        if (!hash) {
            return std::nullopt;
        }
        head.envelope.presetHash = *hash;
        head.size += kHashBytes;
    }
    const auto length = bytes.number(kLengthBytes);
    if (!length) {
        return std::nullopt;
    }
    head.length = *length;
    return head;
}

Error about(std::string_view code, const std::string& what)
{
    return {shortCode(code) + ": " + what};
}

Status checkLetters(std::string_view code)
{
    if (code.size() > kLongestShareCode) {
        return about(code,
                     "a share code has at most " + std::to_string(kLongestShareCode)
                         + " characters; open such a design from a file");
    }
    if (const std::size_t dot = code.find('.');
        dot != std::string_view::npos && code.substr(0, dot + 1) != kThisVersion) {
        return about(code,
                     "the share code has version " + excerpt(code.substr(0, dot))
                         + ", this program reads FS1; open it with a newer Flopsmith");
    }
    const std::string_view letters = code.substr(std::min(kThisVersion.size(), code.size()));
    if (const std::size_t at = firstStranger(letters); at != std::string_view::npos) {
        return about(code,
                     "character " + std::to_string(kThisVersion.size() + at + 1) + ", \""
                         + printable(letters.substr(at, 1))
                         + "\", is none of a share code; these are A-Z, a-z, 0-9, - and _");
    }
    return Done{};
}

Error cutShort(std::string_view code, const std::string& sizes)
{
    return about(code, "the share code is cut short" + sizes + "; copy all of it");
}

Status checkSize(std::string_view code, std::size_t bytes)
{
    const std::size_t wanted = kThisVersion.size() + lettersOfBytes(bytes);
    const std::string sizes =
        std::to_string(code.size()) + " of " + std::to_string(wanted) + " characters";
    if (code.size() < wanted) {
        return cutShort(code, ", " + sizes + " are there");
    }
    if (code.size() > wanted) {
        return about(code,
                     "the share code ends after " + std::to_string(wanted) + " characters, but "
                         + std::to_string(code.size()) + " are there; copy it alone");
    }
    return Done{};
}

} // namespace

std::string shortCode(std::string_view code)
{
    constexpr std::size_t kShown = 24;
    return elided(printable(code.substr(0, kLongestShareCode)), kShown);
}

Result<std::string> sealed(const Envelope& envelope)
{
    const Error tooLong{"the design is too large for a share code, which has at most "
                        + std::to_string(kLongestShareCode) + " characters; save it as a file"};
    if (envelope.preset.size() > kLongestId || envelope.bytes.size() > kLongestShareCode - 1) {
        return tooLong;
    }
    std::string bytes;
    appendNumber(bytes, static_cast<std::uint32_t>(envelope.preset.size()), 1);
    bytes += envelope.preset;
    if (!envelope.preset.empty()) {
        appendNumber(bytes, envelope.presetHash, kHashBytes);
    }
    appendNumber(bytes, static_cast<std::uint32_t>(envelope.bytes.size()), kLengthBytes);
    bytes += envelope.bytes;
    appendNumber(bytes, checksum(bytes), kSumBytes);
    std::string code = std::string(kThisVersion) + base64url(bytes);
    return code.size() > kLongestShareCode ? Result<std::string>(tooLong) : code;
}

Result<Envelope> openedEnvelope(std::string_view code)
{
    FLOPSMITH_RETURN_IF_ERROR(checkLetters(code));
    const std::string_view letters = code.substr(std::min(kThisVersion.size(), code.size()));
    const std::string bytes = bytesOfBase64url(letters);
    std::optional<EnvelopeHead> head = headOf(bytes);
    if (!head) {
        return cutShort(code, "");
    }
    const std::size_t summed = head->size + head->length;
    FLOPSMITH_RETURN_IF_ERROR(checkSize(code, summed + kSumBytes));
    const std::string_view all = bytes;
    const bool fits =
        EnvelopeBytes(all.substr(summed)).number(kSumBytes) == checksum(all.substr(0, summed))
        && base64url(bytes) == letters;
    if (!fits) {
        return about(code, "its checksum does not fit; a character is mistyped, so copy it again");
    }
    head->envelope.bytes = std::string(all.substr(head->size, head->length));
    return head->envelope;
}

} // namespace flopsmith
