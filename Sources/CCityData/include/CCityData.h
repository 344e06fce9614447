#ifndef CCITYDATA_H
#define CCITYDATA_H

#include <stddef.h>

/// The first byte of the built-in city index, aligned to 64 bytes.
const void *_Nonnull city_data_bytes(void);

/// The length of the built-in city index in bytes.
size_t city_data_count(void);

#endif
