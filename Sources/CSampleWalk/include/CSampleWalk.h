#ifndef CSAMPLEWALK_H
#define CSAMPLEWALK_H

#include <stddef.h>

/// The first byte of the sample walk, a compressed GPX file.
const void *_Nonnull sample_walk_bytes(void);

/// The length of the sample walk in bytes.
size_t sample_walk_count(void);

#endif
