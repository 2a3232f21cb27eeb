// SPDX-License-Identifier: MIT
#include "core/present/stack.h"

#include "core/base/text.h"

#include <algorithm>
#include <map>

namespace flopsmith {
namespace {

using Node = CostTree<Count>::Node;

/// Walks model and cost tree side by side: the tree has the model's structure.
class PictureBuilder
{
public:
    PictureBuilder(const Scenario& scenario, const CostTree<Count>& tree, LensId lensId)
        : m_scenario(scenario)
        , m_tree(tree)
        , m_lens(lensId)
    {
        if (isTraining()) {
            m_root = child(0, "forward");
            findCounterparts();
        }
    }

    StackPicture picture()
    {
        m_picture.note = lens(m_lens).isFormula()
            ? std::string(lens(m_lens).title)
                + " is a formula for the whole model: no cost per part"
            : std::string("cost of each part in one ")
                + (isTraining() ? "training step, " : "pass, ") + std::string(lens(m_lens).title);
        addEmbedding();
        for (std::size_t i = 0; i < m_scenario.model.runs.size(); ++i) {
            addRun(static_cast<int>(i));
        }
        addFinalNorm();
        addHead();
        shareOut();
        return std::move(m_picture);
    }

private:
    bool isTraining() const { return m_scenario.workload.phase == Phase::train; }

    // A training step has a part of the model up to three times: forward, recomputed, backward.
    void findCounterparts()
    {
        for (int i = 1; i < m_tree.size(); ++i) {
            const std::string path = m_tree.path(i);
            const std::size_t slash = path.find('/');
            if (slash != std::string::npos) {
                m_counterparts[path.substr(slash)].push_back(i);
            }
        }
    }

    std::vector<int> nodesLike(int node) const
    {
        if (m_counterparts.empty()) {
            return {node};
        }
        const std::string path = m_tree.path(node);
        return m_counterparts.at(path.substr(path.find('/')));
    }

    void addEmbedding()
    {
        const Embedding& embedding = m_scenario.model.embedding;
        std::string detail =
            groupedDigits(embedding.vocab) + " \xC3\x97 " + groupedDigits(m_scenario.model.dModel);
        if (embedding.positions != Positions::none) {
            detail += ", " + std::string(enumName(embedding.positions)) + " positions";
        }
        addSingle(StackRow::Kind::embedding,
                  {.role = PartRole::embedding,
                   .component = &kEmbeddingComponent,
                   .title = "Embedding",
                   .detail = std::move(detail)},
                  "embedding");
    }

    void addFinalNorm()
    {
        const Norm& norm = m_scenario.model.finalNorm;
        if (norm.kind != NormKind::none) {
            addSingle(StackRow::Kind::finalNorm,
                      {.role = PartRole::finalNorm,
                       .component = &kNormComponent,
                       .title = "Final norm",
                       .detail = norm.kind == NormKind::rmsNorm ? "RMSNorm" : "LayerNorm"},
                      "final_norm");
        }
    }

    void addHead()
    {
        const Head& head = m_scenario.model.head;
        if (head.kind == HeadKind::none) {
            return;
        }
        const bool lm = head.kind == HeadKind::lm;
        addSingle(StackRow::Kind::head,
                  {.role = PartRole::head,
                   .component = &kHeadComponent,
                   .title = lm ? "LM head" : "Pooler",
                   .detail = !lm   ? "first token"
                       : head.tied ? "tied to the embedding"
                                   : "own matrix"},
                  "head");
    }

    void addSingle(StackRow::Kind kind, StackPart part, std::string_view nodeName)
    {
        part.bar = bar(child(m_root, nodeName), part.component);
        StackRow row{.kind = kind, .title = part.title};
        row.parts.push_back(std::move(part));
        m_picture.rows.push_back(std::move(row));
    }

    void addRun(int index)
    {
        const Model& model = m_scenario.model;
        const BlockRun& run = model.runs[static_cast<std::size_t>(index)];
        const int first = model.firstBlock(index);
        StackRow row{
            .kind = StackRow::Kind::run, .run = index, .firstBlock = first, .repeat = run.repeat};
        row.title = run.repeat == 1 ? "Block " + std::to_string(first + 1)
                                    : "Blocks " + std::to_string(first + 1) + " \xE2\x80\x93 "
                + std::to_string(first + run.repeat);
        row.repeatText = run.repeat > 1 ? "\xC3\x97 " + std::to_string(run.repeat) : "";
        const int node = child(m_root, "blocks", first);
        if (run.block.hasMixer()) {
            row.parts.push_back(mixerPart(run.block.mixer, node));
        }
        if (run.block.hasFfn()) {
            row.parts.push_back(ffnPart(run.block.ffn, node));
        }
        m_picture.rows.push_back(std::move(row));
    }

    StackPart mixerPart(const MixerSpec& mixer, int runNode) const
    {
        const VariantInfo& variant = info(mixer);
        return {.role = PartRole::mixer,
                .component = variant.component,
                .title = std::string(variant.title),
                .detail = fieldsText(mixer, fields(mixer)),
                .bar = bar(child(runNode, variant.id), variant.component)};
    }

    StackPart ffnPart(const FfnSpec& ffn, int runNode) const
    {
        const VariantInfo& variant = info(ffn);
        const int node = child(runNode, "ffn");
        StackPart part{.role = PartRole::ffn,
                       .component = variant.component,
                       .title = ffnTitle(ffn),
                       .detail = fieldsText(ffn, fields(ffn)),
                       .bar = bar(node, variant.component)};
        if (const auto* composed = std::get_if<ComposedFfn>(&ffn)) {
            part.detail = std::string(enumName(composed->mode));
            addChips(part, *composed, node);
        }
        return part;
    }

    // Stages are the groups below a composed FFN's node, in order.
    void addChips(StackPart& part, const ComposedFfn& composed, int node) const
    {
        int stageNode = node + 1;
        for (const FfnStage& stage : composed.stages) {
            const VariantInfo& variant = info(stage.spec);
            part.chips.push_back({.component = variant.component,
                                  .id = variant.id,
                                  .title = std::string(variant.title),
                                  .shortTitle = shortTitle(variant),
                                  .bar = bar(stageNode, variant.component)});
            stageNode = m_tree.node(stageNode).end;
        }
    }

    // "Micro-refine" → "micro", "Polynomial" → "poly": the id's first word, cut when it is long.
    static std::string shortTitle(const VariantInfo& variant)
    {
        constexpr std::size_t kLongest = 8;
        const std::string_view word = variant.id.substr(0, variant.id.find('_'));
        return std::string(word.size() > kLongest ? word.substr(0, 4) : word);
    }

    // The first two numbers that apply: "d_ff 3072", "heads 32, kv_heads 8".
    template <class Spec>
    static std::string fieldsText(const Spec& spec, const std::vector<Field<Spec>>& all)
    {
        std::string text;
        int shown = 0;
        for (const Field<Spec>& field : all) {
            const FieldValue value = field.value(spec);
            const bool isNumber = std::holds_alternative<std::int64_t>(value)
                || std::holds_alternative<double>(value);
            if (isNumber && field.applies(spec) && shown < 2) {
                text += (shown > 0 ? ", " : "") + std::string(field.text.label) + " "
                    + valueText(value);
                ++shown;
            }
        }
        return text;
    }

    int child(int parent, std::string_view name, int index = -1) const
    {
        const int end = m_tree.node(parent).end;
        for (int i = parent + 1; i < end; i = m_tree.node(i).end) {
            if (m_tree.node(i).name == name && m_tree.node(i).index == index) {
                return i;
            }
        }
        return -1;
    }

    CostBar bar(int node, const Component* component) const
    {
        CostBar bar{.component = component, .text = "0", .exactText = "0"};
        if (node < 0) { // a part without operations, such as a norm that is switched off
            return bar;
        }
        if (lens(m_lens).isFormula()) {
            bar.text = bar.exactText = "\xE2\x80\x93";
            return bar;
        }
        Count price = 0;
        bool blind = true;
        for (const int each : nodesLike(node)) {
            price += m_tree.timesUsed(each) * pricedPart(m_lens, m_tree, each);
            blind = blind && isBlindToPart(m_lens, m_tree, each);
        }
        bar.value = toDouble(price);
        bar.uncounted = blind;
        bar.text = bar.uncounted ? "uncounted" : siText(bar.value);
        bar.exactText = groupedDigits(price) + " " + std::string(lens(m_lens).unit);
        return bar;
    }

    void shareOut()
    {
        for (const StackRow& row : m_picture.rows) {
            for (const StackPart& part : row.parts) {
                m_picture.largest = std::max(m_picture.largest, part.bar.value);
            }
        }
        if (m_picture.largest <= 0.0) {
            return;
        }
        for (StackRow& row : m_picture.rows) {
            for (StackPart& part : row.parts) {
                part.bar.share = part.bar.value / m_picture.largest;
                for (StageChip& chip : part.chips) {
                    chip.bar.share = chip.bar.value / m_picture.largest;
                }
            }
        }
    }

    const Scenario& m_scenario;
    const CostTree<Count>& m_tree;
    LensId m_lens;
    int m_root = 0; ///< the node whose children are the parts of the model
    std::map<std::string, std::vector<int>> m_counterparts{}; ///< by path below forward, backward …
    StackPicture m_picture;
};

bool sameKinds(const std::vector<FfnStage>& a, const std::vector<FfnStage>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.spec.index() == y.spec.index();
    });
}

} // namespace

std::string ffnTitle(const FfnSpec& ffn)
{
    const auto* composed = std::get_if<ComposedFfn>(&ffn);
    if (composed != nullptr && composed->mode == CompositionMode::parallel
        && sameKinds(composed->stages, ultraEfficientSparseFfn().stages)) {
        return "Ultra-efficient";
    }
    if (composed != nullptr && composed->mode == CompositionMode::sequential
        && sameKinds(composed->stages, ultraEfficientFfn(768, 3072).stages)) {
        return "Ultra-efficient, in sequence";
    }
    return std::string(info(ffn).title);
}

StackPicture stackPicture(const Scenario& scenario, const CostTree<Count>& tree, LensId lensId)
{
    FLOPSMITH_CHECK(tree.size() > 0);
    return PictureBuilder(scenario, tree, lensId).picture();
}

} // namespace flopsmith
