// SPDX-License-Identifier: MIT
#include "core/base/printable.h"
#include "core/base/sha256.h"
#include "core/lab/task/alphabet.h"
#include "core/lab/task/grammar.h"
#include "core/lab/task/task_sources.h"
#include "core/lab/task/training_text.h"

#include <algorithm>
#include <utility>

// Characters of a file, and of sentences that a grammar draws.
namespace flopsmith {
namespace {

constexpr std::size_t kMaxBlocks = 100;
constexpr std::size_t kTestShare = 20; ///< a twentieth of each block
constexpr int kMaxSkipped = 63; ///< characters before a sequence of sentences begins

// Each token's label is the next one.
LabelledSequence withNext(std::span<const int> tokens)
{
    return {.tokens = std::vector<int>(tokens.begin(), tokens.end() - 1),
            .labels = std::vector<int>(tokens.begin() + 1, tokens.end())};
}

// The same examples for all seeds of a result, others for the seed 0 that tunes learning rates.
Random testStream(std::uint64_t seed)
{
    return taskStream(0, TaskStream::test, seed == 0 ? 1 : 0);
}

// So that the test's share of a block holds a sequence and what follows it.
std::size_t minCharacters(int sequence)
{
    return kTestShare * (static_cast<std::size_t>(sequence) + 2);
}

// Parts of a text where sequences may begin.
struct Stretch
{
    std::size_t begin = 0;
    std::size_t length = 0;
};

class TextOfFile final : public Task
{
public:
    TextOfFile(const TextTask& spec, std::uint64_t seed, Alphabet alphabet, std::vector<int> tokens)
        : m_spec(spec)
        , m_seed(seed)
        , m_alphabet(std::move(alphabet))
        , m_tokens(std::move(tokens))
    {
        const std::size_t blocks =
            std::min(kMaxBlocks, m_tokens.size() / minCharacters(spec.sequence));
        for (std::size_t block = 0; block < blocks; ++block) {
            const std::size_t begin = block * m_tokens.size() / blocks;
            const std::size_t end = (block + 1) * m_tokens.size() / blocks;
            const std::size_t test = (end - begin) / kTestShare;
            m_training.push_back({begin, end - begin - test});
            m_testing.push_back({end - test, test});
        }
    }

    TaskShape shape() const override
    {
        return {.batch = m_spec.batch, .sequence = m_spec.sequence, .vocab = m_alphabet.size()};
    }

    TrainingBatch<float> training(std::int64_t step) const override
    {
        Random random = taskStream(m_seed, TaskStream::training, step);
        return batchesOf(drawn(m_training, m_spec.batch, random), m_spec.batch).front();
    }

    std::vector<TrainingBatch<float>> test() const override
    {
        Random random = testStream(m_seed);
        return batchesOf(drawn(m_testing, m_spec.test, random), m_spec.batch);
    }

    std::vector<ReferenceScore> references() const override
    {
        const TextEntropies entropies = entropiesOf(m_tokens, m_alphabet.size());
        return {{"uniform (ln V)", entropies.uniform},
                {"unigram entropy", entropies.single},
                {"bigram entropy", entropies.pair}};
    }

    std::vector<std::string> symbols() const override { return m_alphabet.symbols(); }

private:
    std::vector<LabelledSequence> drawn(const std::vector<Stretch>& from,
                                        int count,
                                        Random& random) const
    {
        const auto wanted = static_cast<std::size_t>(m_spec.sequence) + 1;
        std::vector<LabelledSequence> sequences;
        for (int i = 0; i < count; ++i) {
            const Stretch& stretch = from[static_cast<std::size_t>(
                random.integer(0, static_cast<std::int64_t>(from.size()) - 1))];
            const auto last = static_cast<std::int64_t>(stretch.length - wanted);
            const std::size_t begin =
                stretch.begin + static_cast<std::size_t>(random.integer(0, last));
            sequences.push_back(withNext(std::span<const int>(m_tokens).subspan(begin, wanted)));
        }
        return sequences;
    }

    TextTask m_spec;
    std::uint64_t m_seed;
    Alphabet m_alphabet;
    std::vector<int> m_tokens;
    std::vector<Stretch> m_training;
    std::vector<Stretch> m_testing;
};

// Every symbol of the grammar's letters.
std::string grammarLetters()
{
    std::string letters = "abcdefghijklmnopqrstuvwxyz .,";
    std::string often;
    for (int i = 0; i < Alphabet::kRareBelow; ++i) {
        often += letters;
    }
    return often;
}

class Sentences final : public Task
{
public:
    Sentences(const GrammarTask& spec, std::uint64_t seed)
        : m_spec(spec)
        , m_seed(seed)
        , m_grammar(labGrammar())
        , m_alphabet(Alphabet::of(grammarLetters()))
    {}

    TaskShape shape() const override
    {
        return {.batch = m_spec.batch, .sequence = m_spec.sequence, .vocab = m_alphabet.size()};
    }

    TrainingBatch<float> training(std::int64_t step) const override
    {
        Random random = taskStream(m_seed, TaskStream::training, step);
        return batchesOf(drawn(m_spec.batch, random), m_spec.batch).front();
    }

    std::vector<TrainingBatch<float>> test() const override
    {
        Random random = testStream(m_seed);
        return batchesOf(drawn(m_spec.test, random), m_spec.batch);
    }

    std::vector<ReferenceScore> references() const override
    {
        return {{"entropy of the grammar", m_grammar.entropy()}};
    }

    std::vector<std::string> symbols() const override { return m_alphabet.symbols(); }

private:
    std::vector<LabelledSequence> drawn(int count, Random& random) const
    {
        const auto wanted = static_cast<std::size_t>(m_spec.sequence) + 1;
        std::vector<LabelledSequence> sequences;
        for (int i = 0; i < count; ++i) {
            const auto skipped = static_cast<std::size_t>(random.integer(0, kMaxSkipped));
            std::string text;
            while (text.size() < skipped + wanted) {
                text += m_grammar.sentence(random);
            }
            sequences.push_back(withNext(m_alphabet.tokens(text.substr(skipped, wanted))));
        }
        return sequences;
    }

    GrammarTask m_spec;
    std::uint64_t m_seed;
    Grammar m_grammar;
    Alphabet m_alphabet;
};

} // namespace

MadeTask taskOf(const TextTask& spec, int /*dModel*/, std::uint64_t seed)
{
    FLOPSMITH_TRY(const std::string text, trainingText(spec));
    if (!spec.sha256.empty() && sha256(text) != spec.sha256) {
        return Error{(spec.file.empty() ? "the program's own text" : printable(spec.file))
                     + " is not the text that this lab began with; its content has changed"};
    }
    if (const std::size_t valid = validUtf8Bytes(text); valid < text.size()) {
        const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(valid), '\n');
        return Error{printable(spec.file) + ", line " + std::to_string(line)
                     + ": the text is not UTF-8; save it as UTF-8"};
    }
    Alphabet alphabet = Alphabet::of(text);
    std::vector<int> tokens = alphabet.tokens(text);
    const std::size_t minimum = minCharacters(spec.sequence);
    if (tokens.size() < minimum) {
        return Error{printable(spec.file) + " has " + std::to_string(tokens.size())
                     + " characters; sequences of " + std::to_string(spec.sequence)
                     + " need a text of at least " + std::to_string(minimum)};
    }
    return std::unique_ptr<Task>(
        std::make_unique<TextOfFile>(spec, seed, std::move(alphabet), std::move(tokens)));
}

MadeTask taskOf(const GrammarTask& spec, int /*dModel*/, std::uint64_t seed)
{
    return std::unique_ptr<Task>(std::make_unique<Sentences>(spec, seed));
}

} // namespace flopsmith
