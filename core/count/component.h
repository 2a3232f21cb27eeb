// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace flopsmith {

/// The fill pattern of a component's areas, so that they can be told apart without colour.
enum class Hatch { none, forward, backward, cross, dots, horizontal, vertical };

/// The kind of a part of a model, with the same name, colour and pattern in palette, canvas,
/// sliders and charts. Components are constants of static lifetime, defined beside their variant.
struct Component
{
    std::string_view id; ///< "spectral": in files and paths
    std::string_view title; ///< "Spectral"
    std::uint32_t rgb = 0; ///< 0xRRGGBB, the same in every chart
    Hatch hatch = Hatch::none;
};

/// Embedding look-ups and position tables.
inline constexpr Component kEmbeddingComponent{"embedding", "Embedding", 0x7A6FB0, Hatch::dots};
/// Output heads: LM head, pooler.
inline constexpr Component kHeadComponent{"head", "Head", 0x7A6FB0, Hatch::none};
/// Norms and residual additions.
inline constexpr Component kNormComponent{"norm", "Norms, residuals", 0x9AA5B1, Hatch::none};
/// The update of the weights at the end of a training step.
inline constexpr Component kOptimizerComponent{"optimizer", "Optimizer", 0x4E5A66, Hatch::cross};

} // namespace flopsmith
