// Descriptions of variables. The program writes them into modelDescription.xml at export; prebuilt
// libraries of FMUs are compiled without (cmake/FaPlatforms.cmake), since no FMU shows them.
#ifndef FA_DESCRIPTION_H
#define FA_DESCRIPTION_H

#ifdef FA_WITHOUT_DESCRIPTIONS
#define FA_DESCRIPTION(text) ""
#else
#define FA_DESCRIPTION(text) text
#endif

#endif
