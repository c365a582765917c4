# Sources by folder: a new file in a folder of the table is compiled as its neighbours are.

# fa_folders(<target> <options> <folder> ...): all C files of the folders go into the target, with these compile options
# ("" for none) when GNU's compiler builds a release; whoever links the target finds the folders' headers.
function(fa_folders target options)
  foreach(folder IN LISTS ARGN)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.c)
    target_sources(${target} PRIVATE ${sources})
    if(options AND sources)
      set_property(SOURCE ${sources} APPEND PROPERTY
                   COMPILE_OPTIONS "$<$<AND:$<CONFIG:Release>,$<C_COMPILER_ID:GNU>>:${options}>")
    endif()
    # For compilers that are not CMake's: FaPlatforms.cmake.
    if(options STREQUAL "-Os")
      set_property(TARGET ${target} APPEND PROPERTY FA_SMALL ${sources})
    elseif("-fno-unroll-loops" IN_LIST options)
      set_property(TARGET ${target} APPEND PROPERTY FA_SHORT ${sources})
    endif()
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/${folder}>)
    set_property(TARGET ${target} APPEND PROPERTY FA_FOLDERS ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
  endforeach()
endfunction()
