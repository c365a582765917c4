# Writes the files of the list SCHEMAS as C arrays into OUTPUT, one row of fa_schemas each. A file's
# name without its ending is the root element that it is for. DRIVES, the parts that have names,
# becomes fa_drives. A side file's root may also be called <mechanism>: the schema of <actuators> is there twice.
set(arrays "")
set(rows "")

function(fa_embed root hex)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${hex}")
  set(arrays "${arrays}static const unsigned char ${root}[] = {\n${bytes}};\n\n" PARENT_SCOPE)
endfunction()

foreach(schema IN LISTS SCHEMAS DRIVES)
  get_filename_component(root ${schema} NAME_WE)
  file(READ ${schema} hex HEX)
  fa_embed(${root} ${hex})
  if(schema STREQUAL DRIVES)
    string(APPEND arrays
           "const fa_schema fa_drives = {\"drives\", (const char *)drives, sizeof drives};\n\n")
    continue()
  endif()
  string(APPEND rows "    {\"${root}\", (const char *)${root}, sizeof ${root}},\n")
  if(root STREQUAL "actuators")
    string(HEX "element name=\"actuators\"" actuators)
    string(HEX "element name=\"mechanism\"" mechanism)
    string(REPLACE ${actuators} ${mechanism} hex ${hex})
    fa_embed(mechanism ${hex})
    string(APPEND rows "    {\"mechanism\", (const char *)mechanism, sizeof mechanism},\n")
  endif()
endforeach()
file(WRITE ${OUTPUT}
     "#include \"schemas.h\"\n\n${arrays}const fa_schema fa_schemas[] = {\n${rows}    {NULL, NULL, 0},\n};\n")
