# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D PROGRAM=<flopsmith-bench-cuda> -P answers_describe_test.cmake
# The program starts on any machine and answers: with the GPU, or with the reason why there is none.
cmake_minimum_required(VERSION 3.25)
execute_process(
  COMMAND ${CMAKE_COMMAND} -E echo "{\"protocol\":1,\"type\":\"describe\",\"id\":1}"
  COMMAND "${PROGRAM}"
  OUTPUT_VARIABLE answer ERROR_VARIABLE error RESULTS_VARIABLE codes)
if(NOT codes STREQUAL "0;0")
  message(FATAL_ERROR "${PROGRAM} ended with ${codes}: ${error}")
endif()
if(NOT answer MATCHES "\"kind\":\"cuda\"" AND NOT answer MATCHES "(driver|GPU|CUDA)")
  message(FATAL_ERROR "neither a GPU nor a reason: ${answer}")
endif()
