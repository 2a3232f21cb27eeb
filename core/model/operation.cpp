// SPDX-License-Identifier: MIT
#include "core/model/operation.h"

#include "core/ffn/composed.h"
#include "core/model/model_passes.h"
#include "core/model/values.h"

#include <functional>
#include <unordered_map>
#include <utility>

namespace flopsmith {
namespace {

const Numbers<Count> kNumbers;

// Sizes shared by all parts of one half of a model.
Operation sizesOf(const Pass<Count>& pass, ComputePass direction)
{
    return {.what = ResidualOperation{},
            .dModel = pass.dModelValue,
            .batch = pass.batchValue,
            .sequence = pass.sequenceValue,
            .context = pass.contextValue,
            .pass = direction};
}

// The values of a specification's own fields in one number; stages of a composition are left out.
template <class Spec>
std::size_t hashOf(const Spec& spec)
{
    std::size_t hash = spec.index();
    for (const auto& field : fields(spec)) {
        hash = 31 * hash + std::hash<FieldValue>{}(field.value(spec));
    }
    return hash;
}

// Equal for equal operations: for finding one among a thousand.
std::size_t hashOf(const Operation& operation)
{
    if (const auto* ffn = std::get_if<FfnSpec>(&operation.what)) {
        return hashOf(*ffn);
    }
    const auto* mixer = std::get_if<MixerSpec>(&operation.what);
    return mixer != nullptr ? hashOf(*mixer) : operation.what.index();
}

// Collects parts, counting an operation that occurs again as another use.
class PartList
{
public:
    int add(MeasuredPart wanted)
    {
        const std::size_t hash = hashOf(wanted.operation);
        const auto [first, last] = m_byHash.equal_range(hash);
        for (auto each = first; each != last; ++each) {
            MeasuredPart& known = m_parts[each->second];
            if (known.operation == wanted.operation && known.partOf == wanted.partOf) {
                known.uses += wanted.uses;
                known.elsewhere.push_back(std::move(wanted.path));
                return static_cast<int>(each->second);
            }
        }
        m_byHash.emplace(hash, m_parts.size());
        m_parts.push_back(std::move(wanted));
        return static_cast<int>(m_parts.size()) - 1;
    }

    // If the part's first title differs from `title`, it gets the title `common`.
    void nameCommon(int part, const std::string& title, const std::string& common)
    {
        std::string& known = m_parts[static_cast<std::size_t>(part)].title;
        known = known == title ? known : common;
    }

    std::vector<MeasuredPart> take() { return std::move(m_parts); }

private:
    std::vector<MeasuredPart> m_parts;
    std::unordered_multimap<std::size_t, std::size_t> m_byHash; ///< indices of parts
};

// Adds the parts of one half of a model to a list.
class HalfOfModel
{
public:
    /// `half` is appended to the title of a mixer: ", encoder", or empty if the model has one half.
    HalfOfModel(const Pass<Count>& pass, ComputePass direction, std::string half, PartList& parts)
        : m_sizes(sizesOf(pass, direction))
        , m_source(pass.sourceValue)
        , m_half(std::move(half))
        , m_parts(parts)
    {}

    void addEmbedding(const Embedding& embedding, const std::string& path)
    {
        m_parts.add(
            {path, "Embedding", &kEmbeddingComponent, operation(EmbeddingOperation{embedding}), 1});
    }

    void addNorm(const Norm& norm, const std::string& path, int uses)
    {
        if (norm.kind != NormKind::none) {
            const std::string title = norm.kind == NormKind::rmsNorm ? "RMSNorm" : "LayerNorm";
            m_parts.add({path, title, &kNormComponent, operation(NormOperation{norm}), uses});
        }
    }

    void addBlocks(const BlockRun& run, int firstBlock)
    {
        const std::string path = "blocks[" + std::to_string(firstBlock) + "]/";
        forEachPart(run.block, [&](const BlockPart& part) {
            addPart(run.block, part, path + std::string(part.name), run.repeat);
        });
    }

    void addHead(const Model& model)
    {
        if (model.head.kind != HeadKind::none) {
            addHead(model.head, "head", model.logitTable());
        }
        if (model.head.hasUnreadPooler() && m_sizes.pass == ComputePass::forward) {
            addHead(Head::pooler(), "pooler", model.tokenTable());
        }
    }

private:
    Operation operation(decltype(Operation::what) what) const
    {
        Operation made = m_sizes;
        made.what = std::move(what);
        return made;
    }

    void addHead(const Head& head, const std::string& path, const TokenTable& table)
    {
        m_parts.add({path,
                     std::string(headTitle(head)),
                     &kHeadComponent,
                     operation(HeadOperation{head.computed(), table.vocab, table.width}),
                     1});
    }

    void addPart(const Block& block, const BlockPart& part, const std::string& path, int uses)
    {
        switch (part.kind) {
        case BlockPart::Kind::norm: addNorm(block.norm, path, uses); break;
        case BlockPart::Kind::mixer:
            addMixer(block.mixer, std::string(info(block.mixer).title) + m_half, path, uses);
            break;
        case BlockPart::Kind::cross:
            addMixer(block.cross, std::string(info(block.cross).title), path, uses);
            break;
        case BlockPart::Kind::ffn: addFfn(block.ffn, path, uses); break;
        case BlockPart::Kind::residual:
            m_parts.add({path,
                         "Residual",
                         &kNormComponent,
                         operation(ResidualOperation{part.residual}),
                         uses});
            break;
        }
    }

    void addMixer(const MixerSpec& mixer,
                  const std::string& title,
                  const std::string& path,
                  int uses)
    {
        Operation mixing = operation(mixer);
        mixing.source = readsSource(mixer) ? m_source : 0;
        const VariantInfo& variant = info(mixer);
        const int part = m_parts.add({path, title, variant.component, mixing, uses});
        m_parts.nameCommon(part, title, std::string(variant.title));
    }

    void addFfn(const FfnSpec& ffn, const std::string& path, int uses)
    {
        const VariantInfo& variant = info(ffn);
        const int whole = m_parts.add(
            {path, std::string(variant.title), variant.component, operation(ffn), uses});
        if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
            for (const FfnStage& stage : composed->stages) {
                const VariantInfo& stageInfo = info(stage.spec);
                m_parts.add({path + "/" + std::string(stageInfo.id),
                             std::string(stageInfo.title),
                             stageInfo.component,
                             operation(stage.spec),
                             uses,
                             whole});
            }
        }
    }

    Operation m_sizes;
    int m_source;
    std::string m_half;
    PartList& m_parts;
};

} // namespace

template <>
std::vector<std::string_view> enumNames<ComputePass>()
{
    return {"forward", "backward"};
}

std::string_view headTitle(const Head& head)
{
    switch (head.kind) {
    case HeadKind::lm: return "LM head";
    case HeadKind::pooler: return "Pooler";
    case HeadKind::classifier: return "Classifier";
    case HeadKind::tokens: return "Token classifier";
    case HeadKind::none: break;
    }
    return "";
}

Scenario scenarioOf(const ModelOperation& whole, const Operation& sizes)
{
    return {.model = whole.model,
            .workload = {.batch = sizes.batch, .sequence = sizes.sequence, .source = sizes.source}};
}

std::vector<MeasuredPart> measuredParts(const Scenario& scenario, ComputePass pass)
{
    const Model model = withoutValues(scenario.model); // they change no time either
    const ModelPasses<Count> passes = passesOf(scenario, PairsRule::exact, kNumbers);
    PartList parts;
    const bool hasEncoder = model.hasEncoder();
    HalfOfModel encoder(passes.encoder, pass, ", encoder", parts);
    HalfOfModel decoder(passes.decoder, pass, hasEncoder ? ", decoder" : "", parts);
    const auto addBlocks = [&](HalfOfModel& half, bool ofEncoder) {
        int firstBlock = 0;
        for (const BlockRun& run : model.runs) {
            if (run.block.isEncoder() == ofEncoder) {
                half.addBlocks(run, firstBlock);
            }
            firstBlock += run.repeat;
        }
    };
    if (hasEncoder && passes.executesEncoder) {
        encoder.addEmbedding(model.embedding, "embedding");
        addBlocks(encoder, true);
        encoder.addNorm(model.encoderNorm, "encoder_norm", 1);
    }
    decoder.addEmbedding(model.embedding, hasEncoder ? "decoder_embedding" : "embedding");
    addBlocks(decoder, false);
    decoder.addNorm(model.finalNorm, "final_norm", 1);
    decoder.addHead(model);
    return parts.take();
}

std::optional<MeasuredPart> measuredWhole(const Scenario& scenario)
{
    if (scenario.workload.phase == Phase::decode) {
        return std::nullopt;
    }
    Model model = withoutValues(scenario.model);
    model.name = Model{}.name; // nor does its name
    const Operation operation{.what = ModelOperation{std::move(model)},
                              .dModel = scenario.model.dModel,
                              .batch = scenario.workload.batch,
                              .sequence = scenario.queryTokens(),
                              .context = scenario.queryTokens(),
                              .source = scenario.sourceTokens()};
    return MeasuredPart{.path = "model",
                        .title = "Whole pass",
                        .component = &kNormComponent,
                        .operation = operation};
}

} // namespace flopsmith
