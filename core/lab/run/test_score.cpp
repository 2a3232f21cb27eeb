// SPDX-License-Identifier: MIT
#include "core/lab/run/test_score.h"

namespace flopsmith {
namespace {

// Σ (y − ȳ)² over all target numbers.
template <class S>
double squaresOf(const std::vector<TrainingBatch<S>>& batches)
{
    double sum = 0.0;
    double count = 0.0;
    for (const TrainingBatch<S>& batch : batches) {
        for (const S value : batch.targets.values) {
            sum += static_cast<double>(value);
            count += 1.0;
        }
    }
    double squares = 0.0;
    for (const TrainingBatch<S>& batch : batches) {
        for (const S value : batch.targets.values) {
            const double distance = static_cast<double>(value) - sum / count;
            squares += distance * distance;
        }
    }
    return squares;
}

} // namespace

template <class S>
Result<TestScore> testScore(Trainer<S>& trainer,
                            const std::vector<TrainingBatch<S>>& batches,
                            Score score)
{
    double losses = 0.0;
    double compared = 0.0;
    double right = 0.0;
    for (const TrainingBatch<S>& batch : batches) {
        FLOPSMITH_TRY(const Evaluation<S> evaluation, trainer.evaluate(batch));
        const auto rows = static_cast<double>(evaluation.compared);
        losses += evaluation.loss * rows;
        compared += rows;
        right += static_cast<double>(evaluation.right);
    }
    TestScore result{.loss = losses / compared, .score = losses / compared};
    if (score == Score::accuracy) {
        result.score = right / compared;
    } else if (score == Score::rSquared) {
        result.score = 1.0 - losses / squaresOf(batches);
    }
    return result;
}

template Result<TestScore> testScore<float>(Trainer<float>&,
                                            const std::vector<TrainingBatch<float>>&,
                                            Score);
template Result<TestScore> testScore<double>(Trainer<double>&,
                                             const std::vector<TrainingBatch<double>>&,
                                             Score);

} // namespace flopsmith
