// Inertias that no body has, made to be some body's: what --lenient asks for.
#ifndef FA_FORM_CLIP_H
#define FA_FORM_CLIP_H

#include "form.h"

// Principal moments below zero become zero, about the same axes; each such link is told.
void fa_form_clip(fa_form *form, const fa_log *log);

#endif
