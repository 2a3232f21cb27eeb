// SPDX-License-Identifier: GPL-3.0-or-later
// Presets beside the published configs of their models: what changes no count but every output.
#include "core/export/hugging_face/native_config.h"
#include "core/json/json.h"
#include "core/mixer/attention.h"
#include "core/mixer/latent_attention.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

struct PublishedValue
{
    const char* preset;
    int bits;
    const char* key;
    double value;
};

class PresetValue : public testing::TestWithParam<PublishedValue>
{};

TEST_P(PresetValue, AreThoseOfThePublishedConfig)
{
    const PublishedValue& published = GetParam();
    const Preset* preset = findPreset(published.preset);
    ASSERT_NE(preset, nullptr);
    EXPECT_EQ(preset->precision(), Precision::of(published.bits));
    const Model model = preset->make();
    const NativeFit fit = nativeFit(model);
    ASSERT_TRUE(fit.fits());
    const Json config = nativeConfig(fit.modelType, model);
    ASSERT_TRUE(config.contains(published.key));
    EXPECT_EQ(config[published.key].get<double>(), published.value);
}

INSTANTIATE_TEST_SUITE_P(
    Presets,
    PresetValue,
    testing::Values(PublishedValue{"gpt2", 32, "layer_norm_epsilon", 1e-5},
                    PublishedValue{"llama-2-7b", 16, "rms_norm_eps", 1e-5},
                    PublishedValue{"llama-2-7b", 16, "rope_theta", 10'000.0},
                    PublishedValue{"llama-3-8b", 16, "rms_norm_eps", 1e-5},
                    PublishedValue{"llama-3-8b", 16, "rope_theta", 500'000.0},
                    PublishedValue{"mistral-7b", 16, "rms_norm_eps", 1e-5},
                    PublishedValue{"mistral-7b", 16, "rope_theta", 10'000.0},
                    PublishedValue{"gemma-2-2b", 32, "rms_norm_eps", 1e-6},
                    PublishedValue{"gemma-2-2b", 32, "attn_logit_softcapping", 50.0},
                    PublishedValue{"bert-base", 32, "layer_norm_eps", 1e-12}));

// Of those that are exported with code of their own.
TEST(PresetValues, OfOtherModelsAreThePublishedOnes)
{
    EXPECT_EQ(presetNamed("vit-base-patch16-224")->finalNorm.epsilon, 1e-12);
    EXPECT_EQ(presetNamed("albert-base")->embedding.norm.epsilon, 1e-12);
    EXPECT_EQ(presetNamed("fnet-base")->runs[0].block.norm.epsilon, 1e-12);
    EXPECT_EQ(presetNamed("t5-small")->encoderNorm.epsilon, 1e-6);
    EXPECT_EQ(get<Attention>(presetNamed("mixtral-8x7b")->runs[0].block.mixer).rope.base, 1e6);
    const Model deepseek = *presetNamed("deepseek-v3");
    const auto& attention = get<LatentAttention>(deepseek.runs[0].block.mixer);
    EXPECT_EQ(deepseek.finalNorm.epsilon, 1e-6);
    EXPECT_EQ(attention.rope.factor, 40.0);
    EXPECT_NEAR(attention.scoreScale, 1.8738542070926265 / std::sqrt(192.0), 1e-15);
}

} // namespace
} // namespace flopsmith
