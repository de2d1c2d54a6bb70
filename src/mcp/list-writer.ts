import { LRUCache } from 'lru-cache';
import type { ToolOffer } from '../kernel/pipeline/tool-protocol.ts';

/** The lists of the protocol. They are the same for everyone until the service restarts. */
export interface Lists {
  readonly tools: (offer: ToolOffer) => readonly unknown[];
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
 * Lists that are kept at once. A header can ask for hundreds of combinations, which took 80 MiB
 * together, and clients use a few.
 */
const KEPT_LISTS = 24;

/**
 * Identifies what a client has chosen. The order of sets does not matter: a list has none. All
 * tools are the same list, whatever else was chosen.
 */
function toKey({ sets, readOnly, output }: ToolOffer): string {
  const names = sets?.includes('all') ? ['all'] : [...new Set(sets ?? ['default'])].sort();
  return `${names.join()} ${readOnly} ${output}`;
}

/**
 * Serializes each list once. Returns a function that replaces the empty list in the library's
 * answer to `method` with the real one. All tools are some hundred kilobytes, and the library would
 * take milliseconds to copy, check and serialize them each time.
 */
export function createListWriter(
  lists: Lists,
): (method: unknown, answer: string, offer: ToolOffer) => string {
  const written = new LRUCache<string, string>({ max: KEPT_LISTS });
  const write = (member: keyof Lists, offer: ToolOffer): string => {
    const key = member === 'tools' ? `tools ${toKey(offer)}` : member;
    const known = written.get(key);
    if (known !== undefined) return known;
    const list = member === 'tools' ? lists.tools(offer) : lists[member];
    const text = `"${member}":${JSON.stringify(list)}`;
    written.set(key, text);
    return text;
  };
  return (method, answer, offer) => {
    const member = listMembers.get(method);
    // The answer also quotes the caller's id, but with escaped quotes, so this matches the result.
    return member ? answer.replace(`"${member}":[]`, () => write(member, offer)) : answer;
  };
}
