// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/rotary_angles.h"

#include "core/json/json.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

constexpr const char* kFull = "full_attention";
constexpr const char* kSliding = "sliding_attention";
constexpr double kLargestNumber = 1e12; // far above the numbers of real models

std::optional<double> numberIn(const Json& object, const char* key)
{
    if (!object.is_object() || !object.contains(key) || !object[key].is_number()) {
        return std::nullopt;
    }
    const double number = object[key].get<double>();
    return std::abs(number) <= kLargestNumber ? std::optional(number) : std::nullopt;
}

std::optional<double> numberUnder(ConfigReader& config, const char* key)
{
    const Json& value = config.value(key);
    return value.is_number() && std::isfinite(value.get<double>())
        ? std::optional(value.get<double>())
        : std::nullopt;
}

std::string typeOf(const Json& scaling)
{
    for (const char* key : {"rope_type", "type"}) {
        if (scaling.contains(key) && scaling[key].is_string()) {
            return scaling[key].get<std::string>();
        }
    }
    return "default";
}

// 0.1·m·ln(factor) + 1, as in the YaRN paper.
double magnitude(double factor, double m)
{
    return factor <= 1.0 ? 1.0 : 0.1 * m * std::log(factor) + 1.0;
}

// One object of stretching, read into a Rope that has its base already.
class Stretching
{
public:
    Stretching(ConfigReader& config, const char* key, const Json& scaling, Rope rope)
        : m_config(config)
        , m_key(key)
        , m_scaling(scaling)
        , m_plain(rope)
        , m_rope(rope)
    {}

    Rope rope()
    {
        const std::string type = typeOf(m_scaling);
        if (type == "default" || type == "mrope") {
            return m_plain;
        }
        if (type == "linear") {
            m_rope.scaling = RopeScaling::linear;
            m_rope.factor = needed("factor", 1.0);
        } else if (type == "llama3") {
            readLlama3();
        } else if (type == "yarn") {
            readYarn();
        } else if (type == "dynamic") {
            m_config.note(m_key
                          + ": dynamic changes angles of texts beyond "
                            "max_position_embeddings alone, and is left out");
            return m_plain;
        } else {
            m_reason = json::shownValue(type) + " is not known";
        }
        if (m_reason.empty()) {
            return m_rope;
        }
        m_config.leftOut(m_key + ": changes angles, not the cost; it is left out, because "
                         + m_reason);
        return m_plain;
    }

private:
    void refuse(const std::string& reason)
    {
        if (m_reason.empty()) {
            m_reason = reason;
        }
    }

    // A number that must be there, at least `low`.
    double needed(const char* name, double low)
    {
        const std::optional<double> number = numberIn(m_scaling, name);
        if (!number || *number < low) {
            refuse(std::string(name) + " must be a number of at least "
                   + std::to_string(static_cast<int>(low)));
        }
        return number.value_or(low);
    }

    double positiveOr(const char* name, double usual)
    {
        const double number = numberIn(m_scaling, name).value_or(usual);
        if (number <= 0.0) {
            refuse(std::string(name) + " must be above 0");
        }
        return number;
    }

    void readTrainedPositions()
    {
        std::optional<double> positions = numberIn(m_scaling, "original_max_position_embeddings");
        for (const char* key : {"original_max_position_embeddings",
                                "initial_context_length",
                                "max_position_embeddings"}) {
            positions = positions ? positions : numberUnder(m_config, key);
        }
        if (!positions || *positions < 1.0 || *positions > std::numeric_limits<int>::max()) {
            refuse("original_max_position_embeddings must be a number of at least 1");
            return;
        }
        m_rope.trainedPositions = static_cast<int>(*positions);
    }

    void readLlama3()
    {
        m_rope.scaling = RopeScaling::llama3;
        m_rope.factor = needed("factor", 1.0);
        m_rope.lowFrequency = positiveOr("low_freq_factor", needed("low_freq_factor", 0.0));
        m_rope.highFrequency = needed("high_freq_factor", 0.0);
        if (m_rope.highFrequency <= m_rope.lowFrequency) {
            refuse("high_freq_factor must be above low_freq_factor");
        }
        readTrainedPositions();
    }

    void readYarn()
    {
        m_rope.scaling = RopeScaling::yarn;
        readTrainedPositions();
        if (const std::optional<double> factor = numberIn(m_scaling, "factor")) {
            m_rope.factor = *factor;
        } else {
            m_rope.factor = numberUnder(m_config, "max_position_embeddings").value_or(0.0)
                / m_rope.trainedPositions;
        }
        if (m_rope.factor < 1.0) {
            refuse("factor must be a number of at least 1");
        }
        m_rope.betaFast = positiveOr("beta_fast", m_rope.betaFast);
        m_rope.betaSlow = positiveOr("beta_slow", m_rope.betaSlow);
        if (m_scaling.contains("truncate") && m_scaling["truncate"].is_boolean()) {
            m_rope.wholePairs = m_scaling["truncate"].get<bool>();
        }
        readAmplitude();
    }

    void readAmplitude()
    {
        const double m = numberIn(m_scaling, "mscale").value_or(0.0);
        const double all = numberIn(m_scaling, "mscale_all_dim").value_or(0.0);
        const double usual = m != 0.0 && all != 0.0
            ? magnitude(m_rope.factor, m) / magnitude(m_rope.factor, all)
            : magnitude(m_rope.factor, 1.0);
        m_rope.amplitude = positiveOr("attention_factor", usual);
    }

    ConfigReader& m_config;
    std::string m_key;
    const Json& m_scaling;
    Rope m_plain;
    Rope m_rope;
    std::string m_reason;
};

void setBase(ConfigReader& config, const char* key, const std::optional<double>& base, Rope& rope)
{
    if (!base) {
        return;
    }
    if (*base <= 1.0 || *base > kLargestNumber) {
        config.fail(key, "the base of rotary positions must be above 1 and at most 1e12");
        return;
    }
    rope.base = *base;
}

void readObject(ConfigReader& config, const char* key, const Json& object, Rope& rope)
{
    setBase(config, "rope_theta", numberIn(object, "rope_theta"), rope);
    rope = Stretching(config, key, object, rope).rope();
}

// One object per kind of block, or one for all; Gemma-3's single object is for blocks without a
// window.
void readScaling(ConfigReader& config,
                 const char* key,
                 const RotaryDefaults& defaults,
                 RotaryAngles& angles)
{
    const Json& scaling = config.value(key);
    if (!scaling.is_object()) {
        return;
    }
    if (scaling.contains(kFull) || scaling.contains(kSliding)) {
        for (const auto& [kind, rope] :
             {std::pair{kFull, &angles.full}, std::pair{kSliding, &angles.sliding}}) {
            if (scaling.contains(kind) && scaling[kind].is_object()) {
                readObject(config, key, scaling[kind], *rope);
            }
        }
        return;
    }
    readObject(config, key, scaling, angles.full);
    if (defaults.slidingBase == 0.0) {
        angles.sliding = angles.full;
    }
    const double all = numberIn(scaling, "mscale_all_dim").value_or(0.0);
    if (all != 0.0 && angles.full.isScaled()) {
        angles.scoreFactor = std::pow(magnitude(angles.full.factor, all), 2.0);
    }
}

} // namespace

RotaryAngles rotaryAngles(ConfigReader& config, const RotaryDefaults& defaults)
{
    RotaryAngles angles;
    angles.full.base = defaults.base;
    for (const char* key : {"rotary_emb_base", "rope_theta"}) {
        setBase(config, key, numberUnder(config, key), angles.full);
    }
    angles.sliding = angles.full;
    if (defaults.slidingBase != 0.0) {
        angles.sliding.base = defaults.slidingBase;
        setBase(config,
                "rope_local_base_freq",
                numberUnder(config, "rope_local_base_freq"),
                angles.sliding);
    }
    for (const char* key : {"rope_scaling", "rope_parameters"}) {
        readScaling(config, key, defaults, angles);
    }
    return angles;
}

} // namespace flopsmith
