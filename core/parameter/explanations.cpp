// SPDX-License-Identifier: MIT
#include "core/parameter/explanations.h"

#include "core/parameter/installed_explanations.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>

namespace flopsmith {
namespace {

using ExplanationsByKey = std::unordered_map<std::string_view, const Explanation*>;

// A broken file is left out, and a test says what is wrong with it.
std::vector<Explanation> readExplanations()
{
    std::vector<Explanation> all;
    for (const InstalledText& file : installedExplanations()) {
        if (auto entries = parsedExplanations(file.fileName, file.text)) {
            std::move(entries->begin(), entries->end(), std::back_inserter(all));
        }
    }
    return all;
}

ExplanationsByKey explanationsByKey()
{
    ExplanationsByKey all;
    for (const Explanation& each : explanations()) {
        all.emplace(each.key, &each);
    }
    return all;
}

} // namespace

const std::vector<Explanation>& explanations()
{
    static const std::vector<Explanation> kAll = readExplanations();
    return kAll;
}

const Explanation* explanationOf(std::string_view key)
{
    static const ExplanationsByKey kAll = explanationsByKey();
    const auto found = kAll.find(key);
    return found == kAll.end() ? nullptr : found->second;
}

const Explanation* explanationOf(const Parameter& parameter)
{
    if (parameter.component != nullptr) {
        const std::string own =
            std::string(parameter.component->id) + '.' + std::string(parameter.text.key);
        if (const Explanation* found = explanationOf(own)) {
            return found;
        }
    }
    return explanationOf(parameter.text.key);
}

} // namespace flopsmith
