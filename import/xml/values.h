// Attributes as numbers and names, with errors that say what is wrong and what to write.
#ifndef FA_VALUES_H
#define FA_VALUES_H

#include "robot.h"
#include "xml.h"

typedef enum fa_need { FA_OPTIONAL, FA_REQUIRED } fa_need;

// Description of an element for messages: "<mass> of link 'l1'", "joint 'j1'".
typedef struct fa_about {
    char text[320];
} fa_about;
fa_about fa_xml_about(const fa_xml_element *element);

// n numbers, separated by white space. value stays as it is where the attribute is absent and
// optional.
fa_status fa_read_numbers(const fa_xml *xml, const fa_xml_element *element, const char *name, int n,
                          double value[], fa_need need, fa_error *error);
fa_status fa_read_number(const fa_xml *xml, const fa_xml_element *element, const char *name,
                         double *value, fa_need need, fa_error *error);

// Numbers that an element may say, each times a unit.
typedef struct fa_field {
    const char *name;
    double     *value;
    double      unit;
} fa_field;
fa_status fa_read_fields(const fa_xml *xml, const fa_xml_element *element, const fa_field list[],
                         size_t n, fa_error *error);
fa_status fa_read_vec3(const fa_xml *xml, const fa_xml_element *element, const char *name,
                       fa_vec3 *value, fa_need need, fa_error *error);

// The numbers that are an element's text, n of them; with `endless` also inf and -inf.
fa_status fa_read_content(const fa_xml *xml, const fa_xml_element *element, int n, double value[],
                          bool endless, fa_error *error);

// A name, neither empty nor longer than FA_NAME_SIZE allows.
fa_status fa_read_name(const fa_xml *xml, const fa_xml_element *element, const char *attribute,
                       char name[FA_NAME_SIZE], fa_error *error);

// The link that an attribute names; where there is none, a sentence with the nearest name.
fa_status fa_read_link(const fa_xml *xml, const fa_xml_element *element, const char *attribute,
                       const fa_robot *robot, int *link, fa_error *error);

// "'a', 'b', 'c' and 4 more", as much of it as a sentence can hold. Starts as all zero.
typedef struct fa_list {
    char   text[640];
    size_t used;
    int    left_out;
} fa_list;
void        fa_list_add(fa_list *list, const char *name);
const char *fa_list_text(fa_list *list);

// The only child of that name; *child is NULL where there is none and it is optional.
fa_status fa_read_child(const fa_xml *xml, const fa_xml_element *parent, const char *name,
                        fa_need need, const fa_xml_element **child, fa_error *error);

#endif
