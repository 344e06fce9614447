#include "box_tree.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// Vectors are arguments only of functions that are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

// Eight lanes, compiled to one vector register where there is AVX2 and to two elsewhere.
typedef float Floats __attribute__((ext_vector_type(8)));
typedef int32_t Ints __attribute__((ext_vector_type(8)));
typedef uint32_t Rows __attribute__((ext_vector_type(8)));
typedef bool Bools __attribute__((ext_vector_type(8)));

#define INLINE static inline __attribute__((always_inline))

enum {
  // 2²⁸ points fill 8⁹ leaves at most.
  MAXIMUM_HEIGHT = 9,
  // A search leaves at most seven siblings behind at each level.
  STACK = 7 * MAXIMUM_HEIGHT + 8,
};

// The square of an impossible distance; it stays a number when its lowest bits hold a lane.
static const float UNUSED = 1e38f;

typedef struct {
  const BoxTreeParts *tree;
  Floats x, y, z;
  // The square of the chord beyond which points are of no interest.
  float limit;
  // A heap of the greatest chords of the nearest points, the greatest on top.
  float *lengths;
  size_t wanted, count;
  BoxTreeCandidate *candidates;
  size_t found, capacity;
  // The row from which on points are of no interest.
  uint32_t end;
} Search;

INLINE Floats greater(Floats a, Floats b) { return a > b ? a : b; }
INLINE Floats lesser(Floats a, Floats b) { return a < b ? a : b; }

// One bit for each lane that does not exceed a limit, the lowest for lane 0.
INLINE unsigned within(Floats values, float limit) {
  Bools flags = __builtin_convertvector(values <= (Floats)limit, Bools);
  uint8_t bits;
  memcpy(&bits, &flags, 1);
  return bits;
}

// The lane of the least number, none of which is negative; nearly equal ones count as equal.
INLINE unsigned least(Floats values) {
  const Ints lanes = {0, 1, 2, 3, 4, 5, 6, 7};
  Ints bits;
  memcpy(&bits, &values, sizeof bits);
  bits = (bits & ~7) | lanes;
  Floats keys;
  memcpy(&keys, &bits, sizeof keys);
  keys = lesser(keys, __builtin_shufflevector(keys, keys, 4, 5, 6, 7, 0, 1, 2, 3));
  keys = lesser(keys, __builtin_shufflevector(keys, keys, 2, 3, 0, 1, 6, 7, 4, 5));
  keys = lesser(keys, __builtin_shufflevector(keys, keys, 1, 0, 3, 2, 5, 4, 7, 6));
  uint32_t key;
  memcpy(&key, &keys, sizeof key);
  return key & 7;
}

// Marks the lanes from `used` on.
INLINE Floats only(Floats values, size_t used) {
  const Ints lanes = {0, 1, 2, 3, 4, 5, 6, 7};
  if (__builtin_expect(used >= 8, 1)) return values;
  return lanes < (Ints)(int32_t)used ? values : (Floats)UNUSED;
}

// The distance of a coordinate, relative to the origin, from each interval; 0 within it.
INLINE Floats outside(Floats value, float scale, BoxTreeBytes low, BoxTreeBytes high) {
  Floats below = __builtin_convertvector(low, Floats) * scale - value;
  Floats above = value - __builtin_convertvector(high, Floats) * scale;
  return greater(greater(below, above), (Floats)0.0f);
}

// The squares of the distances to the boxes of children, of which the first `used` exist.
INLINE Floats boxes(const Search *search, const BoxTreeNode *node, size_t used) {
  Floats x = outside(search->x - node->originX, node->scale, node->minX, node->maxX);
  Floats y = outside(search->y - node->originY, node->scale, node->minY, node->maxY);
  Floats z = outside(search->z - node->originZ, node->scale, node->minZ, node->maxZ);
  return only(x * x + y * y + z * z, used);
}

// The uncertainty of a coordinate in a leaf: half a step, a quarter of a meter for the rounding of the
// position, and a margin for the rounding of the difference of the two.
INLINE float blur(const BoxTreeLeaf *leaf) { return leaf->scale * 0.52f + 0.5f; }

// The minimum distance of a coordinate, relative to the origin, from each step.
INLINE Floats apart(Floats value, float scale, float blur, BoxTreeShorts steps) {
  Floats difference = value - __builtin_convertvector(steps, Floats) * scale;
  return greater(greater(difference, -difference) - blur, (Floats)0.0f);
}

// The squares of the least distances to the points of a leaf, of which the first `used` exist.
INLINE Floats points(const Search *search, const BoxTreeLeaf *leaf, size_t used) {
  float rim = blur(leaf);
  Floats x = apart(search->x - leaf->originX, leaf->scale, rim, leaf->x);
  Floats y = apart(search->y - leaf->originY, leaf->scale, rim, leaf->y);
  Floats z = apart(search->z - leaf->originZ, leaf->scale, rim, leaf->z);
  return only(x * x + y * y + z * z, used);
}

// The square of a length, rounded up; lengths beyond the width of the Earth are no limit.
INLINE float square(double length) {
  return length < 13e6 ? (float)(length * length * (1 + 1e-6)) : UNUSED / 2;
}

// Replaces the greatest length.
INLINE void sink(Search *search, float length) {
  float *heap = search->lengths;
  size_t hole = 0;
  for (size_t child; (child = 2 * hole + 1) < search->wanted; hole = child) {
    if (child + 1 < search->wanted && heap[child] < heap[child + 1]) child += 1;
    if (length >= heap[child]) break;
    heap[hole] = heap[child];
  }
  heap[hole] = length;
}

// Takes the maximum chord of one more point into account.
INLINE bool narrow(Search *search, float length) {
  float *heap = search->lengths;
  if (search->count < search->wanted) {
    size_t hole = search->count++;
    for (; hole > 0 && heap[(hole - 1) / 2] < length; hole = (hole - 1) / 2) {
      heap[hole] = heap[(hole - 1) / 2];
    }
    heap[hole] = length;
    if (search->count < search->wanted) return false;
  } else {
    if (length >= heap[0]) return false;
    sink(search, length);
  }
  float limit = square(box_tree_reach(heap[0]));
  if (limit < search->limit) search->limit = limit;
  return true;
}

// Drops the candidates that are no longer of interest.
INLINE void drop(Search *search) {
  size_t kept = 0;
  for (size_t i = 0; i < search->found; i++) {
    if (search->candidates[i].square <= search->limit) {
      search->candidates[kept++] = search->candidates[i];
    }
  }
  search->found = kept;
}

// Adds a point; the return value is false if there is no room.
INLINE bool add(Search *search, size_t position, float squared, float uncertainty) {
  const BoxTreeParts *tree = search->tree;
  if (search->found == search->capacity) {
    drop(search);
    if (search->found == search->capacity) return false;
  }
  uint32_t row = tree->rows[position];
  search->candidates[search->found++] = (BoxTreeCandidate){squared, row};
  if (narrow(search, sqrtf(squared) + uncertainty) && search->wanted == 1) {
    // The record is probably not cached: loading it overlaps with the rest of the search.
    box_tree_prefetch(tree, row);
  }
  return true;
}

// Searches a leaf, its nearest point first.
INLINE bool visit_leaf(Search *search, size_t position, bool filtered) {
  const BoxTreeLeaf *leaf = &search->tree->leaves[position];
  Floats values = points(search, leaf, search->tree->points - 8 * position);
  unsigned lanes = within(values, search->limit);
  if (lanes == 0) return true;
  float squares[8];
  memcpy(squares, &values, sizeof squares);
  // The diagonal of the box around the possible positions of a point.
  float uncertainty = 2 * 1.7320508f * blur(leaf);
  unsigned lane = least(values);
  do {
    if (squares[lane] <= search->limit
        && (!filtered || search->tree->rows[8 * position + lane] < search->end)
        && !add(search, 8 * position + lane, squares[lane], uncertainty)) return false;
    lanes &= ~(1u << lane);
    lane = (unsigned)__builtin_ctz(lanes | 256);
  } while (lanes != 0);
  return true;
}

typedef struct {
  float square;
  uint32_t level, position;
} Pending;

typedef struct {
  // The number of leaves, then that of the nodes of each level up to the root.
  size_t counts[MAXIMUM_HEIGHT + 1];
  // The first node of each level, from the one above the leaves on.
  const BoxTreeNode *nodes[MAXIMUM_HEIGHT];
  // The lowest rows below the first leaf, then below the first node of each level.
  const uint32_t *lowest[MAXIMUM_HEIGHT + 1];
  unsigned height;
} Levels;

INLINE Levels levels_of(const BoxTreeParts *tree) {
  Levels levels;
  const BoxTreeNode *nodes = tree->nodes;
  size_t count = (tree->points + 7) / 8;
  unsigned height = 0;
  levels.counts[0] = count;
  levels.lowest[0] = tree->lowestInLeaves;
  do {
    count = (count + 7) / 8;
    levels.nodes[height++] = nodes;
    levels.counts[height] = count;
    levels.lowest[height] = tree->lowestInNodes + (nodes - tree->nodes);
    nodes += count;
  } while (count > 1);
  levels.height = height;
  return levels;
}

// Marks the lanes of children without a point of interest.
INLINE Floats promising(
  Floats values, const Search *search, const uint32_t *lowest, size_t used
) {
  if (__builtin_expect(used >= 8, 1)) {
    Rows rows;
    memcpy(&rows, lowest, sizeof rows);
    return rows < (Rows)search->end ? values : (Floats)UNUSED;
  }
  for (size_t lane = 0; lane < used; lane++) {
    if (lowest[lane] >= search->end) values[lane] = UNUSED;
  }
  return values;
}

// The squares of the distances to the children of a node, which are on the level below.
INLINE Floats children(
  const Search *search, const Levels *levels, unsigned level, size_t position, bool filtered
) {
  size_t used = levels->counts[level] - 8 * position;
  Floats squares = boxes(search, &levels->nodes[level][position], used);
  return filtered ? promising(squares, search, levels->lowest[level] + 8 * position, used) : squares;
}

// Puts the children of a node that are still of interest on the stack, the nearest on top.
INLINE size_t push(
  Pending *stack, size_t count, const Floats *values, unsigned lanes, uint32_t level,
  uint32_t first
) {
  size_t start = count;
  const float *squares = (const float *)values;
  for (; lanes != 0; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    size_t slot = count++;
    for (; slot > start && stack[slot - 1].square < squares[lane]; slot--) {
      stack[slot] = stack[slot - 1];
    }
    stack[slot] = (Pending){squares[lane], level, first + lane};
  }
  return count;
}

// Starts to load all children of a node while the node itself is being loaded, on the two lowest
// levels, which do not fit in the innermost caches. Past the end of a level this has no effect.
INLINE void fetch_children(
  const BoxTreeParts *tree, const Levels *levels, unsigned level, size_t position
) {
  if (level == 1) {
    const char *nodes = (const char *)levels->nodes[0] + position * 8 * sizeof(BoxTreeNode);
    for (size_t line = 0; line < 512; line += 64) __builtin_prefetch(nodes + line);
  } else if (level == 0) {
    const char *leaves = (const char *)tree->leaves + position * 8 * sizeof(BoxTreeLeaf);
    const char *rows = (const char *)tree->rows + position * 64 * sizeof(uint32_t);
    for (size_t line = 0; line < 512; line += 64) __builtin_prefetch(leaves + line);
    for (size_t line = 0; line < 256; line += 64) __builtin_prefetch(rows + line);
  }
}

// `filtered` is known to the compiler, so a search among all points does not read their rows.
INLINE ptrdiff_t search_tree(Search *search, bool filtered) {
  Levels levels = levels_of(search->tree);
  // Down to the leaf that is probably nearest, which lowers the limit for all others.
  Floats values[MAXIMUM_HEIGHT];
  size_t position = 0;
  for (unsigned level = levels.height; level-- > 0;) {
    fetch_children(search->tree, &levels, level, position);
    values[level] = children(search, &levels, level, position, filtered);
    position = 8 * position + least(values[level]);
  }
  if (!visit_leaf(search, position, filtered)) return -1;
  // Up again, into the siblings on the path that are still of interest.
  Pending stack[STACK];
  for (unsigned level = 0; level < levels.height; level++) {
    unsigned lanes = within(values[level], search->limit) & ~(1u << (position & 7));
    position /= 8;
    size_t count = push(stack, 0, &values[level], lanes, level, (uint32_t)(8 * position));
    while (count > 0) {
      Pending pending = stack[--count];
      if (pending.square > search->limit) continue;
      if (pending.level == 0) {
        if (!visit_leaf(search, pending.position, filtered)) return -1;
        continue;
      }
      unsigned below = pending.level - 1;
      Floats squares = children(search, &levels, below, pending.position, filtered);
      count = push(
        stack, count, &squares, within(squares, search->limit), below, 8 * pending.position);
    }
  }
  drop(search);
  return (ptrdiff_t)search->found;
}

INLINE ptrdiff_t candidates_of(
  const BoxTreeParts *tree, float x, float y, float z, size_t wanted, double limit,
  uint32_t end, float *lengths, BoxTreeCandidate *candidates, size_t capacity
) {
  Search search = {
    .tree = tree, .x = x, .y = y, .z = z, .limit = square(limit), .lengths = lengths,
    .wanted = wanted, .candidates = candidates, .capacity = capacity, .end = end,
  };
  return end < tree->points ? search_tree(&search, true) : search_tree(&search, false);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static ptrdiff_t wide_candidates(
  const BoxTreeParts *tree, float x, float y, float z, size_t wanted, double limit,
  uint32_t end, float *lengths, BoxTreeCandidate *candidates, size_t capacity
) {
  return candidates_of(tree, x, y, z, wanted, limit, end, lengths, candidates, capacity);
}
#endif

ptrdiff_t box_tree_candidates(
  const BoxTreeParts *tree, float x, float y, float z, size_t wanted, double limit,
  uint32_t end, float *lengths, BoxTreeCandidate *candidates, size_t capacity
) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return wide_candidates(tree, x, y, z, wanted, limit, end, lengths, candidates, capacity);
  }
#endif
  return candidates_of(tree, x, y, z, wanted, limit, end, lengths, candidates, capacity);
}
