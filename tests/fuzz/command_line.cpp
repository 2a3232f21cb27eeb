// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/base/printable.h"
#include "core/model/presets.h"
#include "core/present/base/pixel_size.h"
#include "core/protocol/device/command_text.h"
#include "core/store/when.h"
#include "core/study/search/search.h"
#include "core/study/variation/axis_text.h"
#include "core/study/variation/variation.h"
#include "tests/fuzz/target.h"

#include <algorithm>

// Texts of options that have a grammar of their own. The first line names the option, the rest is its
// value; what is refused gets one sentence that is not much longer than all it has to say.
namespace {

using namespace flopsmith;

template <class T>
void judge(const Result<T>& result)
{
    if (!result) {
        FLOPSMITH_CHECK(!result.error().message.empty());
        FLOPSMITH_CHECK(result.error().message.size() < 10'000);
    }
}

Scenario small()
{
    return {*presetNamed("tiny"), {.sequence = 8}};
}

void readAxis(std::string_view text)
{
    for (const AxisValues allowed : {AxisValues::legal, AxisValues::any}) {
        const Result<Axis> axis = parsedAxis(text, small(), allowed);
        judge(axis);
        if (axis) {
            FLOPSMITH_CHECK(!axis->values.empty());
            FLOPSMITH_CHECK(axis->values.size() <= static_cast<std::size_t>(kMaxAxisValues));
        }
    }
}

void readTie(std::string_view text)
{
    const Result<Tie> tie = parsedTie(text);
    judge(tie);
    if (!tie) {
        return;
    }
    const Result<Variation> variation = Variation::create(small(), {"seq"}, {*tie});
    judge(variation);
    if (variation) {
        const Scenario scenario = variation->at({std::int64_t{4}});
        FLOPSMITH_CHECK(variation->meetsTies(scenario) == variation->tieNote(scenario).empty());
    }
}

void readBound(std::string_view text)
{
    judge(parsedBound(text));
    judge(parsedQuantity(text));
}

// --set KEY=VALUE and the name of a model.
void readSetting(std::string_view text)
{
    const std::size_t equals = std::min(text.find('='), text.size());
    Scenario scenario = small();
    judge(setParameter(
        scenario, text.substr(0, equals), text.substr(std::min(equals + 1, text.size()))));
}

void readTime(std::string_view text)
{
    constexpr UnixSeconds kNow = 1'800'000'000;
    const Result<UnixSeconds> since = sinceOf(std::string(text), kNow);
    judge(since);
    ageText(since ? *since : 0, kNow);
}

void readSize(std::string_view text)
{
    judge(parsedPixelSize(text));
}

// What is understood as a command is written and understood again.
void readCommand(std::string_view text)
{
    const auto words = commandOf(text);
    judge(words);
    if (words) {
        FLOPSMITH_CHECK(*commandOf(commandText(*words)) == *words);
    }
}

void show(std::string_view text)
{
    FLOPSMITH_CHECK(isPrintable(printable(text)));
    FLOPSMITH_CHECK(isPrintable(excerpt(text)));
}

} // namespace

FLOPSMITH_FUZZ_READER(command_line)
{
    const std::string_view all = asText(data, size);
    const std::size_t end = std::min(all.find('\n'), all.size());
    const std::string_view option = all.substr(0, end);
    const std::string_view text = all.substr(std::min(end + 1, all.size()));
    struct Reader
    {
        std::string_view option;
        void (*read)(std::string_view);
    };
    for (const Reader& reader : {Reader{"axis", readAxis},
                                 Reader{"tie", readTie},
                                 Reader{"bound", readBound},
                                 Reader{"set", readSetting},
                                 Reader{"since", readTime},
                                 Reader{"size", readSize},
                                 Reader{"command", readCommand}}) {
        if (reader.option == option) {
            reader.read(text);
        }
    }
    show(text);
    return 0;
}
