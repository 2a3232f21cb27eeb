# SPDX-License-Identifier: GPL-3.0-or-later
# One function per kind of target, so that a folder's CMakeLists.txt is a list of dependencies.

add_library(flopsmith_options INTERFACE)
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  # designated initialisers may leave members out, they are then empty
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees uninitialised strings in every moved std::variant that has one (GCC bug 105562 and kin)
  list(APPEND warnings -Wno-maybe-uninitialized)
  # and, with -O3, copies that overlap in every literal + std::string (GCC bug 105651)
  list(APPEND warnings -Wno-restrict)
endif()
if(FLOPSMITH_WERROR)
  list(APPEND warnings -Werror)
endif()
target_compile_options(flopsmith_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")
target_include_directories(flopsmith_options INTERFACE "${CMAKE_SOURCE_DIR}")

# flopsmith_unity(TARGET)
# Sources are compiled sixteen at a time: most of the time of one goes into the headers of the standard
# library, Qt, GoogleTest and the model, which all of them share. So names without linkage are unique
# in a target. The preset dev compiles each source alone, so that a missing include shows.
function(flopsmith_unity target)
  if(FLOPSMITH_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${FLOPSMITH_UNITY_BATCH})
  endif()
  set_property(GLOBAL APPEND PROPERTY FLOPSMITH_UNITY_TARGETS ${target})
endfunction()

# What neither a slider's step nor a kernel computes is compiled with -O1: a quarter less to wait for.
set(FLOPSMITH_COLD_OPTIONS "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>")

# flopsmith_library(NAME FOLDER folder [ROOMS folders…] [COLD] [SINGLY] [ALONE files…] [EXCEPT files…]
#                   [LINK targets…])
# All sources of one folder, less those that another configuration has instead; a folder of headers
# only becomes an interface library. Files are found by pattern: adding a variant is adding its files.
# ROOMS: only these folders of it, where other rooms of the folder are another library.
# SINGLY: each source is compiled alone, as kernels are, so that their machine code depends on no other.
# ALONE: so are these, which read cost formulas: with a formula no other source is compiled again.
function(flopsmith_library name)
  cmake_parse_arguments(arg "COLD;SINGLY" "FOLDER" "ROOMS;ALONE;EXCEPT;LINK" ${ARGN})
  set(rooms "${CMAKE_SOURCE_DIR}/${arg_FOLDER}")
  if(arg_ROOMS)
    list(TRANSFORM arg_ROOMS PREPEND "${rooms}/" OUTPUT_VARIABLE rooms)
  endif()
  list(TRANSFORM rooms APPEND "/*.cpp" OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  foreach(file IN LISTS arg_EXCEPT)
    list(REMOVE_ITEM sources "${CMAKE_SOURCE_DIR}/${arg_FOLDER}/${file}")
  endforeach()
  list(TRANSFORM rooms APPEND "/*.h" OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${patterns})
  if(sources)
    add_library(${name} STATIC ${sources} ${headers})
    target_link_libraries(${name} PUBLIC flopsmith_options ${arg_LINK})
    if(NOT arg_SINGLY)
      flopsmith_unity(${name})
    endif()
    if(arg_COLD)
      target_compile_options(${name} PRIVATE ${FLOPSMITH_COLD_OPTIONS})
    endif()
    if(arg_ALONE)
      list(TRANSFORM arg_ALONE PREPEND "${CMAKE_SOURCE_DIR}/${arg_FOLDER}/")
      set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE flopsmith_options ${arg_LINK})
  endif()
  set_property(GLOBAL APPEND PROPERTY FLOPSMITH_LIBRARIES ${name})
  set_target_properties(${name} PROPERTIES FLOPSMITH_FOLDER "${arg_FOLDER}")
  if(FLOPSMITH_TESTS)
    flopsmith_check_headers(${name} LINK ${name} HEADERS ${headers})
  endif()
endfunction()

# flopsmith_installed_texts(TARGET header function files…)
# Makes text files part of a library: `function`, which the header declares, returns them in this order.
function(flopsmith_installed_texts target header function)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set(texts "")
  foreach(file IN LISTS ARGN)
    file(READ "${file}" text)
    get_filename_component(name "${file}" NAME)
    string(APPEND texts "        {\"${name}\", R\"~~~(${text})~~~\"},\n")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/installed_texts/${function}.cpp")
  configure_file("${CMAKE_SOURCE_DIR}/cmake/installed_texts.cpp.in" "${source}" @ONLY)
  target_sources(${target} PRIVATE "${source}")
endfunction()

# flopsmith_check_headers(NAME LINK target HEADERS files…)
# Every header compiles on its own, with nothing but its library's dependencies, and may be
# included twice. A header with a source of its name is compiled there (tests/own_header_test.cmake
# sees to it that it comes first); the others are compiled here, without optimisation, because only
# the diagnostics count.
function(flopsmith_check_headers name)
  cmake_parse_arguments(arg "" "LINK" "HEADERS" ${ARGN})
  set(sources "")
  foreach(header IN LISTS arg_HEADERS)
    string(REGEX REPLACE "[.]h$" "" stem "${header}")
    if(EXISTS "${stem}.cpp" OR EXISTS "${stem}.cu")
      continue()
    endif()
    file(RELATIVE_PATH relative "${CMAKE_SOURCE_DIR}" "${header}")
    set(source "${CMAKE_BINARY_DIR}/header_check/${relative}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${relative}\"\n#include \"${relative}\"\n")
    list(APPEND sources "${source}")
  endforeach()
  if(NOT sources)
    return()
  endif()
  set(check header_check_${name})
  add_library(${check} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(${check} PRIVATE ${arg_LINK})
  target_compile_options(${check} PRIVATE -O0 -g0)
  set_target_properties(${check} PROPERTIES AUTOMOC OFF AUTORCC OFF)
  if(NOT TARGET header_check)
    add_custom_target(header_check)
  endif()
  add_dependencies(header_check ${check})
endfunction()

# flopsmith_bench(NAME SOURCE file [LINK targets…])
# A program that prints a table of timings; `./dev bench` builds and runs all of them. Its name
# begins with bench_.
function(flopsmith_bench name)
  cmake_parse_arguments(arg "" "SOURCE" "LINK" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${arg_SOURCE})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  add_dependencies(benches ${name})
endfunction()
