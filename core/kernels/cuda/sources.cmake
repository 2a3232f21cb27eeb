# SPDX-License-Identifier: GPL-3.0-or-later
# FLOPSMITH_CUDA_SOURCES: every .cu of this folder, and one that is generated for the variants that
# have none: they then answer with a sentence.
file(GLOB FLOPSMITH_CUDA_SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.cu")

set(ffns NoFfn:no_ffn DenseFfn:dense GatedFfn:gated LowRankFfn:low_rank MoeFfn:moe
  SpectralFfn:spectral PolynomialFfn:polynomial RandomProjectionFfn:random_projection
  TokenFeedbackFfn:token_feedback MicroRefineFfn:micro_refine KroneckerFfn:kronecker
  ComposedFfn:composed)
set(mixers NoMixer:no_mixer Attention:attention LatentAttention:latent_attention
  CrossAttention:cross_attention FourierMixer:fourier)

set(missing "")
foreach(kind IN ITEMS ffns mixers)
  foreach(variant IN LISTS ${kind})
    string(REGEX MATCH "^(.*):(.*)$" ignored "${variant}")
    set(spec "${CMAKE_MATCH_1}")
    if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/${CMAKE_MATCH_2}.cu")
      continue()
    endif()
    if(kind STREQUAL "ffns")
      string(APPEND missing "FLOPSMITH_MISSING_FFN(${spec})\n")
    else()
      string(APPEND missing "FLOPSMITH_MISSING_MIXER(${spec})\n")
    endif()
  endforeach()
endforeach()
if(missing)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/core/kernels/cuda/missing.cpp" CONTENT
"// SPDX-License-Identifier: MIT
#include \"core/kernels/cuda/missing.h\"

namespace flopsmith::cuda {
${missing}
} // namespace flopsmith::cuda
")
  list(APPEND FLOPSMITH_CUDA_SOURCES "${CMAKE_BINARY_DIR}/core/kernels/cuda/missing.cpp")
endif()
