// Compiled before libzip's files for WASI, which has neither: we open archives by name and write
// our own.
#ifndef FA_LIBZIP_WASI_H
#define FA_LIBZIP_WASI_H

static inline int dup(int file)
{
    (void)file;
    return -1;
}

static inline unsigned umask(unsigned mask)
{
    (void)mask;
    return 0;
}

#endif
