// SHA-256 compression function and padding.
#include "sha256.h"

#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

// One round: updates two of the eight numbers; the caller rotates their names.
static inline void step(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                        uint32_t g, uint32_t *h, uint32_t word)
{
    const uint32_t choose = (e & f) ^ (~e & g), most = (a & b) ^ (a & c) ^ (b & c);
    const uint32_t t1 = *h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choose + word;
    *d += t1;
    *h = t1 + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + most;
}

static void add_block(uint32_t hash[8], const uint8_t block[64])
{
    uint32_t w[64];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[t - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }

    // Instead of moving a … h on by one, eight steps take them in turned order.
    uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3];
    uint32_t e = hash[4], f = hash[5], g = hash[6], h = hash[7];
    for (int t = 0; t < 64; t += 8) {
        step(a, b, c, &d, e, f, g, &h, K[t] + w[t]);
        step(h, a, b, &c, d, e, f, &g, K[t + 1] + w[t + 1]);
        step(g, h, a, &b, c, d, e, &f, K[t + 2] + w[t + 2]);
        step(f, g, h, &a, b, c, d, &e, K[t + 3] + w[t + 3]);
        step(e, f, g, &h, a, b, c, &d, K[t + 4] + w[t + 4]);
        step(d, e, f, &g, h, a, b, &c, K[t + 5] + w[t + 5]);
        step(c, d, e, &f, g, h, a, &b, K[t + 6] + w[t + 6]);
        step(b, c, d, &e, f, g, h, &a, K[t + 7] + w[t + 7]);
    }
    const uint32_t grown[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) hash[i] += grown[i];
}

void fa_sha256(const void *data, size_t size, uint8_t digest[32])
{
    uint32_t       hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const uint8_t *byte = data;
    size_t         left = size;
    for (; left >= 64; byte += 64, left -= 64) add_block(hash, byte);

    // The rest, a bit 1, zeros, and the length in bits.
    uint8_t last[128] = {0};
    size_t  length = left < 56 ? 64 : 128;
    if (left) memcpy(last, byte, left);
    last[left] = 0x80;
    for (size_t i = 0; i < 8; i++) last[length - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    for (size_t i = 0; i < length; i += 64) add_block(hash, last + i);

    for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(hash[i / 4] >> (24 - 8 * (i % 4)));
}
