#include "name_list.h"

#include <string.h>

// Vectors are arguments only of functions that are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

typedef uint8_t Bytes __attribute__((ext_vector_type(32)));

static inline __attribute__((always_inline)) size_t count_of(
  const int8_t *bytes, size_t count, int8_t greatest
) {
  size_t total = 0, start = 0;
  while (count - start >= sizeof(Bytes)) {
    // Sums of 8 bits hold at most 255.
    size_t rounds = (count - start) / sizeof(Bytes);
    if (rounds > 255) rounds = 255;
    Bytes sums = 0;
    for (; rounds > 0; rounds--, start += sizeof(Bytes)) {
      Bytes lanes;
      memcpy(&lanes, bytes + start, sizeof lanes);
      // From 0 to twice the greatest number. A comparison that holds is -1.
      sums -= (Bytes)(lanes + (Bytes)(uint8_t)greatest <= (Bytes)(uint8_t)(2 * greatest));
    }
    uint8_t lanes[sizeof(Bytes)];
    memcpy(lanes, &sums, sizeof lanes);
    for (size_t lane = 0; lane < sizeof lanes; lane++) total += lanes[lane];
  }
  for (; start < count; start++) total += -greatest <= bytes[start] && bytes[start] <= greatest;
  return total;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static size_t wide_count(
  const int8_t *bytes, size_t count, int8_t greatest
) {
  return count_of(bytes, count, greatest);
}
#endif

size_t name_list_count(const int8_t *bytes, size_t count, int8_t greatest) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return wide_count(bytes, count, greatest);
#endif
  return count_of(bytes, count, greatest);
}
