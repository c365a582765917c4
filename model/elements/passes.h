// A pass over the elements, or over those of ELEMENT_LIST: define some of the macros below, and
// include this file, which undefines them again. An element file is a list of macro calls; macros
// that the pass does not define are empty.
//
// No include guard: each pass includes it anew. docs/elements.md explains each line of a list.
#ifndef ELEMENT
#define ELEMENT(name, at, xml, about)
#endif
#ifndef NUMBER // a parameter
#define NUMBER(name, xml, row, unit, otherwise, rule, when, about)
#endif
#ifndef NUMBER_OF // number of another element at the same place
#define NUMBER_OF(name, element)
#endif
#ifndef INPUT
#define INPUT(name, row, unit, bound, when, about)
#endif
#ifndef STATE
#define STATE(name, row, unit, nominal, bound, when, about)
#endif
#ifndef GIVEN // what the place gives
#define GIVEN(name, unit, about)
#endif
#ifndef PORT // a node that an attribute names: what is given is its pressure
#define PORT(name, xml) GIVEN(name, PASCAL, xml)
#endif
#ifndef MODE // changes in events only
#define MODE(name, row, type, unit, when, about)
#endif
#ifndef SWITCH // a Boolean input; unless a pass says otherwise, a mode to it
#define SWITCH(name, row, about) MODE(name, row, BOOLEAN, NONE, ALWAYS, about)
#endif
#ifndef SITE // what the place says once and for all
#define SITE(name, about)
#endif
#ifndef CHOICE // an attribute with two words
#define CHOICE(name, xml, no, yes)
#endif
#ifndef FLAG // a condition on numbers that stays as it was loaded
#define FLAG(name, condition, about)
#endif
#ifndef SHORTCUT // a condition on numbers that skips what adds nothing now
#define SHORTCUT(name, condition)
#endif
#ifndef TABLE // points of a function
#define TABLE(name, xml, about)
#endif
#ifndef TURNING // with this flag, the units of the place are those of what turns
#define TURNING(flag)
#endif
#ifndef TUNABLE // its numbers may be changed during a run
#define TUNABLE()
#endif
#ifndef EVERYWHERE // no robot need say that it is there
#define EVERYWHERE()
#endif
#ifndef PRESENCE // an attribute with two words, of which the second one says that it is there
#define PRESENCE(xml, no, yes)
#endif
#ifndef RULE
#define RULE(condition, sentence)
#endif
#ifndef RESULT
#define RESULT(name, kind, row, unit, when, about)
#endif
#ifndef BETWEEN // the ports where a flow leaves and enters, or where a capacity stands; "outside"
#define BETWEEN(flow, from, to)
#endif
#ifndef END
#define END(name)
#endif
#ifndef ELEMENT_LIST
#define ELEMENT_LIST "all.h"
#endif
#include ELEMENT_LIST
#undef ELEMENT_LIST
#undef ELEMENT
#undef NUMBER
#undef NUMBER_OF
#undef INPUT
#undef STATE
#undef GIVEN
#undef PORT
#undef MODE
#undef SWITCH
#undef SITE
#undef CHOICE
#undef FLAG
#undef SHORTCUT
#undef TABLE
#undef TURNING
#undef TUNABLE
#undef EVERYWHERE
#undef PRESENCE
#undef RULE
#undef RESULT
#undef BETWEEN
#undef END
