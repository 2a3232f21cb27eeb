// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/json/unknown_keys.h"
#include "core/model/model.h"
#include "core/model/operation.h"

#include <string>

namespace flopsmith {

// Reads and writes specifications as JSON through their fields: a variant that has fields needs
// nothing here. {"kind": "spectral", "k_freq": 64, "selection": "low_pass", …}; a composed FFN adds
// "stages": […], a block with muted parts "mute": ["mixer", "ffn"], a model with patterns
// "patterns": [{"first": 0, "length": 2, "times": 4}]. Reading does not check legality (see
// validation.h), but an unknown kind or key, a wrong type or a number out of an int's range is an
// Error that names the place ("model.blocks[0].ffn"). With a list `unknown`, unknown keys are
// collected there instead.

Json toJson(const FfnSpec& ffn);
Json toJson(const MixerSpec& mixer);
Json toJson(const Model& model);
Json toJson(const Workload& workload);
Json toJson(const Scenario& scenario);
Json toJson(const Operation& operation);

Result<FfnSpec> ffnFromJson(const Json& json,
                            const std::string& place,
                            UnknownKeys* unknown = nullptr);
Result<MixerSpec> mixerFromJson(const Json& json,
                                const std::string& place,
                                UnknownKeys* unknown = nullptr);
Result<Model> modelFromJson(const Json& json,
                            const std::string& place,
                            UnknownKeys* unknown = nullptr);
Result<Workload> workloadFromJson(const Json& json,
                                  const std::string& place,
                                  UnknownKeys* unknown = nullptr);
Result<Scenario> scenarioFromJson(const Json& json, const std::string& place);
Result<Operation> operationFromJson(const Json& json, const std::string& place);

} // namespace flopsmith
