// SPDX-License-Identifier: MIT
#include "core/parameter/legal_structure.h"

#include "core/mixer/mixer.h"

#include <algorithm>
#include <numeric>

namespace flopsmith {
namespace {

bool looksAtEncoder(const BlockRun& run)
{
    return run.block.holdsCross();
}

bool isEncoder(const BlockRun& run)
{
    return run.block.isEncoder();
}

} // namespace

LegalValues legalWidth(const Model& model)
{
    std::int64_t multiple = 1;
    for (const BlockRun& run : model.runs) {
        // A mixer that is illegal itself (no heads) must not make every width illegal.
        for (const MixerSpec* mixer : {&run.block.mixer, &run.block.cross}) {
            const std::int64_t needed = std::max(1, dModelMultiple(*mixer));
            multiple = std::lcm(multiple, needed);
        }
        multiple = std::min<std::int64_t>(multiple, kWidestModel);
    }
    return LegalValues::integers(multiple, kWidestModel, Scale::log2, multiple);
}

LegalValues legalPhase(const Scenario& scenario)
{
    bool decodes = !scenario.model.embedding.readsPatches();
    for (const BlockRun& run : scenario.model.runs) {
        decodes = decodes && (run.block.isEncoder() || canDecode(run.block.activeMixer()));
    }
    if (!decodes) {
        return LegalValues::choices({enumName(Phase::prefill), enumName(Phase::train)});
    }
    return LegalValues::choices(enumNames<Phase>());
}

LegalValues legalInput(const Scenario& scenario)
{
    return scenario.model.hasEncoder() ? LegalValues::choices({enumName(InputKind::tokens)})
                                       : LegalValues::choices(enumNames<InputKind>());
}

LegalValues legalHead(const Scenario& scenario)
{
    std::vector<std::string_view> names = enumNames<HeadKind>();
    if (scenario.model.embedding.readsPatches()) {
        names.erase(names.begin() + static_cast<int>(HeadKind::lm));
    }
    return LegalValues::choices(names);
}

LegalValues legalHeadProjection(const Scenario& scenario)
{
    const Model& model = scenario.model;
    const bool narrow = model.embedding.tableWidth(model.dModel) != model.dModel;
    return model.head.tied && narrow ? LegalValues::onlyTrue() : LegalValues::flag();
}

LegalValues legalStack(const Scenario& scenario, std::size_t run)
{
    const std::vector<BlockRun>& runs = scenario.model.runs;
    const Block& block = runs.at(run).block;
    if (patternOf(scenario.model, static_cast<int>(run)) >= 0) {
        return LegalValues::choices({enumName(block.stack)});
    }
    // Computed only if the answer depends on it: this is called for thousands of blocks.
    const auto here = runs.begin() + static_cast<std::ptrdiff_t>(run);
    const auto staysEncoder = [&] {
        return std::any_of(here + 1, runs.end(), isEncoder)
            || (std::any_of(runs.begin(), runs.end(), looksAtEncoder)
                && std::count_if(runs.begin(), runs.end(), isEncoder) == 1);
    };
    const auto staysDecoder = [&] {
        return !std::all_of(runs.begin(), here, isEncoder) || here + 1 == runs.end()
            || block.holdsCross() || scenario.model.embedding.readsPatches();
    };
    const bool shared = block.sharesParameters();
    std::vector<std::string_view> names;
    if (!block.isEncoder() || !(shared || staysEncoder())) {
        names.push_back(enumName(Stack::decoder));
    }
    if (block.isEncoder() ? !staysDecoder() : !(shared || staysDecoder())) {
        names.push_back(enumName(Stack::encoder));
    }
    return LegalValues::choices(names.empty() ? enumNames<Stack>() : names);
}

LegalValues legalShareGroup(const Scenario& scenario, std::size_t run, const LegalValues& groups)
{
    const std::vector<BlockRun>& runs = scenario.model.runs;
    if (runs.front().block.stack == runs.back().block.stack) {
        return groups; // encoder blocks come first, so there is one stack only
    }
    const Stack stack = runs.at(run).block.stack;
    std::vector<std::int64_t> foreign;
    for (const BlockRun& other : runs) {
        if (other.block.sharesParameters() && other.block.stack != stack) {
            foreign.push_back(other.block.shareGroup);
        }
    }
    return foreign.empty() ? groups
                           : LegalValues::integersBut(static_cast<std::int64_t>(groups.low()),
                                                      static_cast<std::int64_t>(groups.high()),
                                                      foreign);
}

} // namespace flopsmith
