#ifndef NAME_LIST_H
#define NAME_LIST_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Returns the number of bytes from `-greatest` to `greatest`.
size_t name_list_count(const int8_t *bytes, size_t count, int8_t greatest);

#pragma clang assume_nonnull end

#endif
