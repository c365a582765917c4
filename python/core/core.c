// The extension module forearm._core: the equations of motion of forearm.h for arrays of Python,
// and motions over events of run/.
#include "core.h"

core_names core;

PyObject *core_refuse(const char *name, const char *sentence)
{
    PyObject *type = PyObject_GetAttrString(core.errors, name);
    if (type) PyErr_SetString(type, sentence);
    Py_XDECREF(type);
    return NULL;
}

PyObject *core_raise(const char *name, const fa_error *error)
{
    PyObject *type = PyObject_GetAttrString(core.errors, name);
    PyObject *line = error->place.line ? PyLong_FromLong(error->place.line) : Py_NewRef(Py_None);
    PyObject *column =
        error->place.line ? PyLong_FromLong(error->place.column) : Py_NewRef(Py_None);
    PyObject *file = error->file[0] ? PyUnicode_DecodeFSDefault(error->file) : Py_NewRef(Py_None);
    PyObject *fault = NULL;
    if (type && line && column && file)
        fault = PyObject_CallFunction(type, "sOOO", error->message, file, line, column);
    if (fault) PyErr_SetObject(type, fault);
    Py_XDECREF(fault);
    Py_XDECREF(type);
    Py_XDECREF(line);
    Py_XDECREF(column);
    Py_XDECREF(file);
    return NULL;
}

PyObject *core_new_array(int dimensions, const Py_ssize_t length[])
{
    PyObject *shape = PyTuple_New(dimensions);
    for (int i = 0; shape && i < dimensions; i++) {
        PyObject *n = PyLong_FromSsize_t(length[i]);
        if (!n || PyTuple_SetItem(shape, i, n) != 0) Py_CLEAR(shape);
    }
    PyObject *array = shape ? PyObject_CallFunctionObjArgs(core.empty, shape, NULL) : NULL;
    Py_XDECREF(shape);
    return array;
}

int core_numbers(PyObject *array, Py_ssize_t size, char kind, int writable, Py_buffer *view)
{
    const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(array, view, flags) != 0) return -1;
    const Py_ssize_t each = kind == 'f' ? sizeof(float) : 8;
    if (view->itemsize == each && view->format && view->format[0] == kind &&
        view->len == each * size)
        return 0;
    PyBuffer_Release(view);
    core_refuse("ShapeError", "an array has another type or size than its use inside wants");
    return -1;
}

static PyObject *version(PyObject *self, PyObject *none)
{
    (void)self, (void)none;
    return PyUnicode_FromString(fa_version());
}

static PyObject *build_info(PyObject *self, PyObject *none)
{
    (void)self, (void)none;
#if defined(__OPTIMIZE__)
    const int optimised = 1;
#else
    const int optimised = 0;
#endif
    return Py_BuildValue("{s:s,s:s,s:O}", "version", fa_version(), "compiler", __VERSION__,
                         "optimised", optimised ? Py_True : Py_False);
}

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, "version() -> str\n\nThe library's version."},
    {"build_info", build_info, METH_NOARGS,
     "build_info() -> dict[str, object]\n\nHow the library was compiled: version, compiler, and "
     "whether it was optimised."},
    {NULL, NULL, 0, NULL}};

static PyObject *attribute(const char *module, const char *name)
{
    PyObject *from = PyImport_ImportModule(module);
    PyObject *found = from ? PyObject_GetAttrString(from, name) : NULL;
    Py_XDECREF(from);
    return found;
}

static int begin(PyObject *module)
{
    core.empty = attribute("numpy", "empty");
    core.ndarray = attribute("numpy", "ndarray");
    core.errors = PyImport_ImportModule("forearm.errors");
    core.prepare = attribute("forearm._arrays", "prepare");
    core.deliver = attribute("forearm._arrays", "deliver");
    if (!core.empty || !core.ndarray || !core.errors || !core.prepare || !core.deliver) return -1;
    core_robot_fill_methods();
    core.robot_type = PyType_FromSpec(&core_robot_spec);
    core.motions_type = PyType_FromSpec(&core_motions_spec);
    if (!core.robot_type || !core.motions_type) return -1;
    if (PyModule_AddObjectRef(module, "Robot", core.robot_type) != 0) return -1;
    return PyModule_AddObjectRef(module, "Motions", core.motions_type);
}

// The slot's number is a function's address to some compilers, and no pointer to an object.
static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)begin}, {0, NULL}};

static struct PyModuleDef module = {.m_base = PyModuleDef_HEAD_INIT,
                                    .m_name = "forearm._core",
                                    .m_doc = "Equations of motion and motions of robots, in C.",
                                    .m_methods = functions,
                                    .m_slots = slots};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&module);
}
