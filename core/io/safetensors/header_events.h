// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/safetensors/safetensors_header.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith {

/// Fills a header from the parser's events: all of it as JSON values would take many times the
/// memory. After a refusal the parser stops.
class HeaderEvents final : public nlohmann::json_sax<nlohmann::ordered_json>
{
public:
    bool null() override { return refuseValue("null"); }
    bool boolean(bool value) override { return refuseValue(value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override;
    bool number_unsigned(number_unsigned_t value) override;
    bool number_float(number_float_t value, const string_t& text) override;
    bool string(string_t& value) override;
    bool binary(binary_t& /*value*/) override { return refuseValue("bytes"); }
    bool start_object(std::size_t size) override;
    bool key(string_t& name) override;
    bool end_object() override;
    bool start_array(std::size_t size) override;
    bool end_array() override;
    bool parse_error(std::size_t position,
                     const std::string& lastToken,
                     const nlohmann::ordered_json::exception& error) override;

    /// Of a text that was read to its end.
    SafetensorsHeader take() { return std::move(m_header); }

    /// Why the text was refused, and where in it.
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
    std::set<std::string> m_names; ///< of all tensors so far, and that of the metadata
    std::string m_key; ///< of the metadata
    std::string m_field; ///< of the tensor that is being read, as the others below
    std::string m_name;
    std::optional<TensorType> m_type;
    std::optional<Numbers> m_shape;
    std::optional<Numbers> m_offsets;
    std::string m_refusal;
};

} // namespace flopsmith
