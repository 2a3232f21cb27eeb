// SPDX-License-Identifier: MIT
#include "core/present/stack/stack_texts.h"

#include "core/base/text.h"
#include "core/present/stack/stack.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace flopsmith {
namespace {

// "50 257 × 768", or with a table of its own width "30 000 × 128 → 768".
std::string tableText(const Model& model)
{
    const int width = model.embedding.tableWidth(model.dModel);
    const std::string table =
        groupedDigits(model.embedding.vocab) + " \xC3\x97 " + groupedDigits(width);
    return model.embedding.projects() ? table + " \xE2\x86\x92 " + groupedDigits(model.dModel)
                                      : table;
}

// "196 patches of 16 × 16"
std::string patchesText(const Embedding& embedding)
{
    const std::string side = groupedDigits(embedding.patchSize);
    return groupedDigits(embedding.patches()) + " patches of " + side + " \xC3\x97 " + side;
}

// The first two numbers that apply: "d_ff 3072", "heads 32, kv_heads 8", "H 32, G 8".
template <class Spec>
std::string namedFields(const Spec& spec,
                        const std::vector<Field<Spec>>& all,
                        std::string_view FieldText::*name)
{
    std::string text;
    int shown = 0;
    for (const Field<Spec>& field : all) {
        const FieldValue value = field.value(spec);
        const bool isNumber =
            std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
        if (isNumber && field.applies(spec) && shown < 2) {
            const std::string_view called =
                (field.text.*name).empty() ? field.text.label : field.text.*name;
            text += (shown > 0 ? ", " : "") + std::string(called) + " " + valueText(value);
            ++shown;
        }
    }
    return text;
}

} // namespace

std::string embeddingDetail(const Model& model)
{
    const Embedding& embedding = model.embedding;
    std::string detail = embedding.readsPatches() ? patchesText(embedding) : tableText(model);
    if (embedding.positions != Positions::none) {
        detail += ", " + std::string(enumName(embedding.positions)) + " positions";
    }
    return detail;
}

std::string headDetail(const Head& head)
{
    if (head.hasClasses()) {
        return groupedDigits(head.classes)
            + (head.kind == HeadKind::tokens ? " classes of each token" : " classes");
    }
    if (head.isLm()) {
        return head.tied ? "tied to the embedding" : "own matrix";
    }
    return "first token";
}

std::string blocksTitle(const Model& model, const BlockRun& run, int first)
{
    std::string title = run.repeat == 1 ? "Block " : "Blocks ";
    if (model.hasEncoder()) {
        title[0] = 'b';
        title.insert(0, run.block.isEncoder() ? "Encoder " : "Decoder ");
    }
    title += std::to_string(first + 1);
    if (run.repeat > 1) {
        title += " \xE2\x80\x93 " + std::to_string(first + run.repeat);
    }
    return title;
}

std::string runTitle(const Model& model, const BlockRun& run, int first)
{
    const std::string title = blocksTitle(model, run, first);
    return run.block.isParallel() ? title + ", mixer and FFN in parallel" : title;
}

std::string patternTitle(const Model& model, const Pattern& pattern, int first)
{
    return "Pattern of blocks " + std::to_string(first + 1) + " \xE2\x80\x93 "
        + std::to_string(first + blocksInPeriod(model, pattern)) + ", of "
        + std::to_string(model.layers());
}

std::string fieldsText(const MixerSpec& mixer, std::string_view FieldText::*name)
{
    return namedFields(mixer, fields(mixer), name);
}

std::string fieldsText(const FfnSpec& ffn, std::string_view FieldText::*name)
{
    return namedFields(ffn, fields(ffn), name);
}

std::string shortTitle(const VariantInfo& variant)
{
    constexpr std::size_t kLongest = 8;
    const std::string_view word = variant.id.substr(0, variant.id.find('_'));
    return std::string(word.size() > kLongest ? word.substr(0, 4) : word);
}

} // namespace flopsmith
