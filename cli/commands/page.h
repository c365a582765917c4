// The page that shows a simulation: the viewer (viewer/), with the robot and its motion inside.
#ifndef FA_PAGE_H
#define FA_PAGE_H

#include "recording.h"
#include "xacro.h"

// The viewer's page, built in; size 0 where the build had no npm to make it with.
extern const unsigned char fa_viewer_page[];
extern const size_t        fa_viewer_page_size;

// A fact of the run, for the page's table.
typedef struct fa_fact {
    const char *what;
    char        text[512];
} fa_fact;

// Writes the page. `path` of the robot file is looked into for the shapes of links.
fa_status fa_page_write(const char *out, const char *path, const fa_xacro_options *xacro,
                        const fa_robot *robot, const fa_state *state, const fa_recording *recording,
                        const fa_fact fact[], int n_facts, fa_error *error);

// FA_OK if there is a viewer in this program, or a sentence.
fa_status fa_page_available(fa_error *error);

#endif
