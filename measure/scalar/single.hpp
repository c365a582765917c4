// A number in single precision, in place of `double`: every operation rounds to 24 bits.
#ifndef SINGLE_HPP
#define SINGLE_HPP

#include "scalar_prelude.hpp"

struct single {
    float value;

    single() : value(0) {}
    single(double x) : value(static_cast<float>(x)) {}
    single(float x) : value(x) {}
    single(int x) : value(static_cast<float>(x)) {}
};

inline single operator-(single a) { return single(-a.value); }
inline single operator*(single a, single b) { return single(a.value * b.value); }
inline single operator/(single a, single b) { return single(a.value / b.value); }
inline single operator+(single a, single b) { return single(a.value + b.value); }
inline single operator-(single a, single b) { return single(a.value - b.value); }

inline single &operator+=(single &a, single b) { return a = a + b; }
inline single &operator-=(single &a, single b) { return a = a - b; }
inline single &operator*=(single &a, single b) { return a = a * b; }
inline single &operator/=(single &a, single b) { return a = a / b; }

inline bool operator<(single a, single b) { return a.value < b.value; }
inline bool operator>(single a, single b) { return a.value > b.value; }
inline bool operator<=(single a, single b) { return a.value <= b.value; }
inline bool operator>=(single a, single b) { return a.value >= b.value; }
inline bool operator==(single a, single b) { return a.value == b.value; }
inline bool operator!=(single a, single b) { return a.value != b.value; }

inline single sqrt(single a) { return single(std::sqrt(a.value)); }
inline single sin(single a) { return single(std::sin(a.value)); }
inline single cos(single a) { return single(std::cos(a.value)); }
inline single fabs(single a) { return single(std::fabs(a.value)); }
inline bool   isfinite(single a) { return std::isfinite(a.value); }

#endif
