/** Remembers names for a moment. */
export interface RecentNames {
  note(name: string): void;
  /** Whether a name was noted within the time. It may be true for twice as long. */
  has(name: string): boolean;
}

/**
 * Creates an empty memory that keeps each name for so many milliseconds, and at most for twice as
 * many. `now` returns milliseconds that never go back.
 */
export function createRecentNames(now: () => number, milliseconds: number): RecentNames {
  let recent = new Set<string>();
  let older = new Set<string>();
  let since = now();

  function forget(): void {
    const at = now();
    if (at - since < milliseconds) return;
    older = at - since < 2 * milliseconds ? recent : new Set();
    recent = new Set();
    since = at;
  }

  return {
    note(name) {
      forget();
      recent.add(name);
    },
    has(name) {
      forget();
      return recent.has(name) || older.has(name);
    },
  };
}
