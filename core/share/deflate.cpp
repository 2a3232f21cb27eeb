// SPDX-License-Identifier: MIT
#include "core/share/deflate.h"

#include "core/base/check.h"

#include <zlib.h>

#include <algorithm>

namespace flopsmith {
namespace {

constexpr int kRawStream = -15; // no header of zlib's own, and the largest window
constexpr int kMaxMemory = 9;
constexpr std::size_t kPiece = 16'384; // of the text, as it is inflated

// zlib reads bytes without a sign and promises not to write them.
Bytef* zlibBytes(std::string_view text)
{
    return reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // NOLINT: the library's type
}

uInt zlibSize(std::string_view text)
{
    return static_cast<uInt>(text.size());
}

/// A stream of zlib that is set free in any case.
class Inflater
{
public:
    explicit Inflater(std::string_view similar)
    {
        FLOPSMITH_CHECK(inflateInit2(&m_stream, kRawStream) == Z_OK);
        if (!similar.empty()) {
            FLOPSMITH_CHECK(inflateSetDictionary(&m_stream, zlibBytes(similar), zlibSize(similar))
                            == Z_OK);
        }
    }

    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&m_stream); }

    std::optional<std::string> all(std::string_view bytes, std::size_t maxBytes)
    {
        m_stream.next_in = zlibBytes(bytes);
        m_stream.avail_in = zlibSize(bytes);
        std::string text;
        int state = Z_OK;
        while (state == Z_OK && text.size() <= maxBytes) {
            const std::size_t begin = text.size();
            text.resize(begin + kPiece);
            m_stream.next_out = zlibBytes(text) + begin;
            m_stream.avail_out = static_cast<uInt>(kPiece);
            state = inflate(&m_stream, Z_NO_FLUSH);
            text.resize(begin + kPiece - m_stream.avail_out);
        }
        const bool whole = state == Z_STREAM_END && m_stream.avail_in == 0;
        return whole && text.size() <= maxBytes ? std::optional(std::move(text)) : std::nullopt;
    }

private:
    z_stream m_stream{};
};

} // namespace

std::string deflated(std::string_view text, std::string_view similar)
{
    z_stream stream{};
    FLOPSMITH_CHECK(
        deflateInit2(
            &stream, Z_BEST_COMPRESSION, Z_DEFLATED, kRawStream, kMaxMemory, Z_DEFAULT_STRATEGY)
        == Z_OK);
    if (!similar.empty()) {
        FLOPSMITH_CHECK(deflateSetDictionary(&stream, zlibBytes(similar), zlibSize(similar))
                        == Z_OK);
    }
    std::string bytes(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    stream.next_in = zlibBytes(text);
    stream.avail_in = zlibSize(text);
    stream.next_out = zlibBytes(bytes);
    stream.avail_out = zlibSize(bytes);
    FLOPSMITH_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    bytes.resize(stream.total_out);
    deflateEnd(&stream);
    return bytes;
}

std::optional<std::string> inflated(std::string_view bytes,
                                    std::string_view similar,
                                    std::size_t maxBytes)
{
    return Inflater(similar).all(bytes, maxBytes);
}

std::uint32_t checksum(std::string_view bytes)
{
    return static_cast<std::uint32_t>(
        crc32(crc32(0, nullptr, 0), zlibBytes(bytes), zlibSize(bytes)));
}

} // namespace flopsmith
