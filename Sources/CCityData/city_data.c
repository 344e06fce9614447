#include "CCityData.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

// The Swift code reads 32-bit numbers and vectors at multiples of 64 bytes.
static const unsigned char data[] __attribute__((aligned(64))) = {
#embed "cities.bin"
};

const void *city_data_bytes(void) { return data; }

size_t city_data_count(void) { return sizeof data; }
