#ifndef CPAGERESOURCES_H
#define CPAGERESOURCES_H

#include <stddef.h>

/// A file that the page is made of.
struct page_resource {
  const char *_Nonnull name;
  const void *_Nonnull bytes;
  size_t count;
};

/// How many files there are.
size_t page_resource_count(void);

/// The file with that number, which has to be less than their count.
struct page_resource page_resource_at(size_t number);

#endif
