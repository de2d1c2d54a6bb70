/** Returns the median of numbers; 0 when there are none. */
export const findMedian = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
