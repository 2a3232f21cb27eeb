# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D SOURCE_DIR=<repository> -D BUILD_DIR=<build> -D SCRATCH=<folder> -P desktop_files_test.cmake
# Installs what a desktop needs into a scratch folder and reads it as a desktop does: the entry has its
# keys, its icon is installed, and every kind of file it opens is described. Tools that validate such
# files are asked too where they are installed.
cmake_minimum_required(VERSION 3.25)

set(application org.flopsmith.Flopsmith)
file(REMOVE_RECURSE "${SCRATCH}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --component desktop --prefix "${SCRATCH}"
  RESULT_VARIABLE failed OUTPUT_VARIABLE told ERROR_VARIABLE told)
if(failed)
  message(FATAL_ERROR "cmake --install --component desktop: ${told}")
endif()

# The one installed file of that name, wherever the platform has its data.
function(installed result name)
  file(GLOB_RECURSE found "${SCRATCH}/*/${name}")
  list(LENGTH found count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "${name} is installed ${count} times: ${found}")
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

installed(entry "${application}.desktop")
installed(types "${application}.xml")
installed(icon "${application}.svg")
foreach(place IN ITEMS "${entry}:/applications/" "${types}:/mime/packages/"
    "${icon}:/icons/hicolor/scalable/apps/")
  string(REGEX MATCH "^(.*):(.*)$" ignored "${place}")
  if(NOT CMAKE_MATCH_1 MATCHES "${CMAKE_MATCH_2}")
    message(FATAL_ERROR "${CMAKE_MATCH_1} is not in ${CMAKE_MATCH_2}")
  endif()
endforeach()

# A ';' would divide a line into several.
file(READ "${entry}" text)
string(REPLACE ";" "|" text "${text}")
string(REGEX REPLACE "\n+" ";" lines "${text}")
list(POP_FRONT lines group)
if(NOT group STREQUAL "[Desktop Entry]")
  message(FATAL_ERROR "${entry} begins with ${group}")
endif()
foreach(line IN LISTS lines)
  if(line STREQUAL "" OR line MATCHES "^#")
    continue()
  endif()
  if(NOT line MATCHES "^([A-Za-z]+)=(.*)$")
    message(FATAL_ERROR "${entry}: no key: ${line}")
  elseif(DEFINED key_${CMAKE_MATCH_1})
    message(FATAL_ERROR "${entry}: ${CMAKE_MATCH_1} stands twice")
  endif()
  set(key_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
endforeach()

function(expect_key key pattern)
  if(NOT "${key_${key}}" MATCHES "${pattern}")
    message(FATAL_ERROR "${entry}: ${key} is \"${key_${key}}\", which is not ${pattern}")
  endif()
endfunction()

expect_key(Type "^Application$")
expect_key(Version "^1[.][0-9]+$")
expect_key(Name "^Flopsmith$")
expect_key(Comment "^[A-Z].+[^.]$")
expect_key(Exec "^flopsmith %u$") # one file or link, as an address
expect_key(Icon "^${application}$")
expect_key(Terminal "^false$")
expect_key(Categories "^([A-Za-z]+[|])+$")
expect_key(Keywords "^([^|]+[|])+$")
expect_key(MimeType "^([a-z-]+/[a-z+-]+[|])+$")
expect_key(MimeType "(^|[|])x-scheme-handler/flopsmith[|]")

# Every type that is opened is described with the suffix of its files, and every described one is opened.
file(READ "${types}" described)
string(REPLACE "|" ";" opened "${key_MimeType}")
list(FILTER opened EXCLUDE REGEX "^(x-scheme-handler/.*)?$")
string(REGEX MATCHALL "<mime-type type=\"[^\"]+\"" named "${described}")
list(TRANSFORM named REPLACE "<mime-type type=\"([^\"]+)\"" "\\1")
list(SORT opened)
list(SORT named)
if(NOT "${opened}" STREQUAL "${named}")
  message(FATAL_ERROR "${entry} opens ${opened}, and ${types} describes ${named}")
endif()
file(STRINGS "${SOURCE_DIR}/core/base/file_suffix.h" suffixes REGEX "Suffix = \"[.]flopsmith")
list(TRANSFORM suffixes REPLACE ".*\"([^\"]+)\".*" "\\1")
list(REMOVE_ITEM suffixes .flopsmith-answer) # which a teacher grades in a folder
if(NOT suffixes)
  message(FATAL_ERROR "core/base/file_suffix.h has no suffixes any more")
endif()
foreach(suffix IN LISTS suffixes)
  string(FIND "${described}" "<glob pattern=\"*${suffix}\"/>" at)
  if(at LESS 0)
    message(FATAL_ERROR "${types} has no files *${suffix}")
  endif()
endforeach()

foreach(tool IN ITEMS "desktop-file-validate|${entry}" "xmllint|--noout|--nonet|${types}"
    "xmllint|--noout|--nonet|${icon}")
  string(REPLACE "|" ";" command "${tool}")
  list(GET command 0 program)
  find_program(found_${program} ${program})
  if(found_${program})
    execute_process(COMMAND ${command} RESULT_VARIABLE failed OUTPUT_VARIABLE told
      ERROR_VARIABLE told)
    if(failed)
      message(FATAL_ERROR "${program}: ${told}")
    endif()
  endif()
endforeach()
