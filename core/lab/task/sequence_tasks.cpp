// SPDX-License-Identifier: MIT
#include "core/lab/task/task_sources.h"

#include <algorithm>
#include <cmath>
#include <functional>

// Tasks whose sequences are drawn one by one, without an end.
namespace flopsmith {
namespace {

using Draw = std::function<LabelledSequence(Random& random)>;

bool hasLabel(const LabelledSequence& sequence)
{
    return std::ranges::any_of(sequence.labels, [](int label) { return label != kNoLabel; });
}

// Fresh sequences in each step, and fixed ones for the test.
class DrawnSequences final : public Task
{
public:
    DrawnSequences(TaskShape shape, int test, std::uint64_t seed, double chance, Draw draw)
        : m_shape(shape)
        , m_test(test)
        , m_seed(seed)
        , m_chance(chance)
        , m_draw(std::move(draw))
    {}

    TaskShape shape() const override { return m_shape; }

    TrainingBatch<float> training(std::int64_t step) const override
    {
        Random random = taskStream(m_seed, TaskStream::training, step);
        return batchOf(m_shape.batch, random);
    }

    std::vector<TrainingBatch<float>> test() const override
    {
        Random random = taskStream(m_seed, TaskStream::test, 0);
        std::vector<TrainingBatch<float>> batches;
        for (int first = 0; first < m_test; first += m_shape.batch) {
            batches.push_back(batchOf(std::min(m_shape.batch, m_test - first), random));
        }
        return batches;
    }

    std::vector<ReferenceScore> references() const override { return {{"chance", m_chance}}; }

private:
    // Short strings of brackets may close none. A sequence of any task has a label with a chance of a
    // half or more, so that drawing again ends.
    TrainingBatch<float> batchOf(int count, Random& random) const
    {
        std::vector<LabelledSequence> sequences = drawn(count, random);
        while (!std::ranges::any_of(sequences, hasLabel)) {
            sequences = drawn(count, random);
        }
        return batchesOf(sequences, m_shape.batch).front();
    }

    std::vector<LabelledSequence> drawn(int count, Random& random) const
    {
        std::vector<LabelledSequence> sequences;
        for (int i = 0; i < count; ++i) {
            sequences.push_back(m_draw(random));
        }
        return sequences;
    }

    TaskShape m_shape;
    int m_test;
    std::uint64_t m_seed;
    double m_chance;
    Draw m_draw;
};

LabelledSequence filled(int length, int token)
{
    const auto n = static_cast<std::size_t>(length);
    return {.tokens = std::vector<int>(n, token), .labels = std::vector<int>(n, kNoLabel)};
}

// Numbers in random order.
std::vector<int> shuffled(int first, int count, Random& random)
{
    std::vector<int> numbers;
    for (int i = 0; i < count; ++i) {
        numbers.push_back(first + i);
    }
    for (int i = count - 1; i > 0; --i) {
        std::swap(numbers[static_cast<std::size_t>(i)],
                  numbers[static_cast<std::size_t>(random.integer(0, i))]);
    }
    return numbers;
}

// `count` places of [0, range) without repeats, i with a weight of (i + 1)^−0.99 (zoology's gaps).
std::vector<int> nearPlaces(int count, int range, Random& random)
{
    std::vector<double> weights;
    for (int i = 0; i < range; ++i) {
        weights.push_back(std::pow(i + 1.0, -0.99));
    }
    std::vector<int> places;
    while (std::ssize(places) < count) {
        double sum = 0.0;
        for (const double weight : weights) {
            sum += weight;
        }
        double left = random.uniform() * sum;
        int last = 0;
        for (int i = 0; i < range; ++i) {
            const double weight = weights[static_cast<std::size_t>(i)];
            last = weight > 0.0 ? i : last;
            left -= weight;
            if (weight > 0.0 && left < 0.0) {
                break;
            }
        }
        weights[static_cast<std::size_t>(last)] = 0.0;
        places.push_back(last);
    }
    return places;
}

// k₁ v₁ … k_K v_K, then the keys at even distances, the value of each its label.
LabelledSequence recallSequence(const RecallTask& task, Random& random)
{
    LabelledSequence sequence = filled(task.sequence, 0);
    const int half = task.vocab / 2;
    const std::vector<int> keys = shuffled(1, half - 1, random);
    const std::vector<int> values = shuffled(half, task.vocab - half, random);
    const std::vector<int> places =
        nearPlaces(task.pairs, (task.sequence - 2 * task.pairs) / 2, random);
    for (std::size_t i = 0; i < places.size(); ++i) {
        sequence.tokens[2 * i] = keys[i];
        sequence.tokens[2 * i + 1] = values[i];
        const auto query = static_cast<std::size_t>(2 * task.pairs + 2 * places[i]);
        sequence.tokens[query] = keys[i];
        sequence.labels[query] = values[i];
    }
    return sequence;
}

// The trigger is the last token of the vocabulary.
LabelledSequence inductionSequence(const InductionTask& task, Random& random)
{
    LabelledSequence sequence = filled(task.sequence, 0);
    for (int& token : sequence.tokens) {
        token = static_cast<int>(random.integer(0, task.vocab - 2));
    }
    const auto place = static_cast<std::size_t>(random.integer(0, task.sequence / 2 - 1));
    sequence.tokens[place] = task.vocab - 1;
    sequence.tokens.back() = task.vocab - 1;
    sequence.labels.back() = sequence.tokens[place + 1];
    return sequence;
}

// Noise is the last token but one, the insert token the last.
LabelledSequence copySequence(const CopyTask& task, Random& random)
{
    LabelledSequence sequence = filled(task.sequence, task.vocab - 2);
    const int first = task.sequence - task.copied;
    const std::vector<int> places = random.distinct(task.copied, first);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto token = static_cast<int>(random.integer(0, task.vocab - 4));
        sequence.tokens[static_cast<std::size_t>(places[i])] = token;
        const std::size_t copy = static_cast<std::size_t>(first) + i;
        sequence.tokens[copy] = task.vocab - 1;
        sequence.labels[copy] = token;
    }
    return sequence;
}

// 0 and 1 open, 2 and 3 close.
LabelledSequence dyckSequence(const DyckTask& task, Random& random)
{
    LabelledSequence sequence = filled(task.sequence, 0);
    std::vector<int> open;
    for (std::size_t i = 0; i < sequence.tokens.size(); ++i) {
        const bool mustOpen = open.empty();
        const bool mustClose = std::ssize(open) == task.depth;
        const bool closes = !mustOpen && (mustClose || random.integer(0, 1) == 1);
        if (closes) {
            sequence.tokens[i] = open.back() + 2;
            sequence.labels[i - 1] = open.back() + 2;
            open.pop_back();
        } else {
            open.push_back(static_cast<int>(random.integer(0, 1)));
            sequence.tokens[i] = open.back();
        }
    }
    return sequence;
}

LabelledSequence paritySequence(const ParityTask& task, Random& random)
{
    LabelledSequence sequence = filled(task.sequence, 0);
    int parity = 0;
    for (std::size_t i = 0; i < sequence.tokens.size(); ++i) {
        sequence.tokens[i] = static_cast<int>(random.integer(0, 1));
        parity ^= sequence.tokens[i];
        sequence.labels[i] = parity;
    }
    return sequence;
}

// k₁ i k₂ i …, where i is the insert token, the last of all.
LabelledSequence memorySequence(const MemoriseTask& task,
                                const std::vector<int>& values,
                                Random& random)
{
    LabelledSequence sequence = filled(task.sequence, task.vocab - 1);
    for (std::size_t i = 0; i < sequence.tokens.size(); i += 2) {
        sequence.tokens[i] = static_cast<int>(random.integer(0, task.keys() - 1));
        sequence.labels[i] = values[static_cast<std::size_t>(sequence.tokens[i])];
    }
    return sequence;
}

template <class Spec>
MadeTask drawnTask(const Spec& spec, int vocab, std::uint64_t seed, double chance, Draw draw)
{
    const TaskShape shape{.batch = spec.batch, .sequence = spec.sequence, .vocab = vocab};
    return std::unique_ptr<Task>(
        std::make_unique<DrawnSequences>(shape, spec.test, seed, chance, std::move(draw)));
}

} // namespace

// Keys are the first tokens, values those after them.
MadeTask taskOf(const MemoriseTask& spec, int /*dModel*/, std::uint64_t seed)
{
    Random random = taskStream(seed, TaskStream::fixed, 0);
    std::vector<int> values;
    for (int key = 0; key < spec.keys(); ++key) {
        values.push_back(static_cast<int>(random.integer(spec.keys(), 2 * spec.keys() - 1)));
    }
    return drawnTask(spec, spec.vocab, seed, 1.0 / spec.keys(), [spec, values](Random& drawing) {
        return memorySequence(spec, values, drawing);
    });
}

MadeTask taskOf(const RecallTask& spec, int /*dModel*/, std::uint64_t seed)
{
    return drawnTask(spec, spec.vocab, seed, 2.0 / spec.vocab, [spec](Random& random) {
        return recallSequence(spec, random);
    });
}

MadeTask taskOf(const InductionTask& spec, int /*dModel*/, std::uint64_t seed)
{
    return drawnTask(spec, spec.vocab, seed, 1.0 / (spec.vocab - 1), [spec](Random& random) {
        return inductionSequence(spec, random);
    });
}

MadeTask taskOf(const CopyTask& spec, int /*dModel*/, std::uint64_t seed)
{
    return drawnTask(spec, spec.vocab, seed, 1.0 / (spec.vocab - 3), [spec](Random& random) {
        return copySequence(spec, random);
    });
}

MadeTask taskOf(const DyckTask& spec, int /*dModel*/, std::uint64_t seed)
{
    return drawnTask(
        spec, 4, seed, 0.5, [spec](Random& random) { return dyckSequence(spec, random); });
}

MadeTask taskOf(const ParityTask& spec, int /*dModel*/, std::uint64_t seed)
{
    return drawnTask(
        spec, 2, seed, 0.5, [spec](Random& random) { return paritySequence(spec, random); });
}

} // namespace flopsmith
