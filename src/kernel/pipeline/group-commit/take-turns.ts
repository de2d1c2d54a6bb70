/**
 * Returns waiting calls in turns: the oldest call of each caller, then the second of each, and so
 * on. The calls of one caller stay in order.
 */
export function takeTurns<Call extends { readonly caller: string }>(
  calls: readonly Call[],
): readonly Call[] {
  const taken = new Map<string, number>();
  return calls
    .map((call) => {
      const turn = taken.get(call.caller) ?? 0;
      taken.set(call.caller, turn + 1);
      return { call, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ call }) => call);
}
