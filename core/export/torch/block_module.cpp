// SPDX-License-Identifier: MIT
#include "core/export/torch/block_module.h"

#include "core/base/text.h"
#include "core/export/torch/modules.h"

#include <vector>

namespace flopsmith::torch {
namespace {

using Kind = BlockPart::Kind;

bool isModule(const Block& block, const BlockPart& part)
{
    return part.kind != Kind::residual
        && !(part.kind == Kind::norm && block.norm.kind == NormKind::none);
}

// The statements of forward(), one to a line.
class BlockForward
{
public:
    BlockForward(const Block& block, bool isForLibrary)
        : m_block(block)
        , m_isForLibrary(isForLibrary)
    {}

    std::vector<std::string> statements()
    {
        forEachPart(m_block, [this](const BlockPart& part) {
            if (m_block.isParallel()) {
                takeParallel(part);
            } else {
                take(part);
            }
        });
        return m_statements;
    }

private:
    std::string applied(const BlockPart& part, const std::string& to) const
    {
        if (!isModule(m_block, part)) {
            return to;
        }
        return "self." + std::string(part.name) + "(" + to + more(part) + ")";
    }

    // The part's arguments besides the features of the tokens.
    std::string more(const BlockPart& part) const
    {
        if (!m_isForLibrary) {
            return part.kind == Kind::cross ? ", source" : "";
        }
        const bool readsContext = part.kind == Kind::cross
            || (part.kind == Kind::mixer && !holds_alternative<NoMixer>(m_block.mixer))
            || (part.kind == Kind::ffn && tokensSeenBefore(m_block.ffn) > 0);
        return readsContext ? ", context" : "";
    }

    static std::string added(const std::string& branch, const Residual& residual)
    {
        return "x = x + " + (residual.scale ? numberText(residual.factor) + " * " : "") + branch;
    }

    // A norm after the addition is applied to the stream, any other to the branch.
    void take(const BlockPart& part)
    {
        if (part.kind == Kind::residual) {
            m_statements.push_back(added(m_branch, part.residual));
            m_branch = "x";
        } else if (part.kind == Kind::norm && m_block.placement == NormPlacement::post) {
            if (isModule(m_block, part)) {
                m_statements.push_back("x = " + applied(part, "x"));
            }
        } else {
            m_branch = applied(part, m_branch);
        }
    }

    // Both branches begin with their norms, or with one of both.
    void takeParallel(const BlockPart& part)
    {
        switch (part.kind) {
        case Kind::norm:
            m_branch = applied(part, "x");
            if (m_block.oneNorm && isModule(m_block, part)) {
                m_statements.push_back("h = " + m_branch);
                m_branch = "h";
            }
            break;
        case Kind::mixer: m_mixed = applied(part, m_branch); break;
        case Kind::ffn: m_branch = applied(part, m_branch); break;
        case Kind::residual:
            m_statements.push_back(added("(" + m_mixed + " + " + m_branch + ")", part.residual));
            break;
        case Kind::cross: break; // parallel blocks have none
        }
    }

    const Block& m_block;
    bool m_isForLibrary;
    std::vector<std::string> m_statements;
    std::string m_branch = "x";
    std::string m_mixed;
};

std::string description(const Block& block)
{
    const std::string scale = block.residualScale ? numberText(block.residualFactor) + "·" : "";
    if (block.isParallel()) {
        return "Mixer and FFN side by side: x + " + scale + "(f(norm(x)) + g(norm(x))).";
    }
    const std::string around = "One block, around each part f: ";
    if (block.norm.kind == NormKind::none) {
        return around + "x + " + scale + "f(x).";
    }
    switch (block.placement) {
    case NormPlacement::pre: return around + "x + " + scale + "f(norm(x)).";
    case NormPlacement::post: return around + "norm(x + " + scale + "f(x)).";
    case NormPlacement::output: return around + "x + " + scale + "norm(f(x)).";
    case NormPlacement::sandwich: return around + "x + " + scale + "norm′(f(norm(x))).";
    }
    return around;
}

std::string forwardSignature(bool takesSource, bool isForLibrary)
{
    if (isForLibrary) {
        return "    def forward(self, x, context):  # [B, S, d]\n";
    }
    return takesSource ? "    def forward(self, x, source):  # [B, S, d] and [B, S_src, d]\n"
                       : "    def forward(self, x):  # [B, S, d]\n";
}

std::string classText(const Block& block, bool takesSource, bool isForLibrary)
{
    std::string text = "class __NAME__(nn.Module):\n    \"\"\"" + description(block) + "\"\"\"\n";
    std::string parameters;
    std::string members;
    forEachPart(block, [&](const BlockPart& part) {
        if (isModule(block, part)) {
            const std::string name(part.name);
            parameters += "        " + name + ",\n";
            members += "        self." + name + " = " + name + "\n";
        }
    });
    text += "\n    def __init__(\n        self,\n" + parameters
        + "    ):\n        super().__init__()\n" + members + "\n";
    text += forwardSignature(takesSource, isForLibrary);
    for (const std::string& statement : BlockForward(block, isForLibrary).statements()) {
        text += "        " + statement + "\n";
    }
    return text + "        return x\n";
}

} // namespace

PythonExpression blockModule(const Block& block,
                             int dModel,
                             bool takesSource,
                             const std::string& relativeBias,
                             ClassList& classes)
{
    std::vector<PythonExpression::Item> arguments;
    forEachPart(block, [&](const BlockPart& part) {
        const std::string name(part.name);
        switch (part.kind) {
        case Kind::norm:
            if (isModule(block, part)) {
                arguments.push_back({name, normModule(block.norm, dModel, classes)});
            }
            break;
        case Kind::mixer:
            arguments.push_back({name, mixerModule(block.mixer, dModel, relativeBias, classes)});
            break;
        case Kind::cross:
            arguments.push_back({name, mixerModule(block.cross, dModel, relativeBias, classes)});
            break;
        case Kind::ffn: arguments.push_back({name, ffnModule(block.ffn, dModel, classes)}); break;
        case Kind::residual: break;
        }
    });
    PythonExpression call = PythonExpression::call(
        classes.classOf("Block", classText(block, takesSource, classes.isForLibrary())));
    call.items = std::move(arguments);
    return call;
}

} // namespace flopsmith::torch
