// SPDX-License-Identifier: MIT
#include "core/ffn/composed.h"
#include "core/parameter/bound_parameter.h"
#include "core/parameter/legal_structure.h"

#include <algorithm>

// The parameters of a run of blocks.
namespace flopsmith {
namespace {

using Part = ParameterScope::Part;

Field<BlockRun> repeatField()
{
    return integerField(&BlockRun::repeat,
                        {"repeat", "N", "repeat", "equal blocks in this run", "blocks"},
                        [](const BlockRun&, const FieldContext&) {
                            return LegalValues::integers(1, kMaxLayers, Scale::log2);
                        });
}

// The stage at `path` inside an FFN: {} is the FFN itself, {1, 0} the first stage of its second.
template <class Spec>
auto& stageAt(Spec& ffn, const std::vector<std::size_t>& path)
{
    Spec* found = &ffn;
    for (const std::size_t index : path) {
        found = &get<ComposedFfn>(*found).stages.at(index).spec;
    }
    return *found;
}

// The heading of a field of the block itself; fields of its parts keep their own.
std::string blockGroup(std::string_view key, const std::string& group)
{
    if (key == "layout" || key == "one_norm" || key == "residual_scale" || key == "stack") {
        return "Block";
    }
    return key == "share_group" ? "Sharing" : group;
}

// A block of the same group as `block`, or nullptr.
const Block* companionOf(const Model& model, const Block& block)
{
    for (const BlockRun& other : model.runs) {
        if (&other.block != &block && other.block.shareGroup == block.shareGroup) {
            return &other.block;
        }
    }
    return nullptr;
}

// How often a run is repeated is the same in all repeats of its pattern.
Parameter followedByRepeats(Parameter parameter, int run)
{
    parameter.assign = [inner = parameter.assign, run](Scenario& s, const FieldValue& value) {
        inner(s, value);
        alignRepeats(s.model, run);
    };
    return parameter;
}

// Makes blocks that share parameters follow a change of one of them. A block that joins a group
// becomes equal to the group, unless the group is in the model's other half: then neither changes,
// and validation reports it.
Parameter followedByShared(Parameter parameter, std::size_t run)
{
    const auto assign = [inner = parameter.assign, run](Scenario& s, const FieldValue& value) {
        const int before = s.model.runs.at(run).block.shareGroup;
        inner(s, value);
        Block& block = s.model.runs[run].block;
        if (block.shareGroup != before && block.sharesParameters()) {
            const Block* companion = companionOf(s.model, block);
            if (companion != nullptr && companion->stack != block.stack) {
                alignRepeats(s.model, static_cast<int>(run));
                return;
            }
            if (companion != nullptr) {
                block = Block(*companion);
            }
        }
        s.model.alignSharedWith(static_cast<int>(run));
    };
    parameter.assign = assign;
    return parameter;
}

// "spectral", or "spectral[2]" where another stage has the same name.
std::string stageName(const ComposedFfn& ffn, std::size_t index)
{
    const std::string_view id = info(ffn.stages[index].spec).id;
    const auto same = std::count_if(ffn.stages.begin(), ffn.stages.end(), [id](const FfnStage& s) {
        return info(s.spec).id == id;
    });
    return same > 1 ? std::string(id) + "[" + std::to_string(index) + "]" : std::string(id);
}

void appendFfn(std::vector<Parameter>& all,
               const FfnSpec& ffn,
               const std::string& prefix,
               std::size_t run,
               const std::vector<std::size_t>& path)
{
    const auto access = [ run, path ](auto& scenario) -> auto&
    {
        return stageAt(scenario.model.runs.at(run).block.ffn, path);
    };
    const VariantInfo& variant = info(ffn);
    appendParameters(all,
                     prefix,
                     std::string(variant.title),
                     variant.component,
                     fields(ffn),
                     {Part::ffn, static_cast<int>(run)},
                     access);
    if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
        for (std::size_t i = 0; i < composed->stages.size(); ++i) {
            std::vector<std::size_t> inner = path;
            inner.push_back(i);
            appendFfn(
                all, composed->stages[i].spec, prefix + stageName(*composed, i) + ".", run, inner);
        }
    }
}

std::vector<Parameter> builtBlockParameters(const Scenario& scenario, int run, int firstBlock)
{
    const auto index = static_cast<std::size_t>(run);
    const Block& block = scenario.model.runs.at(index).block;
    const std::string prefix = "blocks[" + std::to_string(firstBlock) + "].";
    std::vector<Parameter> all;
    all.push_back(boundParameter(
        prefix + "repeat",
        "Blocks",
        nullptr,
        repeatField(),
        {Part::run, run},
        [index](auto& s) -> auto& { return s.model.runs.at(index); }));
    const auto appendMixer = [&](const char* key, const MixerSpec& mixer, Part part, auto access) {
        appendParameters(all,
                         prefix + key,
                         std::string(info(mixer).title),
                         info(mixer).component,
                         fields(mixer),
                         {part, run},
                         access);
    };
    appendMixer(
        "mixer.", block.mixer, Part::mixer, [index](auto& s) -> auto& {
            return s.model.runs.at(index).block.mixer;
        });
    appendMixer(
        "cross.", block.cross, Part::cross, [index](auto& s) -> auto& {
            return s.model.runs.at(index).block.cross;
        });
    appendFfn(all, block.ffn, prefix + "ffn.", index, {});
    appendParameters(
        all,
        prefix,
        "Norms",
        &kNormComponent,
        Block::fields(),
        {Part::block, run},
        [index](auto& s) -> auto& { return s.model.runs.at(index).block; });
    decideLegal(namedParameter(all, prefix + "stack"),
                [index](const Scenario& s) { return legalStack(s, index); },
                {Part::halves});
    Parameter& shareGroup = namedParameter(all, prefix + "share_group");
    decideLegal(shareGroup,
                [index, groups = shareGroup.legal](const Scenario& s) {
                    return legalShareGroup(s, index, groups(s));
                },
                {Part::halves});
    for (Parameter& parameter : all) {
        if (parameter.key.compare(0, prefix.size(), prefix) == 0) {
            parameter.group =
                blockGroup(std::string_view(parameter.key).substr(prefix.size()), parameter.group);
        }
    }
    all.front() = followedByRepeats(std::move(all.front()), run);
    for (std::size_t i = 1; i < all.size(); ++i) { // but not how often it is repeated
        all[i] = followedByShared(std::move(all[i]), index);
    }
    return all;
}

// Which variants an FFN consists of, stage within stage.
void appendStructure(std::string& structure, const FfnSpec& ffn)
{
    structure += static_cast<char>(ffn.index());
    if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
        structure += static_cast<char>(composed->stages.size());
        for (const FfnStage& stage : composed->stages) {
            appendStructure(structure, stage.spec);
        }
    }
}

// All that the list of a run depends on besides the run's number.
std::string structureOf(const Block& block, int firstBlock)
{
    std::string structure = std::to_string(firstBlock) + ":";
    structure += static_cast<char>(block.mixer.index());
    structure += static_cast<char>(block.cross.index());
    appendStructure(structure, block.ffn);
    return structure;
}

struct KnownList
{
    std::string structure;
    ParameterList list;
};

} // namespace

ParameterList blockParameterListFrom(const Scenario& scenario, int run, int firstBlock)
{
    // A chart compares a few variants of a model in turn.
    constexpr std::size_t kMaxPerRun = 4;
    static thread_local std::vector<std::vector<KnownList>> knownByRun; // by run, the newest last
    const auto index = static_cast<std::size_t>(run);
    const Block& block = scenario.model.runs.at(index).block;
    const std::string structure = structureOf(block, firstBlock);
    knownByRun.resize(std::max(knownByRun.size(), index + 1));
    std::vector<KnownList>& known = knownByRun[index];
    const auto same = std::find_if(known.begin(), known.end(), [&structure](const KnownList& k) {
        return k.structure == structure;
    });
    if (same != known.end()) {
        return same->list;
    }
    if (known.size() == kMaxPerRun) {
        known.erase(known.begin());
    }
    auto list = std::make_shared<const std::vector<Parameter>>(
        builtBlockParameters(scenario, run, firstBlock));
    known.push_back({structure, std::move(list)});
    return known.back().list;
}

ParameterList blockParameterList(const Scenario& scenario, int run)
{
    return blockParameterListFrom(scenario, run, scenario.model.firstBlock(run));
}

std::vector<Parameter> blockParameters(const Scenario& scenario, int run)
{
    return *blockParameterList(scenario, run);
}

} // namespace flopsmith
