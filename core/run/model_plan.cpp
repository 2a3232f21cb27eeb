// SPDX-License-Identifier: MIT
#include "core/run/model_plan.h"

#include "core/ffn/composed.h"
#include "core/kernels/reference/variants.h"
#include "core/kernels/variants.h"
#include "core/mixer/attention.h"

#include <map>
#include <optional>
#include <utility>
#include <variant>

namespace flopsmith {
namespace {

Status runnable(const MixerSpec& mixer)
{
    return reference::isExecuted(mixer) ? Status(Done{}) : noKernelYet(info(mixer).title);
}

Status runnable(const FfnSpec& ffn)
{
    if (!reference::isExecuted(ffn)) {
        return noKernelYet(info(ffn).title);
    }
    if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
        for (const FfnStage& stage : composed->stages) {
            FLOPSMITH_RETURN_IF_ERROR(runnable(stage.spec));
        }
    }
    return Done{};
}

WeightShapes shapesOf(const ModelPart::Spec& spec, int dModel)
{
    struct Shapes
    {
        int dModel;
        WeightShapes operator()(const FfnSpec& ffn) const { return weights(ffn, dModel); }
        WeightShapes operator()(const MixerSpec& mixer) const { return weights(mixer, dModel); }
        WeightShapes operator()(const NormOperation& n) const { return weights(n.norm, dModel); }
        WeightShapes operator()(const ResidualOperation&) const { return {}; }
        WeightShapes operator()(const EmbeddingOperation& e) const
        {
            return weights(e.embedding, dModel);
        }
        WeightShapes operator()(const HeadOperation& h) const
        {
            return weights(h.head, dModel, h.tokenTable());
        }
    };
    return std::visit(Shapes{dModel}, spec);
}

struct Flows
{
    Flow reads;
    Flow writes;
};

// `hasBranch`: whether the mixer or FFN that the step surrounds was executed already.
Flows flowsOf(const Block& block, const BlockPart& step, bool hasBranch)
{
    const bool parallel = block.isParallel();
    const bool pre = parallel || block.placement == NormPlacement::pre
        || block.placement == NormPlacement::sandwich;
    if (step.kind == BlockPart::Kind::residual) {
        return {Flow::branch, Flow::stream};
    }
    if (step.kind == BlockPart::Kind::norm) {
        if (hasBranch && !parallel) {
            return {Flow::branch, Flow::branch};
        }
        return {Flow::stream, pre ? Flow::normed : Flow::stream};
    }
    const bool isSecond = parallel && step.kind == BlockPart::Kind::ffn;
    return {pre && block.norm.kind != NormKind::none ? Flow::normed : Flow::stream,
            isSecond ? Flow::secondBranch : Flow::branch};
}

ModelPart::Spec specOf(const Block& block, const BlockPart& step)
{
    switch (step.kind) {
    case BlockPart::Kind::norm: return NormOperation{block.norm};
    case BlockPart::Kind::mixer: return block.mixer;
    case BlockPart::Kind::cross: return block.cross;
    case BlockPart::Kind::ffn: return block.ffn;
    case BlockPart::Kind::residual: break;
    }
    return ResidualOperation{step.residual};
}

// A tensor of a part that another part owns.
struct Borrowed
{
    std::size_t place = 0; ///< in the part's shapes
    std::size_t tensor = 0; ///< in the plan's tensors
};

// The table of relative positions that later blocks share.
struct BiasTable
{
    Attention owner;
    std::size_t tensor = 0;

    bool fits(const Attention& reader) const
    {
        return owner.heads == reader.heads && owner.relativeBuckets == reader.relativeBuckets;
    }
};

// Lists the parts of a model in order. After an error nothing more is added.
class Planner
{
public:
    explicit Planner(const Scenario& scenario)
        : m_model(scenario.model)
    {
        m_plan.hasEncoder = m_model.hasEncoder();
        m_plan.vocab = m_model.embedding.vocab;
        const int tokens = scenario.queryTokens();
        const int source = scenario.sourceTokens();
        m_plan.decoder = {.batch = scenario.workload.batch,
                          .sequence = tokens,
                          .context = tokens,
                          .dModel = m_model.dModel,
                          .source = source,
                          .training = scenario.workload.phase == Phase::train};
        m_plan.encoder = m_plan.decoder;
        m_plan.encoder.sequence = m_plan.encoder.context = source;
    }

    Result<ModelPlan> plan()
    {
        if (m_plan.hasEncoder) {
            addEmbedding("embedding", Stack::encoder);
            addBlocks(Stack::encoder);
            addNorm(m_model.encoderNorm, "encoder_norm", Stack::encoder);
            addEmbedding("decoder_embedding", Stack::decoder);
        } else {
            addEmbedding("embedding", Stack::decoder);
        }
        addBlocks(Stack::decoder);
        addNorm(m_model.finalNorm, "final_norm", Stack::decoder);
        addHead();
        if (!m_status) {
            return m_status.error();
        }
        return std::move(m_plan);
    }

private:
    void fail(Error error)
    {
        if (m_status) {
            m_status = std::move(error);
        }
    }

    // Adds a part that shares the tensors of the first part with the name `owner`.
    void add(ModelPart part, const std::string& owner, std::optional<Borrowed> borrowed = {})
    {
        part.shapes = shapesOf(part.spec, m_model.dModel);
        const auto [known, isNew] = m_owned.try_emplace(owner);
        for (std::size_t i = 0; isNew && i < part.shapes.size(); ++i) {
            if (borrowed && borrowed->place == i) {
                known->second.push_back(borrowed->tensor);
                continue;
            }
            known->second.push_back(m_plan.tensors.size());
            m_plan.tensors.push_back({part.path + "/" + part.shapes[i].name, part.shapes[i]});
        }
        part.tensors = known->second;
        if (borrowed) {
            part.tensors[borrowed->place] = borrowed->tensor;
        }
        m_plan.parts.push_back(std::move(part));
    }

    void addEmbedding(const std::string& path, Stack half)
    {
        add({.path = path, .spec = EmbeddingOperation{m_model.embedding}, .half = half},
            "embedding");
    }

    void addNorm(const Norm& norm, const std::string& path, Stack half)
    {
        if (norm.kind != NormKind::none) {
            add({.path = path, .spec = NormOperation{norm}, .half = half}, path);
        }
    }

    void addBlocks(Stack half)
    {
        int number = 0;
        for (const BlockRun& run : m_model.runs) {
            for (int i = 0; i < run.repeat; ++i, ++number) {
                if (run.block.stack == half && m_status) {
                    addBlock(run.block, number);
                }
            }
        }
    }

    void addBlock(const Block& block, int number)
    {
        const std::string own = "blocks[" + std::to_string(number) + "]/";
        const std::string owner =
            block.sharesParameters() ? "shared[" + std::to_string(block.shareGroup) + "]/" : own;
        bool hasBranch = false;
        forEachPart(block, [&](const BlockPart& step) {
            const bool isNorm = step.kind == BlockPart::Kind::norm;
            if (isNorm && block.norm.kind == NormKind::none) {
                return;
            }
            const Flows flows = flowsOf(block, step, hasBranch);
            hasBranch = step.kind != BlockPart::Kind::residual && (hasBranch || !isNorm);
            const std::string name(step.name);
            addStep({.path = own + name,
                     .spec = specOf(block, step),
                     .half = block.stack,
                     .reads = flows.reads,
                     .writes = flows.writes},
                    owner + name);
        });
    }

    void addStep(ModelPart part, const std::string& owner)
    {
        Status status = Done{};
        if (const auto* ffn = std::get_if<FfnSpec>(&part.spec)) {
            status = runnable(*ffn);
        } else if (const auto* mixer = std::get_if<MixerSpec>(&part.spec)) {
            status = runnable(*mixer);
        }
        if (!status) {
            fail(Error{part.path + ": " + status.error().message});
        } else if (std::holds_alternative<MixerSpec>(part.spec)) {
            addMixer(std::move(part), owner);
        } else {
            add(std::move(part), owner);
        }
    }

    void addMixer(ModelPart part, const std::string& owner)
    {
        const MixerSpec mixer = std::get<MixerSpec>(part.spec);
        const auto* attention = get_if<Attention>(&mixer);
        if (attention == nullptr || !attention->readsBiasTable()) {
            add(std::move(part), owner);
            return;
        }
        const std::size_t place = AttentionTensors(*attention).relativeBias;
        if (attention->positionBias == PositionBias::relative) {
            add(std::move(part), owner);
            m_biasTable = {*attention, m_plan.parts.back().tensors[place]};
        } else if (m_biasTable && m_biasTable->fits(*attention)) {
            add(std::move(part), owner, Borrowed{place, m_biasTable->tensor});
        } else {
            fail(Error{part.path
                       + " adds the position bias of an earlier block, but the last one that has a "
                         "table does not have it for "
                       + std::to_string(attention->heads) + " heads and "
                       + std::to_string(attention->relativeBuckets)
                       + " buckets; set position_bias of an earlier block to relative"});
        }
    }

    void addHead()
    {
        const TokenTable table = m_model.logitTable();
        const Head head = m_model.head.computed();
        if (head.kind != HeadKind::none) {
            ModelPart part{.path = "head",
                           .spec = HeadOperation{head, table.vocab, table.width},
                           .reads = Flow::stream,
                           .writes = Flow::outputs};
            if (head.isLm() && head.tied) {
                addTiedHead(std::move(part), head, table);
            } else {
                add(std::move(part), "head");
            }
        }
        if (m_model.head.hasUnreadPooler()) {
            add({.path = "pooler",
                 .spec = HeadOperation{Head::pooler(), table.vocab, table.width},
                 .reads = Flow::stream,
                 .writes = Flow::unread},
                "pooler");
        }
    }

    void addTiedHead(ModelPart part, const Head& head, const TokenTable& table)
    {
        const WeightShape matrix =
            weights(head, m_model.dModel, table).at(tensorsBeforeLogits(head));
        const ModelPart& embedding = m_plan.parts.front();
        const WeightShape& tokens = embedding.shapes.front();
        if (m_model.embedding.readsPatches() || tokens.rows != matrix.rows
            || tokens.columns != matrix.columns) {
            fail(Error{"head: its matrix is tied to a token table of another shape; set "
                       "head_tied to false or embedding_width to 0"});
            return;
        }
        add(std::move(part), "head", Borrowed{tensorsBeforeLogits(head), embedding.tensors[0]});
    }

    const Model& m_model;
    ModelPlan m_plan;
    Status m_status = Done{};
    std::map<std::string, std::vector<std::size_t>> m_owned; ///< tensors by the parts' owner
    std::optional<BiasTable> m_biasTable;
};

} // namespace

WeightShapes ModelPlan::shapes() const
{
    WeightShapes shapes;
    shapes.reserve(tensors.size());
    for (const ModelTensor& tensor : tensors) {
        shapes.push_back(tensor.shape);
    }
    return shapes;
}

Result<ModelPlan> planOf(const Scenario& scenario)
{
    if (scenario.workload.phase == Phase::decode) {
        return Error{"phase: a model is executed on whole sequences; use prefill or train"};
    }
    if (scenario.model.hasEncoder() && scenario.model.embedding.readsPatches()) {
        return Error{"input: an encoder-decoder is executed on tokens alone, not on images; use "
                     "tokens, or decoder blocks only"};
    }
    return Planner(scenario).plan();
}

std::vector<TensorAlias> aliasesOf(const ModelPlan& plan)
{
    std::vector<TensorAlias> aliases;
    for (const ModelPart& part : plan.parts) {
        for (std::size_t i = 0; i < part.tensors.size(); ++i) {
            std::string path = part.path + "/" + part.shapes[i].name;
            if (path != plan.tensors[part.tensors[i]].path) {
                aliases.push_back({std::move(path), part.tensors[i]});
            }
        }
    }
    return aliases;
}

} // namespace flopsmith
