// Builds the kinematic tree of a URDF; finds roots, cycles and disconnected links.
#include "tree.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robot.h"
#include "values.h"

static const char *name_of(const fa_xml_element *element)
{
    return fa_xml_find(element, "name")->value;
}

// The links whose mark is set.
static fa_list list_links(const fa_tree *tree, const bool mark[])
{
    fa_list list = {.used = 0};
    for (int i = 0; i < tree->n_links; i++)
        if (mark[i]) fa_list_add(&list, name_of(tree->link[i]));
    return list;
}

// ---------------------------------------------------------------------------------- what there is

static fa_status allocate(const fa_xml *xml, fa_tree *tree, fa_error *error)
{
    for (const fa_xml_element *e = xml->root->first; e; e = e->next) {
        tree->n_links += strcmp(e->name, "link") == 0;
        tree->n_joints += strcmp(e->name, "joint") == 0;
    }
    if (tree->n_links == 0)
        return fa_fail(error, FA_BAD_INPUT, xml->path, xml->root->place,
                       "the robot has no links; add at least one <link name=\"…\"/>");
    if (tree->n_links > FA_LINK_MAX || tree->n_joints > FA_LINK_MAX)
        return fa_fail(error, FA_BAD_INPUT, xml->path, xml->root->place,
                       "the robot has %d links and %d joints; %d of each are the most",
                       tree->n_links, tree->n_joints, FA_LINK_MAX);
    size_t links = (size_t)tree->n_links, joints = (size_t)tree->n_joints;
    tree->link = malloc((links + joints) * sizeof *tree->link);
    tree->memory = malloc((3 * links + 2 * joints) * sizeof *tree->memory);
    tree->closes = calloc(joints + 1, sizeof *tree->closes);
    if (!tree->link || !tree->memory || !tree->closes ||
        !fa_names_new(&tree->link_names, tree->n_links) ||
        !fa_names_new(&tree->joint_names, tree->n_joints))
        return fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                       "there is not enough memory for %d links", tree->n_links);
    tree->joint = tree->link + links;
    tree->holder = tree->memory;
    tree->order = tree->holder + links;
    tree->rank = tree->order + links;
    tree->parent = tree->rank + links;
    tree->child = tree->parent + joints;
    for (size_t i = 0; i < links; i++) {
        tree->holder[i] = FA_NO_JOINT;
        tree->rank[i] = FA_NOBODY;
    }
    return FA_OK;
}

// All the elements of one kind, with names that differ.
static fa_status collect(const fa_xml *xml, const char *kind, const fa_xml_element **list,
                         fa_names *names, fa_error *error)
{
    int n = 0;
    for (const fa_xml_element *e = fa_xml_child(xml->root, kind); e;
         e = fa_xml_next(e->next, kind)) {
        char      name[FA_NAME_SIZE];
        fa_status status = fa_read_name(xml, e, "name", name, error);
        if (status != FA_OK) return status;
        int twin = fa_names_add(names, name_of(e), n);
        if (twin >= 0)
            return fa_fail(error, FA_BAD_INPUT, xml->path, e->place,
                           "two %ss are called '%s', this one and the one in line %d; give each "
                           "its own name",
                           kind, name, list[twin]->place.line);
        list[n++] = e;
    }
    return FA_OK;
}

fa_status fa_tree_find(const fa_xml *xml, const fa_tree *tree, const char *what,
                       const fa_xml_element *element, const char *attribute, int *index,
                       fa_error *error)
{
    char      name[FA_NAME_SIZE];
    fa_status status = fa_read_name(xml, element, attribute, name, error);
    if (status != FA_OK) return status;
    bool joints = strcmp(what, "joint") == 0;
    *index = fa_names_find(joints ? &tree->joint_names : &tree->link_names, name);
    if (*index >= 0) return FA_OK;

    const fa_xml_element **list = joints ? tree->joint : tree->link;
    int                    n = joints ? tree->n_joints : tree->n_links, best = INT_MAX;
    const char            *nearest = NULL;
    for (int i = 0; i < n; i++) {
        int apart = fa_words_apart(name, name_of(list[i]));
        if (apart >= best) continue;
        best = apart;
        nearest = name_of(list[i]);
    }
    fa_place place = fa_xml_find(element, attribute)->value_place;
    if (nearest && fa_words_close(name, best))
        return fa_fail(error, FA_BAD_INPUT, xml->path, place,
                       "%s names the %s '%s', which is not in the file; did you mean '%s'?",
                       fa_xml_about(element).text, what, name, nearest);
    return fa_fail(error, FA_BAD_INPUT, xml->path, place,
                   "%s names the %s '%s', which is not in the file; add <%s name=\"%s\">, or name "
                   "another one",
                   fa_xml_about(element).text, what, name, what, name);
}

// Reads one end of a joint.
static fa_status read_end(const fa_xml *xml, const fa_tree *tree, const fa_xml_element *joint,
                          const char *end, int *link, fa_error *error)
{
    const fa_xml_element *element;
    fa_status             status = fa_read_child(xml, joint, end, FA_REQUIRED, &element, error);
    return status == FA_OK ? fa_tree_find(xml, tree, "link", element, "link", link, error) : status;
}

static fa_status connect(const fa_xml *xml, fa_tree *tree, fa_error *error)
{
    for (int j = 0; j < tree->n_joints; j++) {
        const fa_xml_element *joint = tree->joint[j];
        fa_status status = read_end(xml, tree, joint, "parent", &tree->parent[j], error);
        if (status == FA_OK) status = read_end(xml, tree, joint, "child", &tree->child[j], error);
        if (status != FA_OK) return status;
        const char *child = name_of(tree->link[tree->child[j]]);
        if (tree->parent[j] == tree->child[j])
            return fa_fail(error, FA_BAD_INPUT, xml->path, joint->place,
                           "joint '%s' joins link '%s' to itself; name two different links",
                           name_of(joint), child);
        int other = tree->holder[tree->child[j]];
        if (other != FA_NO_JOINT)
            tree->closes[j] = true;
        else
            tree->holder[tree->child[j]] = j;
    }
    return FA_OK;
}

// --------------------------------------------------------------------------------------- one tree

// Each link has one parent at most, so what the root does not reach hangs in a cycle or on one.
static fa_status cycle(const fa_xml *xml, const fa_tree *tree, bool mark[], fa_error *error)
{
    int link = 0;
    while (tree->rank[link] != FA_NOBODY) link++;
    // After as many steps up as there are links, the link is in the cycle.
    for (int i = 0; i < tree->n_links; i++) link = tree->parent[tree->holder[link]];
    int start = link;
    memset(mark, 0, (size_t)tree->n_links * sizeof *mark);
    do {
        mark[link] = true;
        link = tree->parent[tree->holder[link]];
    } while (link != start);
    int first = 0;
    while (!mark[first]) first++;
    fa_list names = list_links(tree, mark);
    return fa_fail(error, FA_BAD_INPUT, xml->path, tree->joint[tree->holder[first]]->place,
                   "the links %s hang on each other in a circle; remove one joint between them and "
                   "join the rest to the base",
                   fa_list_text(&names));
}

static fa_status one_root(const fa_xml *xml, const fa_tree *tree, bool mark[], int *root,
                          fa_error *error)
{
    int roots = 0, second = 0;
    *root = FA_NOBODY;
    for (int i = 0; i < tree->n_links; i++) {
        mark[i] = tree->holder[i] == FA_NO_JOINT;
        if (!mark[i]) continue;
        if (roots == 0) *root = i;
        if (roots == 1) second = i;
        roots++;
    }
    if (roots == 1) return FA_OK;
    if (roots == 0) return cycle(xml, tree, mark, error);
    fa_list names = list_links(tree, mark);
    return fa_fail(error, FA_BAD_INPUT, xml->path, tree->link[second]->place,
                   "the links %s hang on nothing, and a robot has one base; join the others to it, "
                   "with fixed joints perhaps",
                   fa_list_text(&names));
}

// Depth first with the joints' own order: children are pushed in reverse.
static void walk(const fa_tree *tree, int root, int first[], int next[], int stack[])
{
    for (int i = 0; i < tree->n_links; i++) first[i] = FA_NO_JOINT;
    for (int j = 0; j < tree->n_joints; j++) { // the last joint comes first in the list
        if (tree->closes[j]) continue;
        next[j] = first[tree->parent[j]];
        first[tree->parent[j]] = j;
    }
    int height = 0, n = 0;
    stack[height++] = root;
    while (height > 0) {
        int link = stack[--height];
        tree->rank[link] = n;
        tree->order[n++] = link;
        for (int j = first[link]; j != FA_NO_JOINT; j = next[j]) stack[height++] = tree->child[j];
    }
}

static fa_status sort(const fa_xml *xml, fa_tree *tree, fa_error *error)
{
    size_t    links = (size_t)tree->n_links, joints = (size_t)tree->n_joints;
    int      *scratch = malloc((2 * links + joints) * sizeof *scratch), root;
    bool     *mark = malloc(links * sizeof *mark);
    fa_status status = FA_OK;
    if (!scratch || !mark)
        status = fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                         "there is not enough memory for %d links", tree->n_links);
    if (status == FA_OK) status = one_root(xml, tree, mark, &root, error);
    if (status == FA_OK) {
        walk(tree, root, scratch, scratch + 2 * links, scratch + links);
        for (int i = 0; i < tree->n_links && status == FA_OK; i++)
            if (tree->rank[i] == FA_NOBODY) status = cycle(xml, tree, mark, error);
    }
    free(mark);
    free(scratch);
    return status;
}

fa_status fa_tree_read(const fa_xml *xml, fa_tree *tree, fa_error *error)
{
    *tree = (fa_tree){0};
    fa_status status = allocate(xml, tree, error);
    if (status == FA_OK) status = collect(xml, "link", tree->link, &tree->link_names, error);
    if (status == FA_OK) status = collect(xml, "joint", tree->joint, &tree->joint_names, error);
    if (status == FA_OK) status = connect(xml, tree, error);
    if (status == FA_OK) status = sort(xml, tree, error);
    if (status != FA_OK) fa_tree_free(tree);
    return status;
}

void fa_tree_free(fa_tree *tree)
{
    free(tree->closes);
    free(tree->link);
    free(tree->memory);
    fa_names_free(&tree->link_names);
    fa_names_free(&tree->joint_names);
    *tree = (fa_tree){0};
}
