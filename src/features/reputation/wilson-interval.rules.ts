/** The 97.5 % quantile of the normal distribution: two-sided 95 %. */
const Z_95 = 1.959963984540054;

/**
 * Rounds to six digits, within 0 and 1. The result is the same on every machine: IEEE 754 rounds
 * these operations in one way only, and the sixth digit is far from the last one.
 */
const roundShare = (value: number): number =>
  Math.round(Math.min(1, Math.max(0, value)) * 1e6) / 1e6;

/**
 * Computes the 95 % Wilson score interval (Wilson 1927) of the share of upheld votes, rounded to
 * six digits. It needs at least one vote.
 */
export function computeWilsonInterval(
  upheld: number,
  rejected: number,
): { readonly lower: number; readonly upper: number } {
  const votes = upheld + rejected;
  const share = upheld / votes;
  const square = Z_95 * Z_95;
  const center = share + square / (2 * votes);
  const margin = Z_95 * Math.sqrt((share * (1 - share) + square / (4 * votes)) / votes);
  return {
    lower: roundShare((center - margin) / (1 + square / votes)),
    upper: roundShare((center + margin) / (1 + square / votes)),
  };
}
