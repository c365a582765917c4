// A number that counts what is done with it, in place of `double`.
//
// Every operation is executed, and counted as such. Papers count fewer: what depends on the robot
// alone is done beforehand, and a product with 0 or 1 is none. So each number knows its kind, and an
// operation is counted a second time, as `online`, only if its result depends on the state and it is
// none of these.
#ifndef COUNTED_HPP
#define COUNTED_HPP

#include "scalar_prelude.hpp"

struct counted {
    enum kind { literal, robot, state }; // literal: written in the source, or an exact 0 or 1

    double value;
    kind   from;

    // Memory set to zero bytes is literal zeros.
    counted() : value(0), from(literal) {}
    counted(double x, kind k = literal) : value(x), from(k) {}

    struct tally {
        long products, quotients, roots, sums, sines;
    };
    static tally executed, online;
};

namespace counted_detail {
inline counted::kind later(counted a, counted b)
{
    return a.from > b.from ? a.from : b.from;
}

inline bool is(counted a, double x)
{
    return a.from == counted::literal && a.value == x;
}

inline counted result(double x, counted::kind k, long counted::tally::*what, bool free)
{
    counted::executed.*what += 1;
    if (k == counted::state && !free) counted::online.*what += 1;
    return counted(x, k);
}
} // namespace counted_detail

inline counted operator-(counted a) // a change of sign is no operation
{
    return counted(-a.value, a.from);
}

inline counted operator*(counted a, counted b)
{
    using namespace counted_detail;
    if (is(a, 0) || is(b, 0)) return result(0, counted::literal, &counted::tally::products, true);
    const bool one = is(a, 1) || is(b, 1) || is(a, -1) || is(b, -1);
    return result(a.value * b.value, later(a, b), &counted::tally::products, one);
}

inline counted operator/(counted a, counted b)
{
    using namespace counted_detail;
    const bool one = is(a, 0) || is(b, 1);
    return result(a.value / b.value, later(a, b), &counted::tally::quotients, one);
}

inline counted operator+(counted a, counted b)
{
    using namespace counted_detail;
    const bool zero = is(a, 0) || is(b, 0);
    return result(a.value + b.value, later(a, b), &counted::tally::sums, zero);
}

inline counted operator-(counted a, counted b)
{
    using namespace counted_detail;
    const bool zero = is(a, 0) || is(b, 0);
    return result(a.value - b.value, later(a, b), &counted::tally::sums, zero);
}

inline counted &operator+=(counted &a, counted b) { return a = a + b; }
inline counted &operator-=(counted &a, counted b) { return a = a - b; }
inline counted &operator*=(counted &a, counted b) { return a = a * b; }
inline counted &operator/=(counted &a, counted b) { return a = a / b; }

inline bool operator<(counted a, counted b) { return a.value < b.value; }
inline bool operator>(counted a, counted b) { return a.value > b.value; }
inline bool operator<=(counted a, counted b) { return a.value <= b.value; }
inline bool operator>=(counted a, counted b) { return a.value >= b.value; }
inline bool operator==(counted a, counted b) { return a.value == b.value; }
inline bool operator!=(counted a, counted b) { return a.value != b.value; }

inline counted sqrt(counted a)
{
    return counted_detail::result(::sqrt(a.value), a.from, &counted::tally::roots, false);
}

inline counted sin(counted a)
{
    return counted_detail::result(::sin(a.value), a.from, &counted::tally::sines, false);
}

inline counted cos(counted a)
{
    return counted_detail::result(::cos(a.value), a.from, &counted::tally::sines, false);
}

// A number of the robot; one that a formula may find to be an exact 0 or 1.
inline counted of_robot(double x)
{
    return counted(x, counted::robot);
}

inline counted of_geometry(double x)
{
    return x == 0 || x == 1 || x == -1 ? counted(x) : of_robot(x);
}

// Returns the counts, in the words of counts.h.
template <class Operations> Operations operations(counted::tally t)
{
    return {t.products, t.sums, t.quotients, t.roots, t.sines};
}

inline counted fabs(counted a) { return counted(::fabs(a.value), a.from); }
inline bool    isfinite(counted a) { return std::isfinite(a.value); }

#endif
