# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D SOURCE_DIR=<repository> -P spdx_test.cmake
# Every source, script and CMake file names its licence in its first three lines, and it is the
# one that LICENSE promises for its folder.
cmake_minimum_required(VERSION 3.25)

set(mit_folders
  "^core/(base|count|layer|mixer|ffn|model|parameter|json|lens|budget|measure|protocol|store|claims|study|note|teach|export|io|exercise|share|present|run|train|lab|torch|kernels/reference|kernels/cuda)/|^core/kernels/[^/]+$|^app/bench/shared/|^app/bench_(cuda|torch)/")
set(source_kinds "[.](h|cpp|cu|cuh)$|/torch/[^/]+[.]py$") # templates of exported programs

set(patterns "${SOURCE_DIR}/dev" "${SOURCE_DIR}/CMakeLists.txt" "${SOURCE_DIR}/.ci/*")
foreach(folder IN ITEMS app cmake core resources tests ui)
  foreach(kind IN ITEMS h cpp cu cuh py sh cmake)
    list(APPEND patterns "${SOURCE_DIR}/${folder}/*.${kind}")
  endforeach()
  list(APPEND patterns "${SOURCE_DIR}/${folder}/CMakeLists.txt")
endforeach()
file(GLOB_RECURSE files RELATIVE "${SOURCE_DIR}" ${patterns})
# The top-level names above match in any folder: leave out what was built.
list(FILTER files EXCLUDE REGEX "^(build|out)/|/[.]")
if(NOT files)
  message(FATAL_ERROR "no sources below ${SOURCE_DIR}")
endif()

set(violations "")
foreach(file IN LISTS files)
  if(file MATCHES "${mit_folders}" AND file MATCHES "${source_kinds}")
    set(expected "MIT")
  else()
    set(expected "GPL-3.0-or-later")
  endif()
  file(STRINGS "${SOURCE_DIR}/${file}" head LIMIT_COUNT 3)
  if(NOT "${head}" MATCHES "SPDX-License-Identifier: ([A-Za-z0-9.-]+)")
    list(APPEND violations "${file}: no licence in its first three lines, expected ${expected}")
  elseif(NOT CMAKE_MATCH_1 STREQUAL expected)
    list(APPEND violations "${file}: says ${CMAKE_MATCH_1}, expected ${expected}")
  endif()
endforeach()
if(violations)
  list(JOIN violations "\n  " text)
  message(FATAL_ERROR "Licence lines (see LICENSE):\n  ${text}")
endif()
