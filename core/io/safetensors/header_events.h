// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/safetensors/safetensors_header.h"
#include "core/json/json_library.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith {

/// Fills a header from the parser's events: all of it as JSON values would take many times the
/// memory. After a refusal the parser stops.
class HeaderEvents final : public JsonEvents
{
public:
    bool null() override { return refuseValue("null"); }
    bool boolean(bool value) override { return refuseValue(value ? "true" : "false"); }
    bool integer(std::int64_t value) override;
    bool unsignedInteger(std::uint64_t value) override;
    bool real(double value, const std::string& digits) override;
    bool text(std::string& value) override;
    bool startObject() override;
    bool key(std::string& name) override;
    bool endObject() override;
    bool startArray() override;
    bool endArray() override;
    void mistake(std::size_t byte, const std::string& reason) override;

    /// For a text that was read to its end.
    SafetensorsHeader take() { return std::move(m_header); }

    /// Why the text was rejected, and where.
    const std::string& refusal() const { return m_refusal; }

private:
    using Numbers = std::vector<std::uint64_t>;
    enum class Place { outside, names, metadata, tensor, numbers };

    bool refuse(const std::string& why);
    bool refuseValue(const std::string& value);
    std::string place() const; ///< with a colon and a blank
    std::string expected() const;
    bool addName(const std::string& name);
    bool addField(const std::string& name);
    bool finishTensor();

    SafetensorsHeader m_header;
    Place m_place = Place::outside;
    std::set<std::string> m_names; ///< of all tensors so far, and of the metadata
    std::string m_key; ///< of the metadata
    std::string m_field; ///< of the tensor that is being read, like the members below
    std::string m_name;
    std::optional<TensorType> m_type;
    std::optional<Numbers> m_shape;
    std::optional<Numbers> m_offsets;
    std::string m_refusal;
};

} // namespace flopsmith
