// Numbers in memory that is given back at the end of a block. std::vector would bring C++'s library
// into programs that are C otherwise.
#ifndef BUFFER_HPP
#define BUFFER_HPP

#include "scalar_prelude.hpp"

template <class T> class buffer
{
public:
    // All bytes zero: of every number here that is an exact 0.
    explicit buffer(size_t n) : at_(static_cast<T *>(calloc(n + 1, sizeof(T)))) {}
    ~buffer() { free(at_); }
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;

    bool missing() const { return !at_; } // memory ran out
    T   *data() { return at_; }
    T   &operator[](size_t i) { return at_[i]; }

private:
    T *at_;
};

#endif
