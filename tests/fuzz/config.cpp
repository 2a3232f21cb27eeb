// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/base/text_file.h"
#include "core/io/hugging_face/import.h"
#include "core/json/json_text.h"
#include "core/model/model_cost.h"
#include "core/parameter/validation.h"
#include "tests/fuzz/target.h"

// A config.json of any family. What is imported is legal and can be costed.
FLOPSMITH_FUZZ_READER(config)
{
    using namespace flopsmith;
    const Result<std::string> text = textOfBytes(std::string(asText(data, size)), "config");
    if (!text) {
        return 0;
    }
    const auto json = parsedJson(*text, "config");
    if (!json) {
        FLOPSMITH_CHECK(!json.error().message.empty());
        return 0;
    }
    const Result<ImportedConfig> imported = importedConfig(*json, "config");
    if (!imported) {
        FLOPSMITH_CHECK(!imported.error().message.empty());
        return 0;
    }
    const Scenario scenario{imported->model, {}};
    FLOPSMITH_CHECK(validated(scenario).ok());
    FLOPSMITH_CHECK(costTree(scenario).total().parameters.trainable >= 0);
    return 0;
}
