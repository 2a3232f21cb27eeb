// SPDX-License-Identifier: MIT
#include "core/store/signature.h"

#include "core/json/json_text.h"
#include "core/protocol/wire/environment_json.h"
#include "core/protocol/wire/wire.h"

namespace flopsmith {

Json questionJson(const MeasureRequest& question)
{
    Json json = ownJson(lineOf(Request(question)));
    for (const char* key : {"protocol", "type", "id", "budget_seconds"}) {
        json.erase(key);
    }
    return json;
}

std::string questionText(const MeasureRequest& question)
{
    return jsonText(questionJson(question));
}

std::string machineSignature(const Described& described)
{
    Environment lasting = described.environment;
    lasting.availableBytes.reset();
    lasting.loadAverage.reset();
    lasting.hostId.clear(); // changes at each boot
    lasting.memoryBytes.reset(); // varies slightly between boots
    Json json{{"program", described.program}, {"libraries", Json::array()}};
    for (const Library& library : described.libraries) {
        json["libraries"].push_back({library.name, library.version});
    }
    json["environment"] = toJson(lasting);
    return jsonText(json);
}

} // namespace flopsmith
