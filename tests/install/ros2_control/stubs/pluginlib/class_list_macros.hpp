// The macro of pluginlib, for this test: a factory.
#ifndef STUB_CLASS_LIST_MACROS_HPP
#define STUB_CLASS_LIST_MACROS_HPP

#define PLUGINLIB_EXPORT_CLASS(type, base)                                                         \
    base *make_the_plugin()                                                                        \
    {                                                                                              \
        return new type;                                                                           \
    }

#endif
