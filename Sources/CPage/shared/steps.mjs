// @ts-check
// Steps between ascending numbers.

/**
 * The index of the last of ascending numbers that is not above a value; 0 if all are above.
 *
 * @param {ArrayLike<number>} numbers
 * @param {number} value
 */
export function lastAtMost(numbers, value) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/**
 * The step in which ascending numbers reach a value: the indices of its ends, and the share before the value.
 *
 * @param {ArrayLike<number>} numbers
 * @param {number} value
 */
export function stepTo(numbers, value) {
  const point = lastAtMost(numbers, value);
  const next = Math.min(point + 1, numbers.length - 1);
  const length = numbers[next] - numbers[point];
  return { point, next, share: length > 0 ? Math.max(0, Math.min(1, (value - numbers[point]) / length)) : 0 };
}

/**
 * The value where ascending places reach a place; the first or the last value outside of them.
 *
 * @param {number[]} places
 * @param {number[]} values
 * @param {number} place
 */
export function between(places, values, place) {
  const { point, next, share } = stepTo(places, place);
  return values[point] + share * (values[next] - values[point]);
}
