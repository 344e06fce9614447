#ifndef NAME_LIST_H
#define NAME_LIST_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Returns the number of bytes that are at most `greatest`.
size_t name_list_count(const uint8_t *bytes, size_t count, uint8_t greatest);

#pragma clang assume_nonnull end

#endif
