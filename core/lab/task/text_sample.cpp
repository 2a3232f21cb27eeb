// SPDX-License-Identifier: MIT
#include "core/lab/task/text_sample.h"

#include "core/lab/task/alphabet.h"
#include "core/lab/task/saved_model.h"
#include "core/run/generation.h"

namespace flopsmith {

Result<std::string> writtenText(const std::string& modelFile, const TextRequest& request)
{
    const Sampling sampling{
        .tokens = request.characters, .temperature = request.temperature, .seed = request.seed};
    FLOPSMITH_RETURN_IF_ERROR(validatedSampling(sampling));
    FLOPSMITH_TRY(const SavedModel model, savedModel(modelFile));
    const Alphabet alphabet(model.symbols);
    std::vector<int> tokens = alphabet.tokens(request.prompt);
    const std::string begin = alphabet.text(tokens);
    if (tokens.empty()) {
        tokens.push_back(0); // not shown
    }
    std::vector<int> written;
    const Status done = generate<double>(
        model.scenario, model.weights, tokens, model.sequence, sampling, [&](int token) {
            written.push_back(token);
            return true;
        });
    return done ? Result<std::string>(begin + alphabet.text(written)) : done.error();
}

} // namespace flopsmith
