// SPDX-License-Identifier: MIT
#include "core/json/json_library.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace flopsmith {
namespace {

using Library = nlohmann::json;

constexpr std::size_t kLongestReason = 200;

// The useful part of the library's message, "[…] parse error at …: syntax error while parsing value
// - unexpected …".
std::string reasonIn(const std::string& what)
{
    const std::size_t dash = what.find(" - ");
    const std::size_t bracket = what.find("] ");
    std::string text = what;
    if (dash != std::string::npos) {
        text = what.substr(dash + 3);
    } else if (bracket != std::string::npos) {
        text = what.substr(bracket + 2);
    }
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (text.size() > kLongestReason) {
        // Not between the bytes of a character.
        std::size_t end = kLongestReason;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            --end;
        }
        text = text.substr(0, end) + "\xE2\x80\xA6";
    }
    return text;
}

/// Hands the library's events on.
class Events final : public nlohmann::json_sax<Library>
{
public:
    explicit Events(JsonEvents& events)
        : m_events(events)
    {}

    bool null() override { return m_events.null(); }
    bool boolean(bool value) override { return m_events.boolean(value); }
    bool number_integer(number_integer_t value) override { return m_events.integer(value); }
    bool number_unsigned(number_unsigned_t value) override
    {
        return m_events.unsignedInteger(value);
    }
    bool number_float(number_float_t value, const string_t& digits) override
    {
        return m_events.real(value, digits);
    }
    bool string(string_t& value) override { return m_events.text(value); }
    bool binary(binary_t& /*value*/) override { return false; } // no text has them
    bool start_object(std::size_t /*size*/) override { return m_events.startObject(); }
    bool key(string_t& name) override { return m_events.key(name); }
    bool end_object() override { return m_events.endObject(); }
    bool start_array(std::size_t /*size*/) override { return m_events.startArray(); }
    bool end_array() override { return m_events.endArray(); }
    bool parse_error(std::size_t position,
                     const std::string& /*lastToken*/,
                     const Library::exception& error) override
    {
        m_events.mistake(position, reasonIn(error.what()));
        return false;
    }

private:
    JsonEvents& m_events;
};

std::string spelled(const Library& value)
{
    return value.dump(-1, ' ', false, Library::error_handler_t::replace);
}

} // namespace

bool readEvents(std::string_view text, JsonEvents& events)
{
    Events sax(events);
    return Library::sax_parse(text, &sax);
}

std::string quotedJson(const std::string& text)
{
    return spelled(text);
}

std::string jsonDigits(double real)
{
    return spelled(real);
}

} // namespace flopsmith
