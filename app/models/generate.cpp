// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/model_commands.h"
#include "app/options/options.h"
#include "core/base/printable.h"
#include "core/base/text_file.h"
#include "core/export/files/alphabet_file.h"
#include "core/export/torch/tensors/stored_weights.h"
#include "core/io/reading.h"
#include "core/lab/task/alphabet.h"
#include "core/lab/task/saved_model.h"
#include "core/protocol/process/interrupt.h"
#include "core/run/generation.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

namespace flopsmith::app {
namespace {

namespace fs = std::filesystem;

constexpr int kBytes = 256;
constexpr int kUsualContext = 512; ///< of models without a table of positions

struct GenerateOptions
{
    std::string from;
    std::string prompt;
    Sampling sampling;
    int seed = 1;
    std::optional<int> topK;
};

// A model that generates text, and the meaning of its tokens.
struct Writer
{
    Scenario scenario;
    Weights<double> weights;
    std::optional<Alphabet> alphabet; ///< empty for bytes
    int context = 1;
};

Result<Writer> fromModelFile(const std::string& file)
{
    FLOPSMITH_TRY(SavedModel saved, savedModel(file));
    return Writer{.scenario = std::move(saved.scenario),
                  .weights = std::move(saved.weights),
                  .alphabet = Alphabet(saved.symbols),
                  .context = saved.sequence};
}

Result<std::optional<Alphabet>> tokenizerOf(const fs::path& folder, const Model& model)
{
    const std::string file = (folder / kAlphabetFile).string();
    std::error_code ignored;
    const int vocab = model.embedding.vocab;
    if (!fs::exists(file, ignored)) {
        return vocab == kBytes
            ? Result<std::optional<Alphabet>>(std::optional<Alphabet>())
            : Error{printable(folder.string()) + ": the tokens of this vocabulary of "
                    + std::to_string(vocab) + " need a tokenizer that Flopsmith does not have; "
                    + "flopsmith logits --tokens runs the model on their numbers"};
    }
    const Result<std::string> text = textOfFile(file);
    FLOPSMITH_TRY(const auto symbols, text ? readAlphabet(*text, printable(file)) : text.error());
    if (static_cast<int>(symbols.size()) != vocab) {
        return Error{printable(file) + " has " + std::to_string(symbols.size())
                     + " characters; the model has a vocabulary of " + std::to_string(vocab)};
    }
    return std::optional<Alphabet>(Alphabet(symbols));
}

Result<Writer> fromFolder(const fs::path& folder)
{
    FLOPSMITH_TRY(const auto loaded,
                  loadModel((folder / "design.flopsmith").string(), Illegal::refuse));
    Scenario scenario = loaded.project.scenario;
    scenario.workload.phase = Phase::prefill;
    FLOPSMITH_TRY(const auto alphabet, tokenizerOf(folder, scenario.model));
    const Result<ModelPlan> plan = planOf(scenario);
    FLOPSMITH_TRY(const auto files, plan ? SafetensorsFolder::open(folder.string()) : plan.error());
    FLOPSMITH_TRY(auto weights, torch::readStoredWeights<double>(files, scenario.model, *plan));
    const Embedding& embedding = scenario.model.embedding;
    const bool hasTable = embedding.positions == Positions::learned;
    return Writer{.scenario = std::move(scenario),
                  .weights = std::move(weights),
                  .alphabet = alphabet,
                  .context = hasTable ? embedding.positionTableRows() : kUsualContext};
}

// A prompt whose characters are all in the model's alphabet.
Result<std::vector<int>> promptTokens(const Writer& writer, const std::string& prompt)
{
    std::vector<int> tokens;
    if (!writer.alphabet) {
        for (const char byte : prompt) {
            tokens.push_back(static_cast<unsigned char>(byte));
        }
    } else {
        for (const std::string_view character : charactersOf(prompt)) {
            const std::vector<int> known = writer.alphabet->tokens(character);
            if (known.empty() || writer.alphabet->text(known) != character) {
                return Error{"--prompt: the model has never seen " + excerpt(character)};
            }
            tokens.push_back(known.front());
        }
    }
    if (tokens.empty()) { // a line begins
        tokens.push_back(writer.alphabet ? 0 : '\n');
    }
    return tokens;
}

// How many bytes a character of UTF-8 has that begins with this one.
std::size_t lengthFrom(unsigned char first)
{
    return first < 0xC0U ? 1 : first < 0xE0U ? 2 : first < 0xF0U ? 3 : 4;
}

// Prints tokens as they come; bytes once a character is whole.
class TextPrinter
{
public:
    explicit TextPrinter(const std::optional<Alphabet>& alphabet)
        : m_alphabet(alphabet)
    {}

    void add(int token)
    {
        m_waiting += m_alphabet ? m_alphabet->text(std::vector<int>{token})
                                : std::string(1, static_cast<char>(token));
        if (m_alphabet
            || m_waiting.size() >= lengthFrom(static_cast<unsigned char>(m_waiting[0]))) {
            flush();
        }
    }

    void flush()
    {
        std::fputs(printableLines(m_waiting).c_str(), stdout);
        std::fflush(stdout);
        m_waiting.clear();
    }

private:
    const std::optional<Alphabet>& m_alphabet;
    std::string m_waiting;
};

Outcome generateText(const GenerateOptions& options)
{
    if (options.topK && *options.topK < 1) {
        return Outcome::badInput(Error{"--top-k must be at least 1"});
    }
    Sampling sampling = options.sampling;
    sampling.topK = options.topK.value_or(0);
    sampling.seed = static_cast<std::uint64_t>(options.seed);
    if (const Status legal = validatedSampling(sampling); !legal) {
        return Outcome::badInput(legal.error());
    }
    std::error_code ignored;
    const Result<Writer> writer = fs::is_directory(options.from, ignored)
        ? fromFolder(options.from)
        : fromModelFile(options.from);
    if (!writer) {
        return Outcome::badInput(writer.error());
    }
    const Result<std::vector<int>> tokens = promptTokens(*writer, options.prompt);
    if (!tokens) {
        return Outcome::badInput(tokens.error());
    }
    std::fputs(printableLines(options.prompt).c_str(), stdout);
    TextPrinter printer(writer->alphabet);
    int signal = 0;
    Status done = Done{};
    {
        const Interrupt interrupt;
        const auto take = [&](int token) {
            printer.add(token);
            return !interrupt.token().stop_requested();
        };
        done = generate<double>(
            writer->scenario, writer->weights, *tokens, writer->context, sampling, take);
        signal = interrupt.signal();
    }
    printer.flush();
    std::fputs("\n", stdout);
    if (signal != 0) {
        std::raise(signal);
    }
    return done ? Outcome::success({}) : Outcome::badInput(done.error());
}

} // namespace

void addGenerate(ArgumentParser program, Command& chosen)
{
    auto options = std::make_shared<GenerateOptions>();
    const ArgumentParser command = program.addCommand(
        "generate", "Lets a model of characters or bytes write, by the reference kernels");
    command
        .addOption("FROM",
                   options->from,
                   "A folder of export torch, import or lab export, or a model that a lab kept")
        .required();
    command.addOption("--prompt", options->prompt, "What the text begins with").typeName("TEXT");
    command.addOption("--tokens", options->sampling.tokens, "How many to write").showDefault();
    command
        .addOption(
            "--temperature", options->sampling.temperature, "0: always the most likely token")
        .typeName("NUMBER")
        .showDefault();
    command.addOption(
        "--top-k", options->topK, "Among this many of the most likely; without it, among all");
    command.addOption("--seed", options->seed, "Of the draws").showDefault();
    command.callback([options, &chosen] { chosen = [options] { return generateText(*options); }; });
    command.footer("Example: flopsmith generate dense --prompt \"And Jesus\" --tokens 100");
}

} // namespace flopsmith::app
