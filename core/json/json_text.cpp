// SPDX-License-Identifier: MIT
#include "core/json/json_text.h"

#include "core/json/json_library.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith {
namespace {

constexpr std::size_t kLongestText = 16U << 20U;
constexpr std::size_t kDeepestNesting = 64;

// Far above every real file, and low enough not to fill the memory.
constexpr std::size_t kMaxValues = 1'000'000;

// Line and column of byte `byte` (counted from 1, as the parser does).
std::string lineAndColumn(std::string_view text, std::size_t byte)
{
    std::size_t line = 1;
    std::size_t column = 1;
    for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n' ? 1 : 0;
    }
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

// Python writes numbers that JSON does not have.
std::string_view pythonsNumber(std::string_view text, std::size_t byte)
{
    const std::string_view rest = byte > 0 ? text.substr(std::min(byte - 1, text.size())) : "";
    for (const std::string_view name : {"Infinity", "NaN"}) {
        if (rest.starts_with(name)) {
            return name;
        }
    }
    return {};
}

// Builds the value from the parser's events. The JSON library's own builder searches for each key
// among the earlier ones, which takes minutes for an object of a hundred thousand; this one
// appends, and searches for duplicates when the object is complete.
class Builder final : public JsonEvents
{
public:
    /// Bounds are for the texts of strangers.
    explicit Builder(bool isBounded)
        : m_isBounded(isBounded)
    {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool integer(std::int64_t value) override { return add(value); }
    bool unsignedInteger(std::uint64_t value) override { return add(value); }
    bool real(double value, const std::string& /*digits*/) override { return add(value); }
    bool text(std::string& value) override { return add(std::move(value)); }

    bool startObject() override { return open(Json::object()); }
    bool startArray() override { return open(Json::array()); }
    bool endArray() override { return close(); }

    bool key(std::string& name) override
    {
        m_open.back()->append(std::move(name), Json());
        return true;
    }

    bool endObject() override
    {
        const std::string* twice = duplicateKey(m_open.back()->items());
        return twice == nullptr ? close() : refuse("the key \"" + *twice + "\" occurs twice");
    }

    void mistake(std::size_t byte, const std::string& reason) override
    {
        m_errorAt = byte;
        refuse("not valid JSON: " + reason);
    }

    Json take() { return std::move(m_root); }
    const std::string& refusal() const { return m_refusal; }

    /// The byte (counted from 1) of a mistake in the text, or 0.
    std::size_t errorAt() const { return m_errorAt; }

private:
    static const std::string* duplicateKey(const std::vector<JsonMember>& members)
    {
        std::vector<const std::string*> names;
        names.reserve(members.size());
        for (const JsonMember& member : members) {
            names.push_back(&member.key());
        }
        const auto less = [](const auto* a, const auto* b) { return *a < *b; };
        const auto equal = [](const auto* a, const auto* b) { return *a == *b; };
        std::sort(names.begin(), names.end(), less);
        const auto found = std::adjacent_find(names.begin(), names.end(), equal);
        return found == names.end() ? nullptr : *found;
    }

    bool refuse(std::string why)
    {
        m_refusal = std::move(why);
        return false;
    }

    // The inserted value, or null if there are too many.
    Json* place(Json value)
    {
        if (++m_values > kMaxValues && m_isBounded) {
            refuse("more than " + std::to_string(kMaxValues) + " values");
            return nullptr;
        }
        if (m_open.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        Json& parent = *m_open.back();
        if (parent.is_object()) {
            Json& last = parent.items().back().value();
            last = std::move(value);
            return &last;
        }
        parent.push_back(std::move(value));
        return &parent.back();
    }

    bool add(Json value) { return place(std::move(value)) != nullptr; }

    // A parent does not grow while its child is open, so that addresses stay good.
    bool open(Json empty)
    {
        if (m_open.size() >= kDeepestNesting && m_isBounded) {
            return refuse("nested more than " + std::to_string(kDeepestNesting) + " deep");
        }
        Json* placed = place(std::move(empty));
        if (placed != nullptr) {
            m_open.push_back(placed);
        }
        return placed != nullptr;
    }

    bool close()
    {
        m_open.pop_back();
        return true;
    }

    bool m_isBounded;
    Json m_root;
    std::vector<Json*> m_open;
    std::size_t m_values = 0;
    std::string m_refusal;
    std::size_t m_errorAt = 0;
};

bool needsNoEscape(const std::string& text)
{
    return std::ranges::all_of(
        text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

/// Writes values as the JSON library does, byte for byte.
class Writer
{
public:
    /// Spaces for each level; a negative number writes one line.
    explicit Writer(int indent)
        : m_indent(indent)
    {}

    std::string written(const Json& json)
    {
        write(json);
        return std::move(m_text);
    }

private:
    void write(const Json& json)
    {
        if (json.is_object()) {
            writeParts(json.items(), '{', '}', [this](const JsonMember& member) {
                writeText(member.key());
                m_text += m_indent < 0 ? ":" : ": ";
                write(member.value());
            });
        } else if (json.is_array()) {
            writeParts(json, '[', ']', [this](const Json& element) { write(element); });
        } else if (json.is_string()) {
            writeText(json.text());
        } else {
            m_text += unquoted(json);
        }
    }

    template <class Parts, class WritePart>
    void writeParts(const Parts& parts, char open, char close, WritePart writePart)
    {
        m_text += open;
        ++m_depth;
        bool isFirst = true;
        for (const auto& part : parts) {
            m_text += isFirst ? "" : ",";
            isFirst = false;
            breakLine();
            writePart(part);
        }
        --m_depth;
        if (!isFirst) {
            breakLine();
        }
        m_text += close;
    }

    void breakLine()
    {
        if (m_indent >= 0) {
            m_text += '\n';
            m_text.append(static_cast<std::size_t>(m_depth) * static_cast<std::size_t>(m_indent),
                          ' ');
        }
    }

    void writeText(const std::string& text)
    {
        if (needsNoEscape(text)) {
            m_text += '"';
            m_text += text;
            m_text += '"';
        } else {
            m_text += quotedJson(text);
        }
    }

    static std::string unquoted(const Json& json)
    {
        if (json.is_number_unsigned()) {
            return std::to_string(json.get<std::uint64_t>());
        }
        if (json.is_number_integer()) {
            return std::to_string(json.get<std::int64_t>());
        }
        if (json.is_number_float()) {
            return jsonDigits(json.get<double>());
        }
        if (json.is_boolean()) {
            return json.get<bool>() ? "true" : "false";
        }
        return json.is_null() ? "null" : "<discarded>";
    }

    int m_indent;
    int m_depth = 0;
    std::string m_text;
};

} // namespace

Json exactNumber(Count count)
{
    if (count < kLargestExactDouble && count > -Count{kLargestExactDouble}) {
        return static_cast<std::int64_t>(count);
    }
    return digits(count);
}

Result<Json> parsedJson(std::string_view text, const std::string& source)
{
    if (text.size() > kLongestText) {
        return Error{source + ": " + std::to_string(text.size())
                     + " bytes are too many; at most 16 MiB are read"};
    }
    Builder builder(true);
    if (readEvents(text, builder)) {
        return builder.take();
    }
    const std::string place =
        builder.errorAt() > 0 ? lineAndColumn(text, builder.errorAt()) + ": " : "";
    const std::string_view python = pythonsNumber(text, builder.errorAt());
    return Error{
        source + ": " + place
        + (python.empty() ? builder.refusal()
                          : std::string(python)
                   + " is no value of JSON, though Python writes it; right is a number, or "
                     "no such key")};
}

std::string withFiniteLimits(std::string_view text)
{
    constexpr std::string_view kOpen = "Infinity";
    constexpr std::string_view kLargest = "1e308   ";
    std::string finite(text);
    bool inText = false;
    char before = '\0'; // the last byte that is no space, outside of strings
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inText) {
            i += c == '\\' ? 1 : 0;
            inText = c != '"';
            continue;
        }
        inText = c == '"';
        if ((before == '[' || before == ',') && text.substr(i).starts_with(kOpen)) {
            finite.replace(i, kLargest.size(), kLargest);
            i += kOpen.size() - 1;
        }
        before = c == ' ' || c == '\n' || c == '\t' || c == '\r' ? before : c;
    }
    return finite;
}

Json ownJson(std::string_view text)
{
    Builder builder(false);
    return readEvents(text, builder) ? builder.take() : Json::discarded();
}

std::string jsonText(const Json& json, int indent)
{
    return Writer(indent).written(json);
}

} // namespace flopsmith
