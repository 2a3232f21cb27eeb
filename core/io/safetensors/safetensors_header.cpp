// SPDX-License-Identifier: MIT
#include "core/io/safetensors/safetensors_header.h"

#include "core/base/printable.h"
#include "core/io/safetensors/header_events.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::size_t kLengthBytes = 8; // of the header's length at the start

std::uint64_t lengthAtStart(std::span<const std::byte> bytes)
{
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
        length |= std::to_integer<std::uint64_t>(bytes[i]) << (8U * i);
    }
    return length;
}

// The text of the header.
Result<std::string_view> headerText(std::span<const std::byte> bytes, const std::string& source)
{
    if (bytes.size() < kLengthBytes) {
        return Error{source + ": no safetensors file: " + std::to_string(bytes.size())
                     + " bytes, and the first 8 must hold the length of its header"};
    }
    const std::uint64_t length = lengthAtStart(bytes);
    if (length > kMaxSafetensorsHeader) {
        return Error{source + ": no safetensors file: a header of " + std::to_string(length)
                     + " bytes; at most " + std::to_string(kMaxSafetensorsHeader) + " are read"};
    }
    if (length > bytes.size() - kLengthBytes) {
        return Error{source + ": cut short: the header takes " + std::to_string(length)
                     + " bytes, and only " + std::to_string(bytes.size() - kLengthBytes)
                     + " follow its length"};
    }
    const auto* const start = reinterpret_cast<const char*>(bytes.data()); // NOLINT: text is bytes
    const std::string_view text(start + kLengthBytes, length);
    if (!text.starts_with('{')) {
        return Error{source + ": no safetensors file: its header must begin with {"};
    }
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        // The parser would take it for the end.
        return Error{source + ": byte " + std::to_string(zero + 1)
                     + " of the header: not valid JSON: a byte that is 0"};
    }
    return text;
}

std::string quotedTensor(const SafetensorsTensor& tensor)
{
    return "tensor \"" + excerpt(tensor.name) + "\"";
}

// Each byte of the data belongs to one tensor. The tensors are sorted by their bytes.
Status coveringStatus(const std::vector<SafetensorsTensor>& tensors,
                      std::uint64_t dataBytes,
                      const std::string& source)
{
    std::uint64_t covered = 0;
    for (const SafetensorsTensor& tensor : tensors) {
        const std::string begins = source + ": " + quotedTensor(tensor) + " begins at byte "
            + std::to_string(tensor.begin) + " of the data, ";
        if (tensor.begin < covered) {
            return Error{begins + "inside of another tensor, which ends at "
                         + std::to_string(covered)};
        }
        if (tensor.begin > covered) {
            return Error{begins + "and the bytes from " + std::to_string(covered)
                         + " on belong to no tensor"};
        }
        covered = tensor.end;
    }
    if (covered > dataBytes) {
        return Error{source + ": cut short: " + quotedTensor(tensors.back()) + " ends at byte "
                     + std::to_string(covered) + " of the data, and the file has "
                     + std::to_string(dataBytes)};
    }
    if (covered < dataBytes) {
        return Error{source + ": the last " + std::to_string(dataBytes - covered)
                     + " bytes belong to no tensor"};
    }
    return Done{};
}

} // namespace

Result<SafetensorsHeader> parsedSafetensors(std::span<const std::byte> bytes,
                                            const std::string& source)
{
    FLOPSMITH_TRY(const std::string_view text, headerText(bytes, source));
    HeaderEvents events;
    if (!readEvents(text, events)) {
        return Error{source + ": " + events.refusal()};
    }
    SafetensorsHeader header = events.take();
    header.dataStart = kLengthBytes + text.size();
    std::ranges::stable_sort(header.tensors, {}, [](const SafetensorsTensor& tensor) {
        return std::pair(tensor.begin, tensor.end); // an empty tensor comes before its neighbour
    });
    FLOPSMITH_RETURN_IF_ERROR(
        coveringStatus(header.tensors, bytes.size() - header.dataStart, source));
    return header;
}

} // namespace flopsmith
