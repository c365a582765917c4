// The laws in one form, -DFORM=form_lanes4 -DFA_LANES=4 …
#include "forms.h"

#include "laws.h"

#include "laws.gen.h"

#define LOOP(call)                                                                                 \
    for (int i = 0; i < n; i++) call;

#define ELEMENT(name, at, xml, about)                                                              \
    static void name##_values(int n, const void *in_, void *out_)                                  \
    {                                                                                              \
        const fa_##name##_in *in = in_;                                                            \
        fa_##name##_out      *out = out_;                                                          \
        LOOP(fa_##name##_law(&in[i], &out[i]))                                                     \
    }                                                                                              \
    static void name##_tangents(int n, const void *in_, const void *dot_, void *out_)              \
    {                                                                                              \
        const fa_##name##_in *in = in_, *dot = dot_;                                               \
        fa_##name##_out      *out = out_;                                                          \
        LOOP(fa_##name##_tangent(&in[i], &dot[i], &out[i]))                                        \
    }                                                                                              \
    static void name##_tangents_of_motion(int n, const void *in_, const void *dot_, void *out_)    \
    {                                                                                              \
        const fa_##name##_in *in = in_, *dot = dot_;                                               \
        fa_##name##_out      *out = out_;                                                          \
        LOOP(fa_##name##_tangent_of_motion(&in[i], &dot[i], &out[i]))                              \
    }                                                                                              \
    static void name##_adjoints(int n, const void *in_, const void *bar_, void *in_bar_)           \
    {                                                                                              \
        const fa_##name##_in  *in = in_;                                                           \
        const fa_##name##_out *bar = bar_;                                                         \
        fa_##name##_in        *in_bar = in_bar_;                                                   \
        LOOP(fa_##name##_adjoint(&in[i], &bar[i], &in_bar[i]))                                     \
    }                                                                                              \
    static void name##_adjoints_of_motion(int n, const void *in_, const void *bar_, void *in_bar_) \
    {                                                                                              \
        const fa_##name##_in  *in = in_;                                                           \
        const fa_##name##_out *bar = bar_;                                                         \
        fa_##name##_in        *in_bar = in_bar_;                                                   \
        LOOP(fa_##name##_adjoint_of_motion(&in[i], &bar[i], &in_bar[i]))                           \
    }
#include "passes.h"

#define COPY_PUSH(name)          to->name = all.name;
#define COPY_ACCELERATION(name)  COPY_PUSH(name)
#define COPY_RATE(name)          COPY_PUSH(name)
#define COPY_FLOW(name)          COPY_PUSH(name)
#define COPY_CAPACITY(name)      COPY_PUSH(name)
#define COPY_FRICTION_LOSS(name) COPY_PUSH(name)
#define COPY_STOP_LOSS(name)     COPY_PUSH(name)
#define COPY_CONTACT_LOSS(name)  COPY_PUSH(name)
#define COPY_DRIVE(name)
#define COPY_REFLECTED(name)
#define COPY_STORED(name)
#define COPY_SUPPLIED(name)
#define COPY_STORING(name)
#define COPY_OUTPUT(name)
#define COPY_INVERSE(name)
#define COPY_INDICATOR(name)
#define COPY_HOLD(name)
#define ELEMENT(name, at, xml, about)                                                              \
    static void name##_push(int n, const void *in_, void *out_)                                    \
    {                                                                                              \
        const fa_##name##_in *in = in_;                                                            \
        fa_##name##_out      *to = out_;                                                           \
        for (int i = 0; i < n; i++, to++) {                                                        \
            fa_##name##_out all;                                                                   \
            (void)all;                                                                             \
            fa_##name##_law(&in[i], &all);
#define RESULT(name, kind, row, unit, when, about) COPY_##kind(name)
#define END(name)                                                                                  \
    }                                                                                              \
    }
#include "passes.h"

#undef COPY_FRICTION_LOSS
#undef COPY_STOP_LOSS
#define COPY_FRICTION_LOSS(name) // of an effort it is the effort's
#define COPY_STOP_LOSS(name)     COPY_PUSH(name)
#define TANGENT_OF(name, which, short)                                                             \
    static void name##_push_##short(int n, const void *in_, const void *dot_, void *out_)          \
    {                                                                                              \
        const fa_##name##_in *in = in_, *dot = dot_;                                               \
        fa_##name##_out      *to = out_;                                                           \
        for (int i = 0; i < n; i++, to++) {                                                        \
            fa_##name##_out all;                                                                   \
            (void)all;                                                                             \
            fa_##name##_##which(&in[i], &dot[i], &all);
#define ELEMENT(name, at, xml, about)              TANGENT_OF(name, tangent, tangent)
#define RESULT(name, kind, row, unit, when, about) COPY_##kind(name)
#define END(name)                                                                                  \
    }                                                                                              \
    }
#include "passes.h"
#define ELEMENT(name, at, xml, about)              TANGENT_OF(name, tangent_of_motion, motion)
#define RESULT(name, kind, row, unit, when, about) COPY_##kind(name)
#define END(name)                                                                                  \
    }                                                                                              \
    }
#include "passes.h"

#if FA_LANES == 1
#define EVENT_OF(name) name##_on_event
#define ELEMENT(name, at, xml, about)                                                              \
    static void name##_on_event(const void *in, const void *out, void *next, double now,           \
                                double *next_time)                                                 \
    {                                                                                              \
        fa_##name##_event(in, out, next, now, next_time);                                          \
    }
#include "passes.h"
#else
#define EVENT_OF(name) NULL
#endif

static void put(void *reals, int index, int lane, double value)
{
    put_lane((real *)reals + index, lane, value);
}

static double get(const void *reals, int index, int lane)
{
    return lane_of((const real *)reals + index, lane);
}

const form FORM[] = {
#define ELEMENT(name, at, xml, about)                                                              \
    {FA_LANES,                                                                                     \
     sizeof(real),                                                                                 \
     sizeof(fa_##name##_in),                                                                       \
     sizeof(fa_##name##_out),                                                                      \
     name##_values,                                                                                \
     name##_tangents,                                                                              \
     name##_tangents_of_motion,                                                                    \
     name##_adjoints,                                                                              \
     name##_adjoints_of_motion,                                                                    \
     name##_push,                                                                                  \
     name##_push_tangent,                                                                          \
     name##_push_motion,                                                                           \
     EVENT_OF(name),                                                                               \
     put,                                                                                          \
     get},
#include "passes.h"
};
