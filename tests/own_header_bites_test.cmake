# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D SOURCE_DIR=<repository> -D SCRATCH=<folder> -P own_header_bites_test.cmake
# Feeds own_header_test.cmake a tree of one header and one source and expects its verdict.
cmake_minimum_required(VERSION 3.25)
if(NOT SCRATCH) # all of it is removed
  message(FATAL_ERROR "SCRATCH names no folder")
endif()

function(expect expected header source)
  file(REMOVE_RECURSE "${SCRATCH}")
  file(WRITE "${SCRATCH}/core/base/text.h" "${header}")
  file(WRITE "${SCRATCH}/core/base/text.cpp" "${source}")
  execute_process(COMMAND ${CMAKE_COMMAND} -D SOURCE_DIR=${SCRATCH} -P ${SOURCE_DIR}/tests/own_header_test.cmake
    RESULT_VARIABLE code ERROR_VARIABLE error OUTPUT_QUIET)
  if(code EQUAL 0)
    set(result right)
  elseif(error MATCHES "may not stand alone")
    set(result wrong)
  else()
    set(result "broken: ${error}")
  endif()
  if(NOT result STREQUAL expected)
    message(SEND_ERROR "expected ${expected}, got ${result} for ${header} and ${source}")
  endif()
endfunction()

set(once "// a file\n#pragma once\n")
expect(right "${once}" "#include \"core/base/text.h\"\n#include <string>\n")
expect(wrong "${once}" "#include <string>\n#include \"core/base/text.h\"\n")
expect(wrong "${once}" "#include \"text.h\"\n")
expect(wrong "${once}" "// nothing\n")
expect(wrong "// a file\n" "#include \"core/base/text.h\"\n")
