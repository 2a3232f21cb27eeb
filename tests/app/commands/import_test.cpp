// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/json_text.h"
#include "tests/app/commands/command_test.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <cstring>

namespace flopsmith {
namespace {

using testing::HasSubstr;

struct StoredValues
{
    std::string name;
    std::vector<int> shape;
    std::vector<float> values;
};

// A GPT-2 of one block in which all but the tokens' table, the positions and the last norm is zero:
// the logits of a token are those of its own row behind the norm.
std::vector<StoredValues> almostEmptyGpt2()
{
    const auto zeros = [](const std::string& name, const std::vector<int>& shape) {
        std::size_t count = 1;
        for (const int size : shape) {
            count *= static_cast<std::size_t>(size);
        }
        return StoredValues{"transformer." + name, shape, std::vector<float>(count)};
    };
    std::vector<StoredValues> all{zeros("wte.weight", {3, 2}),
                                  zeros("wpe.weight", {4, 2}),
                                  zeros("h.0.ln_1.weight", {2}),
                                  zeros("h.0.ln_1.bias", {2}),
                                  zeros("h.0.attn.c_attn.weight", {2, 6}),
                                  zeros("h.0.attn.c_attn.bias", {6}),
                                  zeros("h.0.attn.c_proj.weight", {2, 2}),
                                  zeros("h.0.attn.c_proj.bias", {2}),
                                  zeros("h.0.ln_2.weight", {2}),
                                  zeros("h.0.ln_2.bias", {2}),
                                  zeros("h.0.mlp.c_fc.weight", {2, 5}),
                                  zeros("h.0.mlp.c_fc.bias", {5}),
                                  zeros("h.0.mlp.c_proj.weight", {5, 2}),
                                  zeros("h.0.mlp.c_proj.bias", {2}),
                                  zeros("ln_f.weight", {2}),
                                  zeros("ln_f.bias", {2})};
    all.front().values = {1, 0, 0, 1, 2, 0};
    all[14].values = {1, 1};
    return all;
}

std::string safetensorsOf(const std::vector<StoredValues>& tensors)
{
    Json header = Json::object();
    std::string data;
    for (const StoredValues& tensor : tensors) {
        const std::size_t begin = data.size();
        data.append(reinterpret_cast<const char*>(tensor.values.data()), // NOLINT
                    tensor.values.size() * sizeof(float));
        header[tensor.name] = {
            {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, data.size()}}};
    }
    std::string text = jsonText(header);
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = text.size();
    std::string bytes(sizeof(length), '\0');
    std::memcpy(bytes.data(), &length, sizeof(length));
    return bytes + text + data;
}

class ImportCommand : public Commands
{
protected:
    ImportCommand()
    {
        fs::create_directory(folder / "small");
        file("small/config.json",
             R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 3,
                 "n_embd": 2, "n_layer": 1, "n_head": 1, "n_positions": 4, "n_inner": 5,
                 "layer_norm_epsilon": 0.5})");
    }

    void store(const std::vector<StoredValues>& tensors) const
    {
        file("small/model.safetensors", safetensorsOf(tensors));
    }
};

// The row (1, 0) has mean ½ and variance ¼; with the file's ε its norm is (1, −1)·½/√¾.
TEST_F(ImportCommand, LogitsAreThoseOfTheWeightsAndTheFilesValues)
{
    store(almostEmptyGpt2());

    const Answer imported = ask("import small --weights -o x");
    const Answer logits =
        ask("logits x/design.flopsmith --weights x --tokens 0 --top 3 --format json");

    EXPECT_EQ(imported.code, 0) << imported.error;
    EXPECT_THAT(imported.out, HasSubstr("run it by: flopsmith logits x/design.flopsmith"));
    ASSERT_EQ(logits.code, 0) << logits.error;
    EXPECT_THAT(logits.out, HasSubstr("1.15470"));
    EXPECT_THAT(logits.out, HasSubstr("0.57735"));
}

TEST_F(ImportCommand, TheFolderIsNamedAfterItsSource)
{
    EXPECT_EQ(ask("import small").code, 0);
    EXPECT_TRUE(fs::exists(folder / "small-design" / "design.flopsmith"));
    EXPECT_EQ(ask("import small/").code, 1);
    EXPECT_EQ(ask("import small/config.json --force").code, 0);
}

TEST_F(ImportCommand, EachTensorThatDoesNotFitHasALine)
{
    std::vector<StoredValues> tensors = almostEmptyGpt2();
    tensors.pop_back();
    store(tensors);
    expectRefusal("import small --weights -o x", "transformer.ln_f.bias is missing");
    EXPECT_FALSE(fs::exists(folder / "x"));

    tensors.front().shape = {2, 3};
    store(tensors);
    const Answer answer = ask("import small --weights -o x");

    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.errorLines(), 3);
    EXPECT_THAT(answer.error,
                HasSubstr("transformer.wte.weight is [2, 3]; the model has it as [3, 2]"));
    EXPECT_THAT(answer.error, HasSubstr("2 tensors do not fit the model; nothing was written"));
    EXPECT_FALSE(fs::exists(folder / "x"));
}

TEST_F(ImportCommand, RefusesWhatIsNoFolderOfAModel)
{
    expectRefusal("import elsewhere -o x", "elsewhere");
    expectRefusal("import small --weights -o x", "neither model.safetensors nor");
    file("small/model.safetensors", "no safetensors");
    expectRefusal("import small --weights -o x", "model.safetensors");
    EXPECT_FALSE(fs::exists(folder / "x"));
}

} // namespace
} // namespace flopsmith
