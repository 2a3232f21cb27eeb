// SPDX-License-Identifier: MIT
#include "core/protocol/wire/environment_json.h"

#include "core/json/object_reader.h"

#include <limits>

namespace flopsmith {
namespace {

constexpr std::int64_t kMaxCores = std::numeric_limits<int>::max();
constexpr std::int64_t kMaxBytes = std::numeric_limits<std::int64_t>::max();

template <class Value>
void writeIfKnown(Json& json, const char* key, const std::optional<Value>& value)
{
    if (value) {
        json[key] = *value;
    }
}

void writeIfKnown(Json& json, const char* key, const std::string& value)
{
    if (!value.empty()) {
        json[key] = value;
    }
}

int cores(ObjectReader& read, const std::string& key, std::int64_t min)
{
    return static_cast<int>(read.wholeOr(key, min, kMaxCores, min));
}

} // namespace

Json toJson(const Environment& e)
{
    Json json = Json::object();
    writeIfKnown(json, "cpu_model", e.cpuModel);
    writeIfKnown(json, "architecture", e.architecture);
    json["logical_cores"] = e.logicalCores;
    json["usable_cores"] = e.usableCores;
    json["threads"] = e.threads;
    json["instruction_sets"] = e.instructionSets;
    writeIfKnown(json, "l1_data_bytes", e.l1DataBytes);
    writeIfKnown(json, "l2_bytes", e.l2Bytes);
    writeIfKnown(json, "l3_bytes", e.l3Bytes);
    writeIfKnown(json, "memory_bytes", e.memoryBytes);
    writeIfKnown(json, "available_bytes", e.availableBytes);
    writeIfKnown(json, "operating_system", e.operatingSystem);
    writeIfKnown(json, "kernel", e.kernel);
    writeIfKnown(json, "frequency_governor", e.frequencyGovernor);
    writeIfKnown(json, "load_average", e.loadAverage);
    json["virtual_machine"] = e.virtualMachine;
    writeIfKnown(json, "host_id", e.hostId);
    writeIfKnown(json, "container", e.container);
    writeIfKnown(json, "compiler", e.compiler);
    writeIfKnown(json, "build", e.build);
    writeIfKnown(json, "build_type", e.buildType);
    writeIfKnown(json, "warning", e.warning);
    return json;
}

Result<Environment> environmentFromJson(const Json& json, const std::string& place)
{
    ObjectReader read(json, place);
    Environment e;
    e.cpuModel = read.textOr("cpu_model", "");
    e.architecture = read.textOr("architecture", "");
    e.logicalCores = cores(read, "logical_cores", 0);
    e.usableCores = cores(read, "usable_cores", 0);
    e.threads = cores(read, "threads", 1);
    e.instructionSets = read.texts("instruction_sets");
    e.l1DataBytes = read.optionalWhole("l1_data_bytes", 0, kMaxBytes);
    e.l2Bytes = read.optionalWhole("l2_bytes", 0, kMaxBytes);
    e.l3Bytes = read.optionalWhole("l3_bytes", 0, kMaxBytes);
    e.memoryBytes = read.optionalWhole("memory_bytes", 0, kMaxBytes);
    e.availableBytes = read.optionalWhole("available_bytes", 0, kMaxBytes);
    e.operatingSystem = read.textOr("operating_system", "");
    e.kernel = read.textOr("kernel", "");
    e.frequencyGovernor = read.textOr("frequency_governor", "");
    e.loadAverage = read.optionalAmount("load_average");
    e.virtualMachine = read.flag("virtual_machine");
    e.hostId = read.textOr("host_id", "");
    e.container = read.textOr("container", "");
    e.compiler = read.textOr("compiler", "");
    e.build = read.textOr("build", "");
    e.buildType = read.textOr("build_type", "");
    e.warning = read.textOr("warning", "");
    return read.judged(std::move(e));
}

} // namespace flopsmith
