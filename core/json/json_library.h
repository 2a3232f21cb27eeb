// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// All that is used of the JSON library (nlohmann-json), which takes seconds in a source: no other
// includes it.
namespace flopsmith {

/// The events of parsing a JSON text, for texts that are too large for values. Each function
/// returns whether to read on.
class JsonEvents
{
public:
    virtual ~JsonEvents() = default;

    virtual bool null() = 0;
    virtual bool boolean(bool value) = 0;
    virtual bool integer(std::int64_t value) = 0; ///< negative
    virtual bool unsignedInteger(std::uint64_t value) = 0;
    virtual bool real(double value, const std::string& digits) = 0;
    virtual bool text(std::string& value) = 0; ///< may be moved from, also keys
    virtual bool startObject() = 0;
    virtual bool key(std::string& name) = 0;
    virtual bool endObject() = 0;
    virtual bool startArray() = 0;
    virtual bool endArray() = 0;

    /// The text is not JSON from this byte on, counted from 1, with a reason that a person can use.
    virtual void mistake(std::size_t byte, const std::string& reason) = 0;
};

/// Whether the text was read to its end.
bool readEvents(std::string_view text, JsonEvents& events);

/// In quotes, with escapes; bytes that are not UTF-8 are replaced by U+FFFD.
std::string quotedJson(const std::string& text);

/// 1.0, 1e+20, and null for a number that is not finite.
std::string jsonDigits(double real);

} // namespace flopsmith
