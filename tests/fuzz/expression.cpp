// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teach/expression/expression.h"

#include "core/base/check.h"
#include "core/model/presets.h"
#include "tests/fuzz/target.h"

// An answer's expression, and the text of its value.
FLOPSMITH_FUZZ_READER(expression)
{
    using namespace flopsmith;
    static const LessonContext kContext{.scenario = {newModel(), {.sequence = 128}}};
    const Result<Value> value = evaluate(asText(data, size), kContext);
    if (!value) {
        FLOPSMITH_CHECK(!value.error().message.empty());
    } else {
        FLOPSMITH_CHECK(evaluate(asText(data, size), kContext).ok());
        FLOPSMITH_CHECK(goldenText(*value).size() <= size + 100);
    }
    return 0;
}
