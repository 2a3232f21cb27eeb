// SPDX-License-Identifier: MIT
#include "core/model/model.h"

#include "core/base/check.h"
#include "core/base/printable.h"
#include "core/model/stack_units.h"

#include <algorithm>

namespace flopsmith {
namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

// Appends the run, or lengthens the last one if its blocks are equal.
void appendJoined(std::vector<BlockRun>& runs, const BlockRun& run)
{
    if (run.repeat < 1) {
        return;
    }
    if (!runs.empty() && runs.back().block == run.block) {
        runs.back().repeat += run.repeat;
    } else {
        runs.push_back(run);
    }
}

std::vector<BlockRun> joinedRuns(const std::vector<BlockRun>& runs)
{
    std::vector<BlockRun> joined;
    for (const BlockRun& run : runs) {
        appendJoined(joined, run);
    }
    return joined;
}

} // namespace

std::string fittingModelName(std::string_view name)
{
    constexpr std::size_t kMaxBytesPerCharacter = 4;
    return name.size() <= kLongestModelName
        ? std::string(name)
        : elided(name, kLongestModelName / kMaxBytesPerCharacter);
}

TokenTable Model::logitTable() const
{
    TokenTable table = tokenTable();
    if (head.kind == HeadKind::tokens) {
        table = {head.classes};
        table.symbol = "N_cls";
    }
    return table;
}

int Model::layers() const
{
    int sum = 0;
    for (const BlockRun& run : runs) {
        sum += run.repeat;
    }
    return sum;
}

bool Model::hasEncoder() const
{
    return std::any_of(
        runs.begin(), runs.end(), [](const BlockRun& run) { return run.block.isEncoder(); });
}

int Model::firstBlock(int run) const
{
    int first = 0;
    for (int i = 0; i < run; ++i) {
        first += runs.at(at(i)).repeat;
    }
    return first;
}

int Model::runOf(int block) const
{
    int end = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        end += runs[i].repeat;
        if (block >= 0 && block < end) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

void Model::alignSharedWith(int run)
{
    const Block block = runs.at(at(run)).block;
    for (BlockRun& other : runs) {
        if (block.sharesParameters() && other.block.shareGroup == block.shareGroup) {
            other.block = block;
        }
    }
    alignRepeats(*this, run);
}

bool Model::ownsNoParameters(int run) const
{
    const int group = runs.at(at(run)).block.shareGroup;
    return group > 0 && std::any_of(runs.begin(), runs.begin() + run, [group](const BlockRun& r) {
               return r.block.shareGroup == group;
           });
}

void Model::joinEqualRuns()
{
    std::vector<StackUnit> units = stackUnits(*this);
    for (StackUnit& unit : units) {
        unit.period = joinedRuns(unit.period);
    }
    setStackUnits(*this, units); // where patterns with a single run are runs
    std::vector<StackUnit> joined;
    for (const StackUnit& unit : stackUnits(*this)) {
        if (!joined.empty() && !joined.back().isPattern() && !unit.isPattern()) {
            appendJoined(joined.back().period, unit.period.front());
        } else {
            joined.push_back(unit);
        }
    }
    setStackUnits(*this, joined);
}

void Model::gatherEqualBlocks()
{
    std::vector<BlockRun> gathered;
    for (BlockRun& run : runs) {
        const auto same = std::find_if(gathered.begin(), gathered.end(), [&run](const BlockRun& g) {
            return g.block.ffn == run.block.ffn // first, as blocks mostly differ there
                && g.block == run.block;
        });
        if (same != gathered.end()) {
            same->repeat += run.repeat;
        } else {
            gathered.push_back(std::move(run));
        }
    }
    runs = std::move(gathered);
    patterns.clear();
}

int Model::isolateBlock(int block)
{
    FLOPSMITH_CHECK(runOf(block) >= 0);
    splitBefore(block);
    splitBefore(block + 1);
    return runOf(block);
}

void Model::splitBefore(int block)
{
    const int index = runOf(block);
    const int before = index < 0 ? 0 : block - firstBlock(index);
    if (before == 0) {
        return;
    }
    if (const int pattern = patternOf(*this, index); pattern >= 0) {
        dissolvePattern(*this, pattern);
    }
    BlockRun rest = runs[at(index)];
    rest.repeat -= before;
    runs[at(index)].repeat = before;
    runs.insert(runs.begin() + index + 1, rest);
    shiftPatterns(*this, index + 1, 1);
}

int Scenario::queryTokens() const
{
    return model.embedding.readsPatches() ? model.embedding.imageTokens() : workload.queryTokens();
}

int Scenario::keys() const
{
    return model.embedding.readsPatches() ? model.embedding.imageTokens() : workload.keys();
}

int Scenario::sourceTokens() const
{
    return model.hasEncoder() ? workload.sourceTokens() : 0;
}

std::string Scenario::tokensText() const
{
    const bool decodes = workload.phase == Phase::decode;
    const std::string own =
        (decodes ? "context " : "sequence ") + std::to_string(decodes ? keys() : queryTokens());
    return model.hasEncoder() ? own + ", source " + std::to_string(sourceTokens()) : own;
}

} // namespace flopsmith
