/** The lists of the protocol: the same for everyone until the service starts again. */
export interface Lists {
  readonly tools: readonly unknown[];
  readonly prompts: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
}

const members: ReadonlyMap<unknown, keyof Lists> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]);

/**
 * Writes the lists once. What it returns puts the one that `method` asks for in the place of the empty one that the library answered with:
 * all tools are some hundred kilobytes, and to copy, check and write them takes milliseconds each time.
 */
export function writeLists(lists: Lists): (method: unknown, answer: string) => string {
  const written = new Map(
    [...members].map(([method, member]) => [
      method,
      { empty: `"${member}":[]`, whole: `"${member}":${JSON.stringify(lists[member])}` },
    ]),
  );
  return (method, answer) => {
    const list = written.get(method);
    // In what the caller sent, its id, quotes are escaped: this is the member of the result.
    return list ? answer.replace(list.empty, () => list.whole) : answer;
  };
}
