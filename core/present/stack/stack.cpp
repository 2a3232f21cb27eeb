// SPDX-License-Identifier: MIT
#include "core/present/stack/stack.h"

#include "core/ffn/composed.h"
#include "core/model/operation.h"
#include "core/model/pattern.h"
#include "core/present/base/ffn_title.h"
#include "core/present/stack/stack_costs.h"
#include "core/present/stack/stack_texts.h"

#include <algorithm>
#include <utility>

namespace flopsmith {
namespace {

/// Walks model and cost tree side by side: the tree has the model's structure.
class PictureBuilder
{
public:
    PictureBuilder(const Scenario& scenario, const CostTree<Count>& tree, LensId lensId)
        : m_scenario(scenario)
        , m_lens(lensId)
        , m_costs(scenario, tree, lensId)
    {}

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

    void addEmbedding()
    {
        addSingle(StackRow::Kind::embedding,
                  {.role = PartRole::embedding,
                   .component = &kEmbeddingComponent,
                   .title = "Embedding",
                   .detail = embeddingDetail(m_scenario.model)},
                  {m_costs.part("embedding"), m_costs.part("decoder_embedding")});
    }

    void addNorm(StackRow::Kind kind, StackPart part, const Norm& norm, std::string_view node)
    {
        if (norm.kind != NormKind::none) {
            part.component = &kNormComponent;
            part.detail = norm.kind == NormKind::rmsNorm ? "RMSNorm" : "LayerNorm";
            addSingle(kind, std::move(part), {m_costs.part(node)});
        }
    }

    void addHead()
    {
        const Head& head = m_scenario.model.head;
        if (head.kind == HeadKind::none) {
            return;
        }
        std::vector<int> nodes{m_costs.part("head")};
        if (head.hasUnreadPooler()) {
            nodes.push_back(m_costs.part("pooler"));
        }
        addSingle(StackRow::Kind::head,
                  {.role = PartRole::head,
                   .component = &kHeadComponent,
                   .title = std::string(headTitle(head)),
                   .detail = headDetail(head)},
                  nodes);
    }

    void addSingle(StackRow::Kind kind, StackPart part, const std::vector<int>& nodes)
    {
        part.bar = m_costs.bar(nodes, part.component);
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
        row.title = runTitle(model, run, first);
        row.repeatText = run.repeat > 1 ? "\xC3\x97 " + std::to_string(run.repeat) : "";
        addToPattern(row);
        const std::vector<int> nodes = m_costs.nodesOfRun(index, first);
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

    // Puts the next row into its pattern, which it may begin.
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
                                          .title = patternTitle(model, pattern, row.firstBlock),
                                          .timesText = times});
        }
        m_picture.patterns.back().lastRow = place;
        row.pattern = static_cast<int>(m_picture.patterns.size()) - 1;
        const int blocks = row.repeat * pattern.times;
        row.patternText = "pattern " + times + " \xE2\x80\xBA "
            + blocksTitle(model, model.runs[static_cast<std::size_t>(row.run)], row.firstBlock)
            + ": " + std::to_string(blocks) + (blocks == 1 ? " block changes" : " blocks change");
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

    StackPart mixerPart(PartRole role,
                        const MixerSpec& mixer,
                        const std::vector<int>& runNodes) const
    {
        const VariantInfo& variant = info(mixer);
        return {.role = role,
                .component = variant.component,
                .title = std::string(variant.title),
                .detail = fieldsText(mixer, &FieldText::label),
                .shortDetail = fieldsText(mixer, &FieldText::symbol),
                .bar = m_costs.bar(m_costs.children(runNodes, variant.id), variant.component)};
    }

    StackPart ffnPart(const FfnSpec& ffn, const std::vector<int>& runNodes) const
    {
        const VariantInfo& variant = info(ffn);
        const std::vector<int> nodes = m_costs.children(runNodes, "ffn");
        StackPart part{.role = PartRole::ffn,
                       .component = variant.component,
                       .title = ffnTitle(ffn),
                       .detail = fieldsText(ffn, &FieldText::label),
                       .shortDetail = fieldsText(ffn, &FieldText::symbol),
                       .bar = m_costs.bar(nodes, variant.component)};
        if (const auto* composed = get_if<ComposedFfn>(&ffn)) {
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
                                  .bar = m_costs.bar(nodes, variant.component)});
            for (int& node : nodes) {
                node = node < 0 ? -1 : m_costs.nodeBehind(node);
            }
        }
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
    LensId m_lens;
    StackCosts m_costs;
    int m_nextBlock = 0;
    StackPicture m_picture;
};

} // namespace

StackPicture stackPicture(const Scenario& scenario, const CostTree<Count>& tree, LensId lensId)
{
    FLOPSMITH_CHECK(tree.size() > 0);
    return PictureBuilder(scenario, tree, lensId).picture();
}

StackPicture withoutCosts(StackPicture picture)
{
    const auto empty = [](CostBar& bar, bool isMuted) {
        const std::string text = isMuted ? bar.text : "?"; // a muted part visibly costs nothing
        bar = {.component = bar.component, .text = text, .exactText = text};
    };
    for (StackRow& row : picture.rows) {
        for (StackPart& part : row.parts) {
            empty(part.bar, part.muted);
            for (StageChip& chip : part.chips) {
                empty(chip.bar, part.muted);
            }
        }
    }
    picture.largest = 0.0;
    return picture;
}

} // namespace flopsmith
