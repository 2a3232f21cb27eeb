# SPDX-License-Identifier: GPL-3.0-or-later
# Test programs: the sources of a folder are compiled together, and the folders of a layer are linked
# into one program, which runs in shards (see tests/README.md).

# What every source of a test is compiled with. Tests are optimised little: compiling them takes
# longer than running them. (-fPIC: some of them link Qt, and all read the same precompiled headers.)
add_library(flopsmith_test_options INTERFACE)
target_link_libraries(flopsmith_test_options INTERFACE
  flopsmith_options GTest::gmock GTest::gtest ${RAPIDCHECK_LIBRARY})
target_compile_options(flopsmith_test_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-O1;-g0;-fPIC>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(flopsmith_test_options INTERFACE -fpch-preprocess) # for ccache
  # With -O1, GCC 12 sees writes behind the end of lists of strings that it moves (GCC bug 105329)
  target_compile_options(flopsmith_test_options INTERFACE -Wno-array-bounds -Wno-stringop-overflow)
endif()
target_compile_definitions(flopsmith_test_options INTERFACE
  FLOPSMITH_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
  FLOPSMITH_LESSON_FOLDER="${CMAKE_SOURCE_DIR}/resources/lessons"
  FLOPSMITH_TINY_MODEL="${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/project/tiny.flopsmith")

# GoogleTest is read once for all folders, and once more with what Qt defines for its tests.
function(flopsmith_precompile name)
  add_library(${name} OBJECT EXCLUDE_FROM_ALL "${CMAKE_SOURCE_DIR}/tests/support/precompiled.cpp")
  target_link_libraries(${name} PRIVATE flopsmith_test_options ${ARGN})
  target_precompile_headers(${name} PRIVATE "${CMAKE_SOURCE_DIR}/tests/support/precompiled.h")
endfunction()

# flopsmith_test_folder(FOLDER folder [WINDOW] [LINK targets…])
# The sources of one folder under tests/, and of those below it, as the object library tests_FOLDER.
# WINDOW: they need an application object.
function(flopsmith_test_folder)
  cmake_parse_arguments(arg "WINDOW" "FOLDER" "LINK" ${ARGN})
  string(REPLACE "/" "_" name "tests/${arg_FOLDER}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${arg_FOLDER}/*.cpp"
       "${CMAKE_SOURCE_DIR}/tests/${arg_FOLDER}/*.h")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${name} PUBLIC flopsmith_test_options ${arg_LINK})
  flopsmith_unity(${name})
  if(arg_WINDOW)
    target_link_libraries(${name} PUBLIC Qt6::Widgets Qt6::Test)
    target_precompile_headers(${name} REUSE_FROM flopsmith_precompiled_with_qt)
  else()
    target_precompile_headers(${name} REUSE_FROM flopsmith_precompiled)
  endif()
endfunction()

# flopsmith_test_shards(NAME PROGRAM program SHARDS count [COST cost] [LABEL label] [FILTER filter]
#                       [ENVIRONMENT variables…] [ARGUMENTS arguments…] [ALONE])
# A run of all tests of a program (or of those that FILTER names) in so many processes. Tests without
# a label are those of `./dev test`; a label names a lane of `./dev test all`. COST: roughly its seconds,
# because the longest begin first.
function(flopsmith_test_shards name)
  cmake_parse_arguments(arg "ALONE" "PROGRAM;SHARDS;COST;LABEL;FILTER" "ENVIRONMENT;ARGUMENTS" ${ARGN})
  math(EXPR last "${arg_SHARDS} - 1")
  foreach(shard RANGE ${last})
    math(EXPR number "${shard} + 1")
    set(test "${name}.${number}of${arg_SHARDS}")
    add_test(NAME ${test} COMMAND ${arg_PROGRAM} ${arg_ARGUMENTS})
    set(environment ${FLOPSMITH_TEST_ENVIRONMENT} ${arg_ENVIRONMENT} GTEST_BRIEF=1
      GTEST_TOTAL_SHARDS=${arg_SHARDS} GTEST_SHARD_INDEX=${shard}
      "FLOPSMITH_TEST_REPORT=${FLOPSMITH_TEST_REPORTS}/${test}.txt")
    if(arg_FILTER)
      list(APPEND environment "FLOPSMITH_TEST_FILTER=${arg_FILTER}")
    endif()
    set_tests_properties(${test} PROPERTIES ENVIRONMENT "${environment}" TIMEOUT 1800)
    if(arg_COST)
      set_tests_properties(${test} PROPERTIES COST ${arg_COST})
    endif()
    if(arg_LABEL)
      set_tests_properties(${test} PROPERTIES LABELS "${arg_LABEL}")
    endif()
    if(arg_ALONE)
      set_tests_properties(${test} PROPERTIES RUN_SERIAL ON)
    endif()
  endforeach()
endfunction()

# flopsmith_test_program(NAME FOLDERS folders… [WINDOW] [SHARDS count] [COST cost] [NEEDS programs…]
#                        [ENVIRONMENT variables…])
# One program of the tests of these folders. WINDOW: they run with an application object; the lanes
# `inter` and `display` run them with another font and on an X server. NEEDS: programs that they start.
function(flopsmith_test_program name)
  cmake_parse_arguments(arg "WINDOW" "SHARDS;COST" "FOLDERS;NEEDS;ENVIRONMENT" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL)
  foreach(folder IN LISTS arg_FOLDERS)
    string(REPLACE "/" "_" objects "tests/${folder}")
    target_link_libraries(${name} PRIVATE ${objects})
  endforeach()
  set(environment ${arg_ENVIRONMENT})
  if(arg_WINDOW)
    target_link_libraries(${name} PRIVATE flopsmith_window_main)
    list(APPEND environment ${FLOPSMITH_TEST_DEJAVU} QT_QPA_PLATFORM=offscreen)
  else()
    target_link_libraries(${name} PRIVATE flopsmith_test_main)
  endif()
  if(arg_NEEDS)
    add_dependencies(${name} ${arg_NEEDS})
  endif()
  if(NOT arg_SHARDS)
    set(arg_SHARDS 4)
  endif()
  flopsmith_test_shards(${name} PROGRAM ${name} SHARDS ${arg_SHARDS} COST ${arg_COST}
    ENVIRONMENT ${environment})
  add_dependencies(all_tests ${name})
endfunction()
