// SPDX-License-Identifier: MIT
#include "core/present/stack/stack.h"

#include "core/base/text.h"
#include "core/model/operation.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

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
        findBlocks();
    }

    StackPicture picture()
    {
        m_picture.note = lens(m_lens).isFormula() ? std::string(lens(m_lens).title)
                + " is a formula for the whole model: no cost per part"
                                                  : std::string("cost of each part in one ")
                + (isTraining() ? "training step, " : "pass, ") + std::string(lens(m_lens).title);
        const Model& model = m_scenario.model;
        addEmbedding();
        for (std::size_t i = 0; i < model.runs.size(); ++i) {
            if (const int run = static_cast<int>(i); shownRun(model, run) == run) {
                addRun(run);
            } else {
                m_nextBlock += model.runs[i].repeat;
            }
            const bool last = i + 1 == model.runs.size() || !model.runs[i + 1].block.isEncoder();
            if (model.runs[i].block.isEncoder() && last) {
                addNorm(StackRow::Kind::encoderNorm,
                        {.role = PartRole::encoderNorm, .title = "Encoder norm"},
                        model.encoderNorm,
                        "encoder_norm");
            }
        }
        addNorm(StackRow::Kind::finalNorm,
                {.role = PartRole::finalNorm, .title = "Final norm"},
                model.finalNorm,
                "final_norm");
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

    // Once, because the nodes of a thousand runs stand one behind the other.
    void findBlocks()
    {
        for (int i = m_root + 1; i < m_tree.node(m_root).end; i = m_tree.node(i).end) {
            if (m_tree.node(i).name == "blocks") {
                m_blocks[m_tree.node(i).index] = i;
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
        std::string detail = embedding.readsPatches() ? patchesText(embedding) : tableText();
        if (embedding.positions != Positions::none) {
            detail += ", " + std::string(enumName(embedding.positions)) + " positions";
        }
        addSingle(StackRow::Kind::embedding,
                  {.role = PartRole::embedding,
                   .component = &kEmbeddingComponent,
                   .title = "Embedding",
                   .detail = std::move(detail)},
                  {child(m_root, "embedding"), child(m_root, "decoder_embedding")});
    }

    // "50 257 × 768", or with a table of its own width "30 000 × 128 → 768".
    std::string tableText() const
    {
        const Model& model = m_scenario.model;
        const int width = model.embedding.tableWidth(model.dModel);
        const std::string table =
            groupedDigits(model.embedding.vocab) + " \xC3\x97 " + groupedDigits(width);
        return model.embedding.projects() ? table + " \xE2\x86\x92 " + groupedDigits(model.dModel)
                                          : table;
    }

    // "196 patches of 16 × 16"
    static std::string patchesText(const Embedding& embedding)
    {
        const std::string side = groupedDigits(embedding.patchSize);
        return groupedDigits(embedding.patches()) + " patches of " + side + " \xC3\x97 " + side;
    }

    void addNorm(StackRow::Kind kind, StackPart part, const Norm& norm, std::string_view node)
    {
        if (norm.kind != NormKind::none) {
            part.component = &kNormComponent;
            part.detail = norm.kind == NormKind::rmsNorm ? "RMSNorm" : "LayerNorm";
            addSingle(kind, std::move(part), {child(m_root, node)});
        }
    }

    void addHead()
    {
        const Head& head = m_scenario.model.head;
        if (head.kind == HeadKind::none) {
            return;
        }
        std::vector<int> nodes{child(m_root, "head")};
        if (head.hasUnreadPooler()) {
            nodes.push_back(child(m_root, "pooler"));
        }
        addSingle(StackRow::Kind::head,
                  {.role = PartRole::head,
                   .component = &kHeadComponent,
                   .title = std::string(headTitle(head)),
                   .detail = headDetail(head)},
                  nodes);
    }

    static std::string headDetail(const Head& head)
    {
        if (head.kind == HeadKind::classifier) {
            return groupedDigits(head.classes) + " classes";
        }
        if (head.isLm()) {
            return head.tied ? "tied to the embedding" : "own matrix";
        }
        return "first token";
    }

    void addSingle(StackRow::Kind kind, StackPart part, const std::vector<int>& nodes)
    {
        part.bar = bar(nodes, part.component);
        StackRow row{.kind = kind, .title = part.title};
        row.parts.push_back(std::move(part));
        m_picture.rows.push_back(std::move(row));
    }

    void addRun(int index)
    {
        const Model& model = m_scenario.model;
        const BlockRun& run = model.runs[static_cast<std::size_t>(index)];
        const int first = std::exchange(m_nextBlock, m_nextBlock + run.repeat);
        StackRow row{
            .kind = StackRow::Kind::run, .run = index, .firstBlock = first, .repeat = run.repeat};
        row.title = runTitle(run, first);
        row.repeatText = run.repeat > 1 ? "\xC3\x97 " + std::to_string(run.repeat) : "";
        addToPattern(row);
        const std::vector<int> nodes = nodesOfRun(index, first);
        const auto add = [&row](StackPart part, bool muted) {
            row.parts.push_back(muted ? asMuted(std::move(part)) : std::move(part));
        };
        const Block& block = run.block;
        if (block.holdsMixer()) {
            add(mixerPart(PartRole::mixer, block.mixer, nodes), block.mixerMuted);
        }
        if (block.holdsCross()) {
            add(mixerPart(PartRole::cross, block.cross, nodes), block.crossMuted);
        }
        if (block.holdsFfn()) {
            add(ffnPart(block.ffn, nodes), block.ffnMuted);
        }
        m_picture.rows.push_back(std::move(row));
    }

    // One of each repeat of the run's pattern; its first block is given.
    std::vector<int> nodesOfRun(int run, int first) const
    {
        const Model& model = m_scenario.model;
        const int index = patternOf(model, run);
        if (index < 0) {
            return {m_blocks.at(first)};
        }
        const Pattern& pattern = model.patterns[static_cast<std::size_t>(index)];
        const int period = blocksInPeriod(model, pattern);
        std::vector<int> nodes;
        for (int i = 0; i < pattern.times; ++i) {
            nodes.push_back(m_blocks.at(first + i * period));
        }
        return nodes;
    }

    // Puts the row that is added next into its pattern, which it may begin.
    void addToPattern(StackRow& row)
    {
        const Model& model = m_scenario.model;
        const int index = patternOf(model, row.run);
        if (index < 0) {
            return;
        }
        const Pattern& pattern = model.patterns[static_cast<std::size_t>(index)];
        const int place = static_cast<int>(m_picture.rows.size());
        const std::string times = "\xC3\x97 " + std::to_string(pattern.times);
        if (pattern.firstRun == row.run) {
            m_picture.patterns.push_back({.pattern = index,
                                          .firstRow = place,
                                          .lastRow = place,
                                          .title = patternTitle(pattern, row.firstBlock),
                                          .timesText = times});
        }
        m_picture.patterns.back().lastRow = place;
        row.pattern = static_cast<int>(m_picture.patterns.size()) - 1;
        const int blocks = row.repeat * pattern.times;
        row.patternText = "pattern " + times + " \xE2\x80\xBA "
            + blocksTitle(model.runs[static_cast<std::size_t>(row.run)], row.firstBlock) + ": "
            + std::to_string(blocks) + (blocks == 1 ? " block changes" : " blocks change");
    }

    // "Pattern of blocks 1 – 6, of 26"
    std::string patternTitle(const Pattern& pattern, int first) const
    {
        const Model& model = m_scenario.model;
        return "Pattern of blocks " + std::to_string(first + 1) + " \xE2\x80\x93 "
            + std::to_string(first + blocksInPeriod(model, pattern)) + ", of "
            + std::to_string(model.layers());
    }

    // A muted part has no node in the tree.
    static StackPart asMuted(StackPart part)
    {
        const auto mute = [](CostBar& bar) { bar.text = bar.exactText = "muted"; };
        part.muted = true;
        mute(part.bar);
        for (StageChip& chip : part.chips) {
            mute(chip.bar);
        }
        return part;
    }

    // Which half it belongs to, if there are two, which blocks it is, and what is unusual in them.
    std::string runTitle(const BlockRun& run, int first) const
    {
        const std::string title = blocksTitle(run, first);
        return run.block.isParallel() ? title + ", mixer and FFN in parallel" : title;
    }

    std::string blocksTitle(const BlockRun& run, int first) const
    {
        std::string title = run.repeat == 1 ? "Block " : "Blocks ";
        if (m_scenario.model.hasEncoder()) {
            title[0] = 'b';
            title.insert(0, run.block.isEncoder() ? "Encoder " : "Decoder ");
        }
        title += std::to_string(first + 1);
        if (run.repeat > 1) {
            title += " \xE2\x80\x93 " + std::to_string(first + run.repeat);
        }
        return title;
    }

    StackPart mixerPart(PartRole role,
                        const MixerSpec& mixer,
                        const std::vector<int>& runNodes) const
    {
        const VariantInfo& variant = info(mixer);
        return {.role = role,
                .component = variant.component,
                .title = std::string(variant.title),
                .detail = fieldsText(mixer, fields(mixer), &FieldText::label),
                .shortDetail = fieldsText(mixer, fields(mixer), &FieldText::symbol),
                .bar = bar(children(runNodes, variant.id), variant.component)};
    }

    StackPart ffnPart(const FfnSpec& ffn, const std::vector<int>& runNodes) const
    {
        const VariantInfo& variant = info(ffn);
        const std::vector<int> nodes = children(runNodes, "ffn");
        StackPart part{.role = PartRole::ffn,
                       .component = variant.component,
                       .title = ffnTitle(ffn),
                       .detail = fieldsText(ffn, fields(ffn), &FieldText::label),
                       .shortDetail = fieldsText(ffn, fields(ffn), &FieldText::symbol),
                       .bar = bar(nodes, variant.component)};
        if (const auto* composed = std::get_if<ComposedFfn>(&ffn)) {
            part.detail = std::string(enumName(composed->mode));
            addChips(part, *composed, nodes);
        }
        return part;
    }

    // Stages are the groups below a composed FFN's node, in order; a muted FFN has no node (−1).
    void addChips(StackPart& part, const ComposedFfn& composed, std::vector<int> nodes) const
    {
        for (int& node : nodes) {
            node = node < 0 ? -1 : node + 1;
        }
        for (const FfnStage& stage : composed.stages) {
            const VariantInfo& variant = info(stage.spec);
            part.chips.push_back({.component = variant.component,
                                  .id = variant.id,
                                  .title = std::string(variant.title),
                                  .shortTitle = shortTitle(variant),
                                  .bar = bar(nodes, variant.component)});
            for (int& node : nodes) {
                node = node < 0 ? -1 : m_tree.node(node).end;
            }
        }
    }

    // "Micro-refine" → "micro", "Polynomial" → "poly": the id's first word, cut when it is long.
    static std::string shortTitle(const VariantInfo& variant)
    {
        constexpr std::size_t kLongest = 8;
        const std::string_view word = variant.id.substr(0, variant.id.find('_'));
        return std::string(word.size() > kLongest ? word.substr(0, 4) : word);
    }

    // The first two numbers that apply: "d_ff 3072", "heads 32, kv_heads 8", "H 32, G 8".
    template <class Spec>
    static std::string fieldsText(const Spec& spec,
                                  const std::vector<Field<Spec>>& all,
                                  std::string_view FieldText::*name)
    {
        std::string text;
        int shown = 0;
        for (const Field<Spec>& field : all) {
            const FieldValue value = field.value(spec);
            const bool isNumber = std::holds_alternative<std::int64_t>(value)
                || std::holds_alternative<double>(value);
            if (isNumber && field.applies(spec) && shown < 2) {
                const std::string_view called =
                    (field.text.*name).empty() ? field.text.label : field.text.*name;
                text += (shown > 0 ? ", " : "") + std::string(called) + " " + valueText(value);
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

    std::vector<int> children(const std::vector<int>& parents, std::string_view name) const
    {
        std::vector<int> found;
        for (const int parent : parents) {
            found.push_back(child(parent, name));
        }
        return found;
    }

    // Of all these nodes together; those that are not there (−1) cost nothing.
    CostBar bar(const std::vector<int>& nodes, const Component* component) const
    {
        CostBar bar{.component = component, .text = "0", .exactText = "0"};
        if (std::all_of(nodes.begin(), nodes.end(), [](int node) { return node < 0; })) {
            return bar; // a part without operations, such as a norm that is switched off
        }
        if (lens(m_lens).isFormula()) {
            bar.text = bar.exactText = "\xE2\x80\x93";
            return bar;
        }
        Count price = 0;
        bool blind = true;
        for (const int node : nodes) {
            if (node < 0) {
                continue;
            }
            for (const int each : nodesLike(node)) {
                price += m_tree.timesUsed(each) * pricedPart(m_lens, m_tree, each);
                blind = blind && isBlindToPart(m_lens, m_tree, each);
            }
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
    std::unordered_map<int, int> m_blocks{}; ///< nodes of the runs, by their first block
    int m_nextBlock = 0;
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
