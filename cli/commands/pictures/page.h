// Writes the page that shows a simulation: the viewer (viewer/), with robot and motion embedded.
#ifndef FA_PAGE_H
#define FA_PAGE_H

#include "recording.h"
#include "xacro.h"

// The viewer's page, built in; size 0 if the build had no npm.
extern const unsigned char fa_viewer_page[];
extern const size_t        fa_viewer_page_size;

// A row of the page's table of facts about the run.
typedef struct fa_fact {
    const char *what;
    char        text[512];
} fa_fact;

// A warning about the robot: "arm.urdf:3:5", or "" where there is no line, and the sentence.
typedef struct fa_page_warning {
    char place[600], text[1024];
} fa_page_warning;

// The contents of a page in the place of a player, where nothing is simulated: sliders for the
// joints, and warnings beside them.
typedef struct fa_page_pose {
    int                    n_warnings;
    const fa_page_warning *warning;
} fa_page_pose;

// Writes the page of a motion; with `pose` (NULL: none) that of a robot in a pose, the recording's
// one line. Reads the shapes of links from the robot file `path`.
fa_status fa_page_write(const char *out, const char *path, const fa_xacro_options *xacro,
                        const fa_robot *robot, const fa_state *state, const fa_recording *recording,
                        const fa_fact fact[], int n_facts, const fa_page_pose *pose,
                        fa_error *error);

// FA_OK if this program contains the viewer; an error otherwise.
fa_status fa_page_available(fa_error *error);

#endif
