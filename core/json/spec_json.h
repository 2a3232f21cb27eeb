// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/unknown_keys.h"
#include "core/model/model.h"
#include "core/model/operation.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace flopsmith {

// Specifications as JSON, written and read through their fields: a variant that has fields needs
// nothing here. {"kind": "spectral", "k_freq": 64, "selection": "low_pass", …}; a composed FFN
// adds "stages": […], a block with muted parts "mute": ["mixer", "ffn"], a model with patterns
// "patterns": [{"first": 0, "length": 2, "times": 4}]. Reading does not judge
// legality (see validation.h) but refuses unknown kinds and keys, wrong types and numbers out of an
// int's range, naming the place ("model.blocks[0].ffn").
// Where a list `unknown` is given, unknown keys are collected there instead.

nlohmann::ordered_json toJson(const FfnSpec& ffn);
nlohmann::ordered_json toJson(const MixerSpec& mixer);
nlohmann::ordered_json toJson(const Model& model);
nlohmann::ordered_json toJson(const Workload& workload);
nlohmann::ordered_json toJson(const Scenario& scenario);
nlohmann::ordered_json toJson(const Operation& operation);

Result<FfnSpec> ffnFromJson(const nlohmann::ordered_json& json,
                            const std::string& place,
                            UnknownKeys* unknown = nullptr);
Result<MixerSpec> mixerFromJson(const nlohmann::ordered_json& json,
                                const std::string& place,
                                UnknownKeys* unknown = nullptr);
Result<Model> modelFromJson(const nlohmann::ordered_json& json,
                            const std::string& place,
                            UnknownKeys* unknown = nullptr);
Result<Workload> workloadFromJson(const nlohmann::ordered_json& json,
                                  const std::string& place,
                                  UnknownKeys* unknown = nullptr);
Result<Scenario> scenarioFromJson(const nlohmann::ordered_json& json, const std::string& place);
Result<Operation> operationFromJson(const nlohmann::ordered_json& json, const std::string& place);

} // namespace flopsmith
