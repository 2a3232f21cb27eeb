# SPDX-License-Identifier: GPL-3.0-or-later
# One function per kind of target, so that a folder's CMakeLists.txt is a list of dependencies.

add_library(flopsmith_options INTERFACE)
target_compile_options(flopsmith_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(FLOPSMITH_WERROR)
  target_compile_options(flopsmith_options INTERFACE -Werror)
endif()
target_include_directories(flopsmith_options INTERFACE "${CMAKE_SOURCE_DIR}")

# flopsmith_library(NAME FOLDER folder [LINK targets…])
# All sources of one folder; a folder of headers only becomes an interface library. Files are
# found by pattern: adding a variant is adding its files.
function(flopsmith_library name)
  cmake_parse_arguments(arg "" "FOLDER" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${arg_FOLDER}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${arg_FOLDER}/*.h")
  if(sources)
    add_library(${name} STATIC ${sources} ${headers})
    target_link_libraries(${name} PUBLIC flopsmith_options ${arg_LINK})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE flopsmith_options ${arg_LINK})
  endif()
endfunction()

# flopsmith_test(NAME FOLDER folder [LINK targets…])
# One GoogleTest program of all *_test.cpp of one folder under tests/.
function(flopsmith_test name)
  cmake_parse_arguments(arg "" "FOLDER" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${arg_FOLDER}/*_test.cpp")
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 120 PROPERTIES TIMEOUT 300
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;OPENBLAS_NUM_THREADS=2")
endfunction()
