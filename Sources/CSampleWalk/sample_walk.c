#include "CSampleWalk.h"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char data[] = {
#embed "faketrack.gpx.gz"
};

const void *sample_walk_bytes(void) { return data; }

size_t sample_walk_count(void) { return sizeof data; }
