#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

/// A file of the page.
struct page_resource {
  const char *_Nonnull name;
  const void *_Nonnull bytes;
  size_t count;
};

/// The number of files.
size_t page_resource_count(void);

/// A file by its number, which must be less than the number of files.
struct page_resource page_resource_at(size_t number);

#endif
