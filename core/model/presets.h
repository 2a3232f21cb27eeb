// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// What a model is, for lists of presets.
enum class PresetKind { cheapFfns, decoder, experts, linear, encoder, vision };

/// "Decoders", "Mixtures of experts"
std::string_view title(PresetKind kind);

/// A named model to start from.
struct Preset
{
    std::string_view id; ///< "gpt2": on the command line
    std::string_view title; ///< "GPT-2 small"
    std::string_view note; ///< one line about it
    PresetKind kind = PresetKind::decoder;
    Model (*make)();
    int bits = 32; ///< of the published weights and of the computation

    Precision precision() const { return Precision::of(bits); }

    /// The model under the usual workload, in its precision.
    Scenario scenario() const { return {make(), {.precision = precision()}}; }
};

const std::vector<Preset>& presets();
const Preset* findPreset(std::string_view id); ///< or null
std::optional<Model> presetNamed(std::string_view id);

/// A minimal start, since a model without blocks is illegal: one block of GPT-2 small, with its
/// embedding and head, named "untitled".
Model newModel();

} // namespace flopsmith
