// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/lens.h"
#include "core/model/model_cost.h"
#include "core/present/inside/inside_shapes.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The quantities that bars inside a block can show.
enum class InsideMeasure { flops, parameters, bytes, time };

/// The cost of an operation in all blocks of the run together, as in the bars of the stack.
struct InsideCost
{
    Count flops = 0; ///< or MACs, under the lens
    Count parameters = 0; ///< trainable
    Count bytes = 0; ///< moved through memory by unfused operations
    bool uncounted = false; ///< executed, but the lens counts none of it

    Count of(InsideMeasure measure) const;
    InsideCost& operator+=(const InsideCost& other);
    bool operator==(const InsideCost&) const = default;
};

/// The measured time of a part, in all blocks of the run together.
struct InsideTime
{
    double seconds = 0.0; ///< 0 without a time
    std::string text{}; ///< "614 ms", "not measured"; empty if it is not measured separately
    std::string reason{}; ///< why it failed

    bool operator==(const InsideTime&) const = default;
};

/// An operation, or several in sequence or in parallel.
struct InsideStep
{
    enum class Kind { operation, sequence, parallel };
    Kind kind = Kind::operation;
    std::string name{}; ///< of the node in the cost tree: "c_fc", "experts"
    std::string path{}; ///< of that node, in the forward pass; empty if there is no node
    std::string title{}; ///< of a part, a stage or the experts; otherwise empty
    const Component* component = nullptr;
    InsideCost cost{}; ///< of all operations
    InsideTime time{}; ///< see addTimes()
    std::optional<WireShape> in{}; ///< empty if the variant gives no shape
    std::optional<WireShape> out{};
    OperationShape shape{}; ///< of an operation: determines in and out
    std::vector<InsideStep> steps{}; ///< of a sequence, or the lanes

    bool isOperation() const { return kind == Kind::operation; }
};

/// A piece of the residual stream: a branch that leaves it and is added again, or a norm on it.
struct InsideStage
{
    enum class Kind { branch, onStream };
    Kind kind = Kind::branch;
    InsideStep body{};
    InsideStep add{}; ///< of a branch
};

/// One block of a run with everything that it executes, in the order of execution.
struct InsidePicture
{
    int run = -1;
    int repeat = 1;
    std::string blocks{}; ///< "blocks 1 – 12", "decoder block 7"
    std::string repeatText{}; ///< "× 12", or empty
    std::vector<InsideStage> stages{};
    WireShape stream{}; ///< of the residual stream
    InsideCost total{};
    bool priced = true; ///< false under a lens that is a formula for the whole model
    std::string unit{}; ///< of the lens: "FLOPs"
    std::string note{}; ///< what the cost bars show
    std::string timeNote{}; ///< what the time bars show, and how many there are
};

/// The picture of the run's block; without stages if there is no such run.
InsidePicture insidePicture(const Scenario& scenario,
                            const CostTree<Count>& tree,
                            LensId lens,
                            int run);

/// Calls visit(operation) for every operation of the step, in the order of execution.
template <class Visit>
void forEachOperation(const InsideStep& step, Visit visit)
{
    if (step.isOperation()) {
        visit(step);
        return;
    }
    for (const InsideStep& inner : step.steps) {
        forEachOperation(inner, visit);
    }
}

/// All operations of a picture, residual additions included. They live as long as the picture.
std::vector<const InsideStep*> operationsOf(const InsidePicture& picture);

/// The operation or part of the block at a path of the cost tree, in any pass; null if the picture
/// has none.
const InsideStep* stepAt(const InsidePicture& picture, std::string_view path);

/// The value of the bar in short: "4.8 G", "uncounted", "–" under a formula.
std::string insideValue(const InsidePicture& picture,
                        const InsideCost& cost,
                        InsideMeasure measure);

/// The same for an operation or part, where the measure may be its time: "–" if it is not measured
/// separately.
std::string insideValue(const InsidePicture& picture,
                        const InsideStep& step,
                        InsideMeasure measure);

/// The length of the bar of an operation or part, in any unit.
double insideAmount(const InsideStep& step, InsideMeasure measure);

/// "[B·S, d] → [B·S, d_ff]" or in numbers; empty if neither shape is known.
enum class ShapeText { symbols, numbers };
std::string insideShapes(const InsideStep& operation, ShapeText text);

/// Everything about an operation in one line: name, shapes, FLOPs, share of the block, parameters.
std::string insideSentence(const InsidePicture& picture, const InsideStep& operation);

} // namespace flopsmith
