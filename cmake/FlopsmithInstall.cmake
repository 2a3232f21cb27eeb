# SPDX-License-Identifier: GPL-3.0-or-later
# cmake --install: the programs, and what a desktop must know of them to open files and links
# (cmake --install --component desktop installs the latter alone).
include(GNUInstallDirs)

foreach(program IN ITEMS flopsmith flopsmith-train flopsmith-bench flopsmith-bench-torch flopsmith-bench-cuda)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs)
  endif()
endforeach()

set(application org.flopsmith.Flopsmith)
install(FILES "resources/desktop/${application}.desktop"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" COMPONENT desktop)
install(FILES "resources/desktop/${application}.xml"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" COMPONENT desktop)
install(FILES resources/icons/flopsmith.svg RENAME "${application}.svg"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps" COMPONENT desktop)
