// SPDX-License-Identifier: MIT
#include "core/export/torch/model_source.h"

#include "core/base/text.h"
#include "core/export/torch/block_module.h"
#include "core/export/torch/modules.h"
#include "core/export/torch/repeats.h"
#include "core/export/torch/tensors/model_stack.h"

#include <utility>
#include <vector>

namespace flopsmith::torch {
namespace {

constexpr std::size_t kBody = 8; // blanks before a statement of a method

std::string blockPath(int block)
{
    return "self.blocks[" + std::to_string(block) + "]";
}

// The call that makes each block; a repeated one of a share group refers to the first.
std::vector<PythonExpression> blockCalls(const Model& model, ClassList& classes)
{
    std::vector<PythonExpression> calls;
    for (const StackedBlock& stacked : stackedBlocks(model)) {
        const Block& block = *stacked.block;
        if (stacked.owner < static_cast<int>(calls.size())) {
            calls.push_back(PythonExpression::call("Again").with(
                "", PythonExpression::literal(blockPath(stacked.owner))));
            continue;
        }
        const std::string table = blockPath(stacked.tableOwner) + ".attention.relative_bias";
        const bool takesSource = model.hasEncoder() && !block.isEncoder();
        calls.push_back(blockModule(block, model.dModel, takesSource, table, classes));
    }
    return calls;
}

// Appends the blocks to self.blocks; repetitions become a loop.
std::string blocksText(const std::vector<PythonExpression>& calls, std::size_t indent)
{
    const std::string blanks(indent, ' ');
    std::string text;
    for (const Repeat& repeat : repeatsIn(calls)) {
        const auto first = calls.begin() + static_cast<std::ptrdiff_t>(repeat.first);
        if (repeat.times > 1) {
            text += blanks + "for _ in range(" + std::to_string(repeat.times) + "):\n";
            text +=
                blocksText({first, first + static_cast<std::ptrdiff_t>(repeat.length)}, indent + 4);
        } else {
            text += blanks
                + PythonExpression::call("self.blocks.append").with("", *first).text(indent) + "\n";
        }
    }
    return text;
}

// The parts of a model's class besides its blocks.
class ModelText
{
public:
    ModelText(const Model& model, ClassList& classes)
        : m_model(model)
        , m_classes(classes)
    {}

    std::string text()
    {
        const std::string members = membersText();
        return "class Model(nn.Module):\n    \"\"\"" + pythonQuoted(m_model.name) + "\"\"\"\n\n"
            + "    def __init__(self):\n        super().__init__()\n" + members + "\n"
            + forwardText();
    }

private:
    bool normalises(const Norm& norm) const { return norm.kind != NormKind::none; }
    bool hasHead() const { return m_model.head.kind != HeadKind::none; }
    std::string input() const { return m_model.embedding.readsPatches() ? "images" : "tokens"; }

    static std::string member(const std::string& name, const PythonExpression& value)
    {
        const std::string before = "self." + name + " = ";
        return "        " + before + value.text(kBody, before.size()) + "\n";
    }

    std::string membersText()
    {
        const int d = m_model.dModel;
        std::string text = member("embedding", embeddingModule(m_model.embedding, d, m_classes));
        text += "        self.blocks = nn.ModuleList()\n"
            + blocksText(blockCalls(m_model, m_classes), kBody);
        if (m_model.hasEncoder() && normalises(m_model.encoderNorm)) {
            text += member("encoder_norm", normModule(m_model.encoderNorm, d, m_classes));
        }
        if (normalises(m_model.finalNorm)) {
            text += member("final_norm", normModule(m_model.finalNorm, d, m_classes));
        }
        const Head& head = m_model.head;
        if (hasHead()) {
            text += member("head", headModule(head.computed(), d, m_model.logitTable(), m_classes));
        }
        if (head.hasUnreadPooler()) {
            text += "        # nothing reads what the pooler gives\n"
                + member("pooler", headModule(Head::pooler(), d, m_model.tokenTable(), m_classes));
        }
        return text;
    }

    std::string forwardText() const
    {
        if (m_classes.isForLibrary()) {
            return m_model.embedding.readsPatches() ? libraryImagesText() : libraryTokensText();
        }
        return m_model.hasEncoder() ? encoderDecoderText() : decoderText();
    }

    std::string decoderText() const
    {
        const std::string shape =
            m_model.embedding.readsPatches() ? "[B, channels, height, width]" : "[B, S]";
        return "    def forward(self, " + input() + "):  # " + shape
            + "\n        x = self.embedding(" + input()
            + ")  # [B, S, d]\n        for block in self.blocks:\n" + "            x = block(x)\n"
            + endText();
    }

    std::string encoderDecoderText() const
    {
        const std::string encoders = std::to_string(encoderBlocks());
        std::string text = "    def forward(self, " + input()
            + ", source):  # [B, S] and [B, S_src]\n"
            + "        z = self.embedding(source)  # [B, S_src, d]\n"
            + "        for block in self.blocks[:" + encoders + "]:\n"
            + "            z = block(z)\n";
        if (normalises(m_model.encoderNorm)) {
            text += "        z = self.encoder_norm(z)\n";
        }
        return text + "        x = self.embedding(" + input() + ")  # [B, S, d]\n"
            + "        for block in self.blocks[" + encoders + ":]:\n"
            + "            x = block(x, z)\n" + endText();
    }

    int encoderBlocks() const
    {
        int count = 0;
        for (const BlockRun& run : m_model.runs) {
            count += run.block.isEncoder() ? run.repeat : 0;
        }
        return count;
    }

    // Nothing is padding in images.
    std::string libraryImagesText() const
    {
        return "    def forward(self, images):  # [B, channels, height, width]\n"
               "        x = self.embedding(images)  # [B, S, d]\n"
               "        context = Context(x)\n"
            + loopText("x", "self.blocks", "x, context") + endText();
    }

    std::string libraryTokensText() const
    {
        const bool keepsLast = m_classes.flag("caches");
        std::string text = m_model.hasEncoder() ? libraryEncoderText() : "";
        text += keepsLast
            ? "    def forward(self, input_ids, context, logits_to_keep=0):  # [B, S]; 0: of all\n"
            : "    def forward(self, input_ids, context):  # [B, S]\n";
        text += "        x = self.embedding(input_ids, context)  # [B, S, d]\n";
        const std::string first = m_model.hasEncoder() ? std::to_string(encoderBlocks()) : "";
        text +=
            loopText("x", "self.blocks" + (first.empty() ? "" : "[" + first + ":]"), "x, context");
        text += keepsLast ? "        x = x[:, -logits_to_keep:]\n" : "";
        return text + endText();
    }

    std::string libraryEncoderText() const
    {
        std::string text = "    def encode(self, input_ids, context):  # [B, S_src]\n"
                           "        z = self.embedding(input_ids, context)  # [B, S_src, d]\n"
            + loopText("z", "self.blocks[:" + std::to_string(encoderBlocks()) + "]", "z, context");
        text += normalises(m_model.encoderNorm) ? "        z = self.encoder_norm(z)\n" : "";
        return text + "        return z\n\n";
    }

    static std::string loopText(const std::string& result,
                                const std::string& blocks,
                                const std::string& arguments)
    {
        return "        for block in " + blocks + ":\n            " + result + " = block("
            + arguments + ")\n";
    }

    std::string endText() const
    {
        std::string text;
        if (normalises(m_model.finalNorm)) {
            text += "        x = self.final_norm(x)\n";
        }
        return text
            + (hasHead() ? "        return self.head(x" + headInput() + ")\n"
                         : "        return x\n");
    }

    // The head's arguments besides the features.
    std::string headInput() const
    {
        if (m_model.head.isOfEveryToken()) {
            return m_model.head.sharesTable() ? ", self.embedding.tokens.weight" : "";
        }
        return m_classes.isForLibrary() ? ", context" : "";
    }

    const Model& m_model;
    ClassList& m_classes;
};

bool names(const std::string& text, const std::string& module)
{
    return text.find(" " + module) != std::string::npos
        || text.find("(" + module) != std::string::npos
        || text.find("-" + module) != std::string::npos;
}

const std::string kLicence = "# SPDX-License-Identifier: MIT\n"
                             "# Written by Flopsmith; the generated text belongs to you.\n";

// The opening comment: what the model is.
std::string openingText(const Model& model)
{
    return "\"\"\"" + pythonQuoted(model.name) + " in PyTorch: " + std::to_string(model.layers())
        + (model.layers() == 1 ? " block" : " blocks") + " of width " + std::to_string(model.dModel)
        + ".\n\n"
        + "Shapes: B sequences of S tokens, d features of a token, H heads of h features.\n"
          "Tensors are stored under the names of the members: blocks.0.ffn…\n\"\"\"\n\n";
}

// The imports that the text needs.
std::string importsText(const std::string& text, const std::string& others = "")
{
    std::string opening;
    if (names(text, "math.")) {
        opening += "import math\n\n";
    }
    if (names(text, "torch.")) {
        opening += "import torch\n";
    }
    if (names(text, "F.")) {
        opening += "import torch.nn.functional as F\n";
    }
    return opening + "from torch import nn\n" + others + "\n\n";
}

Result<std::string> sourceOf(const Model& model,
                             ClassList& classes,
                             const std::string& imports,
                             const std::string& ending)
{
    FLOPSMITH_RETURN_IF_ERROR(checkedStack(model));
    const std::string program = ModelText(model, classes).text() + ending;
    FLOPSMITH_TRY(const std::string text, classes.source(program));
    return kLicence + openingText(model) + importsText(text, imports) + text;
}

} // namespace

Result<std::string> modelSource(const Scenario& scenario)
{
    ClassList classes;
    return sourceOf(scenario.model, classes, "", "");
}

Result<std::string> librarySource(const Scenario& scenario, const LibraryShell& shell)
{
    ClassList classes(shell.context);
    return sourceOf(scenario.model, classes, shell.imports, "\n\n" + shell.classes);
}

namespace {

Result<std::string> partText(const PythonExpression& call, const ClassList& classes)
{
    const Result<std::string> text =
        classes.source("def part():\n    return " + call.text(4, 7) + "\n");
    return text ? kLicence + importsText(*text) + *text : text;
}

ClassList classesFor(PartStep step)
{
    TemplateContext context{.values = {}, .names = {}};
    for (const char* flag : {"library", "caches", "stores", "seq2seq"}) {
        context.values[flag] = step == PartStep::decode;
    }
    return ClassList(std::move(context));
}

std::string residualText(const Residual& residual)
{
    const bool isParallel = residual.branches > 1;
    const std::string factor = residual.scale ? numberText(residual.factor) + " * " : "";
    const std::string sum = "x + " + factor + (isParallel ? "(f + g)" : "f");
    return "class __NAME__(nn.Module):\n    \"\"\"What leads back into the residual "
           "stream.\"\"\"\n\n"
           "    def forward(self, x, f"
        + std::string(isParallel ? ", g" : "") + "):  # [B, S, d] each\n        return " + sum
        + "\n";
}

} // namespace

Result<std::string> partSource(const FfnSpec& ffn, int dModel)
{
    ClassList classes;
    const PythonExpression call = ffnModule(ffn, dModel, classes);
    return partText(call, classes);
}

Result<std::string> partSource(const MixerSpec& mixer, int dModel, PartStep step)
{
    if (step == PartStep::decode && keepsState(mixer)) {
        return Error{"PyTorch cannot measure a step of " + std::string(info(mixer).title)
                     + " in decode: its program begins with an empty state"};
    }
    ClassList classes = classesFor(step);
    const PythonExpression call = mixerModule(mixer, dModel, "", classes);
    return partText(call, classes);
}

Result<std::string> partSource(const Norm& norm, int dModel)
{
    ClassList classes;
    const PythonExpression call = normModule(norm, dModel, classes);
    return partText(call, classes);
}

Result<std::string> partSource(const Residual& residual)
{
    ClassList classes;
    const PythonExpression call =
        PythonExpression::call(classes.classOf("Residual", residualText(residual)));
    return partText(call, classes);
}

Result<std::string> partSource(const Embedding& embedding, int dModel, PartStep step)
{
    ClassList classes = classesFor(step);
    const PythonExpression call = embeddingModule(embedding, dModel, classes);
    return partText(call, classes);
}

Result<std::string> partSource(const Head& head, int dModel, const TokenTable& table)
{
    ClassList classes;
    const PythonExpression call = headModule(head, dModel, table, classes);
    return partText(call, classes);
}

} // namespace flopsmith::torch
