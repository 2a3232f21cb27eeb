// SPDX-License-Identifier: GPL-3.0-or-later
// In which precision the weights of a config.json are stored, beside the bytes of published files.
#include "core/io/hugging_face/import.h"
#include "core/model/model_cost.h"
#include "tests/core/io/import_known.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::configNamed;
using test::imported;
using test::patched;

ImportedConfig llama(const char* patch)
{
    return imported(patched(configNamed("llama-3-8b"), patch));
}

Count storedWeights(const ImportedConfig& config)
{
    return weightBytes(costTree({config.model, {}}), config.precision);
}

TEST(ImportedPrecision, IsThatOfTheStoredType)
{
    EXPECT_EQ(llama("{}").precision, Precision::of(32));
    EXPECT_EQ(llama(R"({"torch_dtype": "bfloat16"})").precision, Precision::of(16));
    EXPECT_EQ(llama(R"({"dtype": "torch.float16"})").precision, Precision::of(16));
    EXPECT_EQ(llama(R"({"dtype": "float8_e4m3fn"})").precision, Precision::of(8));
    EXPECT_EQ(llama(R"({"dtype": "float32", "torch_dtype": "bfloat16"})").precision,
              Precision::of(32));
    EXPECT_THAT(llama(R"({"torch_dtype": "posit16"})").notes,
                testing::Contains(testing::HasSubstr("posit16")));
}

TEST(ImportedPrecision, IsFoundBesideTheKeysOfTheLanguageModel)
{
    const auto gemma = imported(patched(configNamed("gemma-3-1b-it"), R"({"dtype": "bfloat16"})"));
    EXPECT_EQ(gemma.precision, Precision::of(16));
}

// The 128 experts in four bits with a scale of 8 bits for each 32, all else in bfloat16.
TEST(ImportedPrecision, OfGptOssIsThatOfItsFile)
{
    const auto oss = imported(patched(configNamed("gpt-oss-20b"), R"({
        "num_hidden_layers": 36, "num_local_experts": 128,
        "quantization_config": {"quant_method": "mxfp4"}})"));
    EXPECT_EQ(storedWeights(oss), 65'248'815'744);
    EXPECT_EQ(precisionText(oss.precision),
              "weights 16 bit, experts 4 bit, activations 16 bit, cache 16 bit");
}

// Llama-3-8B: 6,979,321,856 weights in linear layers of the blocks, 525,336,576 in each of table and
// head, 266,240 in norms.
TEST(ImportedPrecision, OfQuantisedLinearLayersLeavesTheRest)
{
    const Count rest = 2 * (2 * Count{525'336'576} + 266'240);
    const Count linear = 6'979'321'856;
    const auto awq = llama(R"({"torch_dtype": "float16", "quantization_config": {
        "quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true}})");
    EXPECT_EQ(storedWeights(awq), linear / 2 + linear / 128 * 20 / 8 + rest);

    const auto fp8 = llama(R"({"torch_dtype": "bfloat16", "quantization_config": {
        "quant_method": "fp8", "weight_block_size": [128, 128]}})");
    EXPECT_EQ(storedWeights(fp8), linear + linear / (128 * 128) * 4 + rest);

    const auto nf4 = llama(R"({"torch_dtype": "bfloat16", "quantization_config": {
        "quant_method": "bitsandbytes", "load_in_4bit": true}})");
    EXPECT_EQ(storedWeights(nf4), linear / 2 + linear / 64 * 4 + rest);

    const auto packed = llama(R"({"torch_dtype": "bfloat16", "quantization_config": {
        "quant_method": "compressed-tensors", "config_groups": {"group_0": {
        "targets": ["Linear"], "weights": {"num_bits": 8, "group_size": null}}}}})");
    EXPECT_EQ(storedWeights(packed), linear + rest);
}

TEST(ImportedPrecision, OfMlxHoldsForTablesToo)
{
    const auto mlx = llama(R"({"torch_dtype": "bfloat16",
        "quantization": {"group_size": 64, "bits": 4},
        "quantization_config": {"group_size": 64, "bits": 4}})");
    const Count quantised = 6'979'321'856 + 2 * Count{525'336'576};
    EXPECT_EQ(storedWeights(mlx), quantised / 2 + quantised / 64 * 4 + 2 * 266'240);
}

TEST(ImportedPrecision, TellsWhatItDoesNotTake)
{
    for (const char* object : {R"({"quant_method": "aqlm"})",
                               R"({"quant_method": "gptq", "bits": 7})",
                               R"({"quant_method": "compressed-tensors", "config_groups": {}})"}) {
        const auto config =
            llama((std::string(R"({"quantization_config": )") + object + "}").c_str());
        EXPECT_EQ(config.precision, Precision::of(16)) << object;
        EXPECT_THAT(config.notes, testing::Contains(testing::HasSubstr("quantization_config")))
            << object;
    }
}

} // namespace
} // namespace flopsmith
