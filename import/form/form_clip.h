// Inertias that no body has, made to be some body's: what --lenient asks for.
#ifndef FA_FORM_CLIP_H
#define FA_FORM_CLIP_H

#include "form.h"

// Sets negative principal moments to zero, about the same axes, with a warning for each link.
void fa_form_clip(fa_form *form, const fa_log *log);

#endif
