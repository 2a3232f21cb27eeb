# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D SOURCE_DIR=<repository> -P page_links_test.cmake
# Every relative link of a page leads to a file or folder of the repository.
cmake_minimum_required(VERSION 3.25)

set(patterns "${SOURCE_DIR}/README.md")
foreach(folder IN ITEMS app core docs resources tests ui)
  list(APPEND patterns "${SOURCE_DIR}/${folder}/*.md")
endforeach()
file(GLOB_RECURSE pages RELATIVE "${SOURCE_DIR}" ${patterns})
list(FILTER pages EXCLUDE REGEX "^(build|out)/|/[.]") # README.md matches in any folder
if(NOT pages)
  message(FATAL_ERROR "no pages below ${SOURCE_DIR}")
endif()

# Sets result to the targets of the links of a page, without the headings that they name.
function(links_of result page)
  file(READ "${SOURCE_DIR}/${page}" text)
  string(REGEX REPLACE "\\]\\(" "<link " text "${text}")
  string(REGEX REPLACE "[][;]" "" text "${text}") # brackets would join entries of the list below
  string(REGEX MATCHALL "<link [^)# \n]+" links "${text}")
  list(TRANSFORM links REPLACE "^<link " "")
  list(FILTER links EXCLUDE REGEX "^[a-z]+:")
  set(${result} "${links}" PARENT_SCOPE)
endfunction()

set(violations "")
foreach(page IN LISTS pages)
  get_filename_component(folder "${SOURCE_DIR}/${page}" DIRECTORY)
  links_of(links "${page}")
  foreach(link IN LISTS links)
    if(NOT EXISTS "${folder}/${link}")
      list(APPEND violations "${page}: ${link}")
    endif()
  endforeach()
endforeach()
if(violations)
  list(JOIN violations "\n  " text)
  message(FATAL_ERROR "Links that lead nowhere:\n  ${text}")
endif()
