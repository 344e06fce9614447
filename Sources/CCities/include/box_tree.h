#ifndef BOX_TREE_H
#define BOX_TREE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef uint8_t BoxTreeBytes __attribute__((ext_vector_type(8)));
typedef uint16_t BoxTreeShorts __attribute__((ext_vector_type(8)));

/// Eight points of a box tree, in one cache line.
///
/// A coordinate is `origin + scale * step`, give or take half a step.
typedef struct {
  float originX, originY, originZ;
  /// The meters of a step, more than 0.
  float scale;
  BoxTreeShorts x, y, z;
} BoxTreeLeaf;

/// The boxes of the eight children of a node, in one cache line.
///
/// The position of a side is `origin + scale * step`.
typedef struct {
  float originX, originY, originZ;
  /// The meters of a step, more than 0.
  float scale;
  BoxTreeBytes minX, minY, minZ, maxX, maxY, maxZ;
} BoxTreeNode;

/// The addresses of the parts of a box tree.
typedef struct {
  const BoxTreeNode *_Nullable nodes;
  const BoxTreeLeaf *_Nullable leaves;
  /// The row of each point.
  const uint32_t *_Nullable rows;
  /// The lowest row in each leaf.
  const uint32_t *_Nullable lowestInLeaves;
  /// The lowest row below each node.
  const uint32_t *_Nullable lowestInNodes;
  /// The number of points, 1 to 2²⁸.
  size_t points;
  /// The first of the records, which are in the order of rows.
  const void *_Nullable records;
  /// The distance in bytes from one record to the next.
  size_t stride;
} BoxTreeParts;

/// A point that may be one of the nearest.
typedef struct {
  /// The square of the shortest possible chord.
  float square;
  uint32_t row;
} BoxTreeCandidate;

/// Lists all points that may be among the nearest by geodesic, in no particular order.
///
/// - Parameters:
///   - x, y, z: the position in meters, within half a meter.
///   - wanted: the number of nearest points, at least 1.
///   - limit: the longest chord of interest in meters.
///   - end: the row from which on points are of no interest.
///   - lengths: room for `wanted` numbers.
///   - candidates: room for `capacity` of them.
/// - Returns: the number of candidates, or -1 if there are more than `capacity`; the number of points
///   is always enough.
ptrdiff_t box_tree_candidates(
  const BoxTreeParts *tree, float x, float y, float z, size_t wanted, double limit,
  uint32_t end, float *lengths, BoxTreeCandidate *candidates, size_t capacity);

/// Starts to load the record of a row.
static inline void box_tree_prefetch(const BoxTreeParts *tree, uint32_t row) {
  const char *record = (const char *)tree->records + row * tree->stride;
  __builtin_prefetch(record);
  __builtin_prefetch(record + tree->stride - 1);
}

/// The maximum length in meters of a chord with a geodesic no longer than that of another chord of
/// `chord` meters from the same point.
///
/// Chords of equally long arcs differ because curvature varies by 1 % over the ellipsoid: by
/// x² / 4.5 of that, relatively, where x is the chord divided by the diameter. This allows twice as
/// much, and 1.2 % where the series no longer holds (geodesics and great circles differ by at most
/// 0.6 %). The last terms cover rounding.
static inline double box_tree_reach(double chord) {
  double x = chord * (1.0 / 12713000);
  double bend = x < 0.35 ? 0.005 * x * x : 0.012;
  return chord * (1 + bend + 4e-6) + 0.1;
}

#pragma clang assume_nonnull end

#endif
