/** The lists of the protocol. They are the same for everyone until the service restarts. */
export interface Lists {
  readonly tools: readonly unknown[];
  readonly prompts: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
}

const listMembers: ReadonlyMap<unknown, keyof Lists> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]);

/**
 * Serializes the lists once. Returns a function that replaces the empty list in the library's
 * answer to `method` with the real one. All tools are some hundred kilobytes, and the library would
 * take milliseconds to copy, check and serialize them each time.
 */
export function createListWriter(lists: Lists): (method: unknown, answer: string) => string {
  const written = new Map(
    [...listMembers].map(([method, member]) => [
      method,
      { empty: `"${member}":[]`, whole: `"${member}":${JSON.stringify(lists[member])}` },
    ]),
  );
  return (method, answer) => {
    const list = written.get(method);
    // The answer also quotes the caller's id, but with escaped quotes, so this matches the result.
    return list ? answer.replace(list.empty, () => list.whole) : answer;
  };
}
