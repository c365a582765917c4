# Writes the file INPUT as a C array NAME, with NAME_size, into OUTPUT; HEADER declares both.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${hex}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\nconst unsigned char ${NAME}[] = {\n${bytes}};\n"
     "const size_t ${NAME}_size = sizeof ${NAME};\n")
