// Builds the tree of a URDF's links and joints, or reports why there is none. Linear in their
// number, without recursion.
#ifndef FA_TREE_H
#define FA_TREE_H

#include <stdbool.h>

#include "names.h"
#include "xml.h"

#define FA_NO_JOINT (-1)

typedef struct fa_tree {
    int                    n_links, n_joints;
    const fa_xml_element **link, **joint; // in the order of the file
    int                   *parent;        // of each joint: index of a link
    int                   *child;         // likewise
    bool                  *closes;        // of each joint: its child hangs on an earlier one
    int                   *holder;        // of each link: the joint that holds it, or FA_NO_JOINT
    int                   *order;         // links, each before what hangs on it; siblings as in the
                                          // file, depth first
    int     *rank;                        // of each link: where it stands in `order`
    int     *memory;
    fa_names link_names, joint_names;
} fa_tree;

// Reads the <link> and <joint> children of the root. Keeps pointers into the xml.
fa_status fa_tree_read(const fa_xml *xml, fa_tree *tree, fa_error *error);
void      fa_tree_free(fa_tree *tree);

// The joint or link of that name, or an error that says which one was probably meant. `what` is
// "joint" or "link".
fa_status fa_tree_find(const fa_xml *xml, const fa_tree *tree, const char *what,
                       const fa_xml_element *element, const char *attribute, int *index,
                       fa_error *error);

#endif
