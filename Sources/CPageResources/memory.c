#include "CPageResources.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

void page_return_large_blocks(void) {
#if defined(__GLIBC__)
  // A fixed threshold; glibc would raise it to the size of the largest freed block.
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
}
