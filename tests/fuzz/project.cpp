// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/base/text_file.h"
#include "core/io/project/project_file.h"
#include "core/io/reading.h"
#include "core/model/model_cost.h"
#include "tests/fuzz/target.h"

// A model file of any kind from its bytes on, as the window opens it. What is read can be costed, and
// what is written of it reads back the same.
FLOPSMITH_FUZZ_READER(project)
{
    using namespace flopsmith;
    const Result<std::string> text = textOfBytes(std::string(asText(data, size)), "file");
    if (!text) {
        FLOPSMITH_CHECK(!text.error().message.empty());
        return 0;
    }
    for (const Illegal illegal : {Illegal::refuse, Illegal::repair}) {
        const Result<Loaded> loaded = modelOfText(*text, "file", illegal);
        if (!loaded) {
            FLOPSMITH_CHECK(!loaded.error().message.empty());
            continue;
        }
        const Scenario& scenario = loaded->project.scenario;
        FLOPSMITH_CHECK(costTree(scenario).size() > 0);
        const std::string written = projectText(loaded->project);
        const Result<Loaded> again = modelOfText(written, "again");
        FLOPSMITH_CHECK(again.ok());
        FLOPSMITH_CHECK(again->project.scenario == scenario);
        FLOPSMITH_CHECK(projectText(again->project) == written); // with the keys that were kept
    }
    return 0;
}
