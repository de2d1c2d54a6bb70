interface Use {
  count: number;
  name: string | undefined;
}

/** A text is worth a name when it is one of so many statements. */
const SHARE = 400;
/** After so many statements all counts are halved, so that they tell of the last while. */
const WINDOW = 20_000;

/**
 * Creates what decides which statements are prepared, under which name. A connection keeps what it
 * prepared, some ten kilobytes each, so a caller that asks for all combinations of the filters of a
 * list must not make names: a text has one as long as it is a fair share of what is sent, which
 * only few texts can be at once.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const uses = new Map<string, Use>();
  let total = 0;
  let names = 0;

  function forgetHalf(): void {
    total = 0;
    for (const [text, use] of uses) {
      use.count = Math.floor(use.count / 2);
      total += use.count;
      if (use.count === 0) uses.delete(text);
    }
  }

  return (text) => {
    const use = uses.get(text) ?? { count: 0, name: undefined };
    use.count += 1;
    total += 1;
    uses.set(text, use);
    if (total >= WINDOW) forgetHalf();
    if (use.count < 2 || use.count * SHARE < total) return undefined;
    use.name ??= `s${names++}`;
    return use.name;
  };
}
