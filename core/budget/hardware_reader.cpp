// SPDX-License-Identifier: MIT
#include "core/budget/hardware.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace flopsmith {
namespace {

constexpr int kHardwareFormat = 1;
constexpr std::size_t kMaxDevices = 1'000;
constexpr std::size_t kLongestText = 1'000;
constexpr double kMaxPerUnit = 1e12; // far above every device, in whatever unit

/// Reads one object and keeps the first thing that was wrong with it, so that a device is read
/// figure by figure and judged once.
class Reader
{
public:
    explicit Reader(std::string source)
        : m_source(std::move(source))
    {}

    std::vector<Hardware> file(const Json& json)
    {
        expectKeys(json, "", {"flopsmith_hardware", "devices"});
        if (ok() && json.value("flopsmith_hardware", Json()) != Json(kHardwareFormat)) {
            fail("flopsmith_hardware", "expected 1, the version of this format");
        }
        const Json* devices = list(json, "devices", "", kMaxDevices);
        std::vector<Hardware> all;
        for (std::size_t i = 0; ok() && i < devices->size(); ++i) {
            const std::string place = "devices[" + std::to_string(i) + "]";
            all.push_back(device((*devices)[i], place));
            for (std::size_t j = 0; ok() && j + 1 < all.size(); ++j) {
                if (all[j].id == all.back().id) {
                    fail(place + ".id", "\"" + all.back().id + "\" is there twice");
                }
            }
        }
        return all;
    }

    bool ok() const { return m_error.empty(); }
    Error error() const { return {m_error}; }

private:
    void fail(const std::string& place, const std::string& what)
    {
        if (ok()) {
            m_error = m_source + ": " + (place.empty() ? "" : place + ": ") + what;
        }
    }

    static std::string joined(const std::string& place, const std::string& key)
    {
        return place.empty() ? key : place + "." + key;
    }

    void expectKeys(const Json& json,
                    const std::string& place,
                    std::initializer_list<std::string_view> known)
    {
        if (!json.is_object()) {
            fail(place, std::string("expected an object { … }, found ") + json.type_name());
            return;
        }
        std::string list;
        for (const std::string_view key : known) {
            list += (list.empty() ? "" : ", ") + std::string(key);
        }
        for (const auto& item : json.items()) {
            if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
                fail(joined(place, item.key()), "no such key here; known are " + list);
            }
        }
    }

    const Json* find(const Json& json, const std::string& key, const std::string& place)
    {
        if (!ok()) {
            return nullptr;
        }
        const Json* found = json.find(key);
        if (found == nullptr) {
            fail(joined(place, key), "missing");
            return nullptr;
        }
        return found;
    }

    const Json* list(const Json& json,
                     const std::string& key,
                     const std::string& place,
                     std::size_t most)
    {
        const Json* value = find(json, key, place);
        if (value != nullptr && (!value->is_array() || value->empty() || value->size() > most)) {
            fail(joined(place, key),
                 "expected a list [ … ] with 1 to " + std::to_string(most) + " entries");
        }
        return value;
    }

    std::string text(const Json& json, const std::string& key, const std::string& place)
    {
        const Json* value = find(json, key, place);
        if (value == nullptr) {
            return {};
        }
        if (!value->is_string() || value->get<std::string>().empty()
            || value->get<std::string>().size() > kLongestText) {
            fail(joined(place, key), "expected a text in quotes, neither empty nor very long");
            return {};
        }
        return value->get<std::string>();
    }

    double amount(const Json& json, const std::string& key, const std::string& place)
    {
        const Json* value = find(json, key, place);
        if (value == nullptr) {
            return 0.0;
        }
        const double number = value->is_number() ? value->get<double>() : 0.0;
        if (!std::isfinite(number) || number <= 0.0 || number > kMaxPerUnit) {
            fail(joined(place, key), "expected a number above 0 and at most 1e12");
            return 0.0;
        }
        return number;
    }

    template <class Enum>
    Enum named(const Json& json, const std::string& key, const std::string& place)
    {
        const std::string name = text(json, key, place);
        const auto names = enumNames<Enum>();
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            std::string known;
            for (const std::string_view each : names) {
                known += (known.empty() ? "" : ", ") + std::string(each);
            }
            fail(joined(place, key), "\"" + name + "\" is unknown; known are " + known);
            return Enum{};
        }
        return static_cast<Enum>(found - names.begin());
    }

    // {"gb_per_s": 2039, "source": "…"}, in units of `unit`.
    SourcedFigure figure(const Json& json, const std::string& place, const char* key, double unit)
    {
        expectKeys(json, place, {key, "source"});
        SourcedFigure read;
        read.value = amount(json, key, place) * unit;
        read.source = text(json, "source", place);
        return read;
    }

    std::optional<SourcedFigure> optionalFigure(const Json& json,
                                                const std::string& name,
                                                const std::string& place,
                                                const char* key,
                                                double unit)
    {
        if (!ok() || !json.contains(name)) {
            return std::nullopt;
        }
        return figure(json[name], joined(place, name), key, unit);
    }

    ComputePeak peak(const Json& json, const std::string& place)
    {
        expectKeys(json, place, {"format", "tflops", "dense", "source"});
        ComputePeak read;
        read.format = named<NumberFormat>(json, "format", place);
        read.flopsPerSecond = amount(json, "tflops", place) * 1e12;
        read.source = text(json, "source", place);
        const Json* dense = find(json, "dense", place);
        if (dense != nullptr && *dense != Json(true)) {
            fail(joined(place, "dense"),
                 "expected true; a figure for sparse matrices counts products that are never "
                 "computed, so give the dense one (mostly half of it)");
        }
        return read;
    }

    Hardware device(const Json& json, const std::string& place)
    {
        expectKeys(json, place, {"id", "name", "kind", "memory", "bandwidth", "power", "peaks"});
        Hardware read;
        read.id = text(json, "id", place);
        read.name = text(json, "name", place);
        read.kind = named<HardwareKind>(json, "kind", place);
        read.memoryBytes = optionalFigure(json, "memory", place, "gb", 1e9);
        if (const Json* bandwidth = find(json, "bandwidth", place)) {
            read.bytesPerSecond = figure(*bandwidth, joined(place, "bandwidth"), "gb_per_s", 1e9);
        }
        read.watts = optionalFigure(json, "power", place, "watts", 1.0);
        const Json* peaks = list(json, "peaks", place, enumNames<NumberFormat>().size());
        for (std::size_t i = 0; ok() && i < peaks->size(); ++i) {
            const std::string at = place + ".peaks[" + std::to_string(i) + "]";
            const ComputePeak next = peak((*peaks)[i], at);
            if (ok() && read.peak(next.format) != nullptr) {
                fail(at + ".format", "there are two peaks of this format");
            }
            read.peaks.push_back(next);
        }
        return read;
    }

    std::string m_source;
    std::string m_error;
};

} // namespace

Result<std::vector<Hardware>> hardwareFromText(std::string_view text, const std::string& source)
{
    const Result<Json> json = parsedJson(text, source);
    if (!json) {
        return json.error();
    }
    Reader reader(source);
    std::vector<Hardware> all = reader.file(*json);
    if (!reader.ok()) {
        return reader.error();
    }
    return all;
}

} // namespace flopsmith
