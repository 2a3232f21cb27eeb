// SPDX-License-Identifier: MIT
#include "core/train/batch_loss.h"

#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/reference/layer/loss.h"
#include "core/layer/loss_cost.h"

#include <algorithm>
#include <string>
#include <utility>

namespace flopsmith {
namespace {

using reference::valueOf;

// The rows of the outputs that have a label.
struct LabelledRows
{
    std::vector<std::size_t> rows;
    std::vector<int> labels;
};

Result<LabelledRows> labelledRows(const std::vector<int>& labels, std::size_t classes)
{
    LabelledRows found;
    for (std::size_t row = 0; row < labels.size(); ++row) {
        const int label = labels[row];
        if (label == kNoLabel) {
            continue;
        }
        if (label < 0 || static_cast<std::size_t>(label) >= classes) {
            return Error{"Label " + std::to_string(row) + " is " + std::to_string(label)
                         + "; it must be 0 \xE2\x80\xA6 " + std::to_string(classes - 1)
                         + ", or -1 for none"};
        }
        found.rows.push_back(row);
        found.labels.push_back(label);
    }
    if (found.rows.empty()) {
        return Error{"No row of the batch has a label; at least one is needed"};
    }
    return found;
}

template <class S>
std::vector<S> rowsOf(std::span<const S> outputs, const LabelledRows& found, std::size_t classes)
{
    std::vector<S> rows;
    rows.reserve(found.rows.size() * classes);
    for (const std::size_t row : found.rows) {
        const std::span<const S> values = outputs.subspan(row * classes, classes);
        rows.insert(rows.end(), values.begin(), values.end());
    }
    return rows;
}

template <class S>
bool isRight(std::span<const S> row, int label)
{
    const auto largest =
        std::max_element(row.begin(), row.end(), [](S a, S b) { return valueOf(a) < valueOf(b); });
    return largest - row.begin() == label;
}

template <class S>
Result<BatchLoss<S>> crossEntropyOf(std::span<const S> outputs, const std::vector<int>& labels)
{
    if (outputs.empty() || outputs.size() % labels.size() != 0) {
        return Error{std::to_string(labels.size()) + " labels do not fit "
                     + std::to_string(outputs.size()) + " outputs; each row needs one"};
    }
    const std::size_t classes = outputs.size() / labels.size();
    FLOPSMITH_TRY(const LabelledRows found, labelledRows(labels, classes));
    BatchLoss<S> loss{.mean = S(0), .dOutputs = {}, .compared = found.rows.size()};
    const bool all = found.rows.size() == labels.size();
    const std::vector<S> picked = all ? std::vector<S>() : rowsOf(outputs, found, classes);
    const std::span<const S> logits = all ? outputs : std::span<const S>(picked);
    std::vector<S> exponentials(logits.size());
    std::vector<S> totals(found.rows.size());
    loss.mean = reference::crossEntropy<S>(logits, found.labels, exponentials, totals);
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
        const std::span<const S> row = logits.subspan(i * classes, classes);
        loss.right += isRight(row, found.labels[i]) ? 1 : 0;
    }
    std::vector<S>& gradient = exponentials; // each element is read before it is written
    reference::crossEntropyBackward<S>(exponentials, totals, found.labels, gradient);
    if (all) {
        loss.dOutputs = std::move(gradient);
        return loss;
    }
    loss.dOutputs.assign(outputs.size(), S(0));
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
        std::copy_n(gradient.begin() + std::ptrdiff_t(i * classes),
                    classes,
                    loss.dOutputs.begin() + std::ptrdiff_t(found.rows[i] * classes));
    }
    return loss;
}

template <class S>
Result<BatchLoss<S>> squaredErrorOf(std::span<const S> outputs, const TrainingTargets<S>& targets)
{
    const std::size_t n = targets.values.size();
    const bool all = targets.places.empty();
    if (n == 0 || n != (all ? outputs.size() : targets.places.size())) {
        return Error{std::to_string(n) + " target numbers do not fit "
                     + std::to_string(all ? outputs.size() : targets.places.size()) + " outputs"};
    }
    BatchLoss<S> loss{
        .mean = S(0), .dOutputs = std::vector<S>(outputs.size(), S(0)), .compared = n};
    const auto share = static_cast<S>(2.0 / static_cast<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t place = all ? i : targets.places[i];
        if (place >= outputs.size()) {
            return Error{"Target " + std::to_string(i) + " is for output " + std::to_string(place)
                         + " of " + std::to_string(outputs.size())};
        }
        const S difference = outputs[place] - targets.values[i];
        const S square = difference * difference;
        loss.mean = i == 0 ? square : loss.mean + square;
        loss.dOutputs[place] = share * difference;
    }
    loss.mean = loss.mean / S(static_cast<double>(n));
    return loss;
}

} // namespace

template <class S>
Result<BatchLoss<S>> batchLoss(std::span<const S> outputs, const TrainingTargets<S>& targets)
{
    return targets.labels.empty() ? squaredErrorOf<S>(outputs, targets)
                                  : crossEntropyOf<S>(outputs, targets.labels);
}

OpCount<Count> crossEntropyStepCount(const Count& rows, const Count& classes)
{
    return crossEntropyCost<Count>(rows, classes).count
        + crossEntropyBackwardCost<Count>(rows, classes).count;
}

OpCount<Count> squaredErrorStepCount(const Count& n)
{
    return {.mul = 2 * n, .add = 2 * n - 1, .div = 1};
}

#define FLOPSMITH_BATCH_LOSS_INSTANCE(S)                                                           \
    template Result<BatchLoss<S>> batchLoss<S>(std::span<const S>, const TrainingTargets<S>&);
FLOPSMITH_BATCH_LOSS_INSTANCE(float)
FLOPSMITH_BATCH_LOSS_INSTANCE(double)
FLOPSMITH_BATCH_LOSS_INSTANCE(reference::Counted)
#undef FLOPSMITH_BATCH_LOSS_INSTANCE

} // namespace flopsmith
