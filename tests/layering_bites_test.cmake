# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D SOURCE_DIR=<repository> -D SCRATCH=<folder> -P layering_bites_test.cmake
# Feeds layering_test.cmake a tree of one file with one #include and expects its verdict, so that
# the rule cannot erode unnoticed.
cmake_minimum_required(VERSION 3.25)

function(verdict result file include)
  file(REMOVE_RECURSE "${SCRATCH}")
  file(WRITE "${SCRATCH}/${file}" "// a file\n#include ${include}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -D SOURCE_DIR=${SCRATCH} -P ${SOURCE_DIR}/tests/layering_test.cmake
    RESULT_VARIABLE code ERROR_VARIABLE error OUTPUT_QUIET)
  if(code EQUAL 0)
    set(${result} right PARENT_SCOPE)
  elseif(error MATCHES "point the wrong way")
    set(${result} wrong PARENT_SCOPE)
  else()
    set(${result} "broken: ${error}" PARENT_SCOPE)
  endif()
endfunction()

function(expect expected file include)
  verdict(result "${file}" "${include}")
  if(NOT result STREQUAL expected)
    message(SEND_ERROR "${file} with #include ${include}: expected ${expected}, got ${result}")
  endif()
endfunction()

# the layers of core
expect(right core/count/tree.h "\"core/base/count.h\"")
expect(wrong core/base/text.cpp "\"core/count/lens.h\"")
expect(wrong core/layer/norm.h "\"core/mixer/attention.h\"")
expect(wrong core/mixer/attention.h "\"core/ffn/dense.h\"")
expect(wrong core/ffn/dense.cpp "\"core/model/model.h\"")
expect(right core/model/model.h "\"core/ffn/dense.h\"")
expect(wrong core/measure/timer.h "\"core/model/model.h\"")
expect(wrong core/measure/timer.cpp "\"core/kernels/cpu/dense.h\"")
expect(wrong core/kernels/cpu/ffn/hidden/dense.cpp "\"core/model/model.h\"")
expect(right core/kernels/cpu/dense.h "\"core/ffn/dense.h\"")
expect(wrong core/kernels/reference/dense.h "\"core/kernels/cpu/dense.h\"")
expect(right core/study/sweep.h "\"core/protocol/message.h\"")
expect(wrong core/protocol/message.h "\"core/study/sweep.h\"")
expect(wrong core/present/rows.h "\"core/formula/formula.h\"")
expect(wrong core/attic/old.h "\"core/base/text.h\"")

# the rooms of the kernels
expect(right core/kernels/cpu/gemm/product.cpp "\"core/kernels/cpu/simd/lanes.h\"")
expect(wrong core/kernels/cpu/simd/lanes.h "\"core/kernels/cpu/gemm/product.h\"")
expect(wrong core/kernels/cpu/threads/team.cpp "\"core/kernels/cpu/gemm/product.h\"")
expect(wrong core/kernels/cpu/gemm/product.cpp "\"core/kernels/cpu/gemm/bf16/bf16_block.h\"")
expect(wrong core/kernels/cpu/stage.cpp "\"core/kernels/cpu/layer/norm_rows.h\"")
expect(right core/kernels/cpu/layer/norm.cpp "\"core/kernels/cpu/stage.h\"")
expect(wrong core/kernels/cpu/layer/norm.cpp "\"core/kernels/cpu/mixer/attention/attention_core.h\"")
expect(wrong core/kernels/cpu/ffn/moe/moe.cpp "\"core/kernels/cpu/mixer/latent/latent_core.h\"")
expect(right core/kernels/cpu/ffn/moe/moe.cpp "\"core/kernels/cpu/ffn/hidden/hidden_layer.h\"")
expect(wrong core/kernels/cpu/ffn/moe/moe.cpp "\"core/kernels/cpu/ffn/spectral/spectral_bins.h\"")
expect(wrong core/kernels/cpu/attic/old.cpp "\"core/base/count.h\"")
expect(right core/kernels/cuda/ffn/token_feedback/token_feedback.cu "\"core/kernels/cuda/ffn/channels/composed.h\"")
expect(wrong core/kernels/cuda/device/device.h "\"core/kernels/cuda/block/block.cuh\"")

# core and what is above it
expect(wrong core/present/rows.cpp "<QString>")
expect(wrong core/present/rows.cpp "\"ui/theme/theme.h\"")
expect(wrong core/io/table.cpp "\"app/command_line.h\"")
expect(wrong core/base/text.h "<gtest/gtest.h>")

# libraries in their place
expect(right core/kernels/cpu/ffn/hidden/dense.cpp "<Eigen/Core>")
expect(wrong core/kernels/cpu/dense.h "<Eigen/Core>")
expect(wrong core/kernels/reference/fft.cpp "<fftw3.h>")
expect(wrong core/kernels/cpu/linear/linear.cpp "<oneapi/dnnl/dnnl.hpp>")
expect(right core/kernels/cpu/gemm/bf16/bf16_block.cpp "<oneapi/dnnl/dnnl.hpp>")
expect(wrong ui/charts/share.cpp "<cblas.h>")
expect(right core/formula/symbols.h "<ginac/ginac.h>")
expect(wrong core/model/cost.h "<ginac/ginac.h>")
expect(wrong core/kernels/cpu/ffn/hidden/dense.cpp "<cuda_runtime.h>")
expect(right core/kernels/cuda/device/device.h "<cuda_runtime_api.h>")
expect(wrong core/kernels/cuda/ffn/hidden/dense.cu "\"core/kernels/cpu/linear/linear.h\"")
expect(wrong app/bench/shared/measure_job.cpp "\"core/kernels/cpu/ffn.h\"")
expect(wrong app/bench_cuda/jobs/measure.cpp "\"app/bench/jobs/kernels.h\"")
expect(wrong app/bench/jobs/measure.cpp "\"core/kernels/cuda/ffn.h\"")

# ui
expect(right ui/canvas/stack.h "\"ui/document/document.h\"")
expect(right ui/window/main_window.cpp "\"ui/charts/share.h\"")
expect(wrong ui/canvas/stack.h "\"ui/inspector/inspector.h\"")
expect(right ui/formulas/formula_page.cpp "\"core/formula/formula.h\"")
expect(wrong ui/formulas/formula_page.cpp "\"ui/tables/cost_page.h\"")
expect(wrong ui/tables/cost_page.cpp "\"ui/charts/base/figure.h\"")
expect(wrong ui/tables/cost_page.cpp "<ginac/ginac.h>")
expect(wrong ui/charts/share.cpp "\"ui/window/main_window.h\"")
expect(wrong ui/document/document.h "\"ui/jobs/measuring.h\"")
expect(wrong ui/jobs/measuring.cpp "\"core/kernels/cpu/dense.h\"")
expect(wrong ui/charts/share.cpp "\"app/main.h\"")
expect(right ui/charts/share/share_figure.h "\"ui/charts/base/figure.h\"")
expect(wrong ui/charts/share/share_figure.h "\"ui/charts/memory/memory_figure.h\"")
expect(wrong ui/charts/base/figure.h "\"ui/charts/share/share_figure.h\"")
expect(wrong ui/charts/attic/old.h "\"core/base/text.h\"")

# app
expect(right app/main.cpp "\"ui/window/main_window.h\"")
expect(wrong app/headless.cpp "\"core/kernels/reference/dense.h\"")
expect(right app/bench_main.cpp "\"core/kernels/cpu/dense.h\"")
expect(wrong app/bench_main.cpp "\"ui/theme/theme.h\"")
expect(wrong app/bench_main.cpp "<QCoreApplication>")
expect(wrong app/main.cpp "\"tests/support/model.h\"")

# spelling that must not hide an include
expect(wrong core/base/text.h "\"result.h\"")
expect(wrong core/base/text.h "\"../model/model.h\"")
