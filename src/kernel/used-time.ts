/** How long something was used by callers lately. */
export interface UsedTime {
  /** Adds milliseconds that a caller used just now. */
  add(caller: string, milliseconds: number): void;
  /** Returns the milliseconds of a caller, of which half is forgotten every ten seconds. */
  get(caller: string): number;
}

const HALF_LIFE_MS = 10_000;
/** So many callers are remembered; whoever used it longest ago is forgotten first. */
const MAX_CALLERS = 10_000;

/** Creates a memory that knows nobody. */
export function createUsedTime(now: () => number): UsedTime {
  const known = new Map<string, { readonly milliseconds: number; readonly at: number }>();
  const get = (caller: string): number => {
    const last = known.get(caller);
    return last ? last.milliseconds * 2 ** ((last.at - now()) / HALF_LIFE_MS) : 0;
  };
  return {
    get,
    add(caller, milliseconds) {
      const sum = get(caller) + milliseconds;
      known.delete(caller);
      known.set(caller, { milliseconds: sum, at: now() });
      if (known.size <= MAX_CALLERS) return;
      const [oldest] = known.keys();
      known.delete(oldest as string);
    },
  };
}
