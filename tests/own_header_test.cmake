# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D SOURCE_DIR=<repository> -P own_header_test.cmake
# Each source includes the header of its own name first, so that compiling the source shows that
# the header needs no other before it; and each header may be included twice. Headers without a
# source are compiled on their own instead (flopsmith_check_headers).
cmake_minimum_required(VERSION 3.25)

set(violations "")
foreach(half IN ITEMS core ui app)
  file(GLOB_RECURSE found RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/${half}/*.cpp" "${SOURCE_DIR}/${half}/*.cu")
  list(APPEND sources ${found})
  file(GLOB_RECURSE found RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/${half}/*.h" "${SOURCE_DIR}/${half}/*.cuh")
  list(APPEND headers ${found})
endforeach()
if(NOT sources AND NOT headers)
  message(FATAL_ERROR "no sources below ${SOURCE_DIR}")
endif()

foreach(source IN LISTS sources)
  string(REGEX REPLACE "[.](cpp|cu)$" ".h" own "${source}")
  if(EXISTS "${SOURCE_DIR}/${own}")
    file(STRINGS "${SOURCE_DIR}/${source}" first LIMIT_COUNT 1 REGEX "^[ \t]*#[ \t]*include")
    if(NOT first STREQUAL "#include \"${own}\"")
      list(APPEND violations "${source}: its first #include is not \"${own}\"")
    endif()
  endif()
endforeach()
foreach(header IN LISTS headers)
  file(STRINGS "${SOURCE_DIR}/${header}" once LIMIT_COUNT 1 REGEX "^#pragma once$")
  if(NOT once)
    list(APPEND violations "${header}: there is no #pragma once")
  endif()
endforeach()

if(violations)
  list(JOIN violations "\n  " text)
  message(FATAL_ERROR "Headers that may not stand alone:\n  ${text}")
endif()
