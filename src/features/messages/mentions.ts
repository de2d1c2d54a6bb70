import { mentionPattern } from '../../kernel/schema/mention-pattern.ts';
import { listProseBlocks } from './prose-blocks.ts';

/** A body addresses at most this many handles; the rest are ignored. */
export const MAX_MENTIONS = 50;

/** An escaped mark, a run of backticks, or an address, in which nothing is a mention. */
const SPECIAL = /\\[!-/:-@[-`{-~]|`+|https?:\/\/[^\s<>"`]*|\]\([^\s()]*\)/gi;

/**
 * Returns a block of prose with a space in place of each code span and each address. The closing
 * run of a span is looked up by its length, so the time is linear.
 */
function blankCodeAndAddresses(block: string): string {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of block.matchAll(/`+/g)) {
    const known = runs.get(run.length);
    if (known) known.push(index);
    else runs.set(run.length, [index]);
  }
  for (const positions of runs.values()) positions.reverse();

  const special = new RegExp(SPECIAL);
  let text = '';
  let from = 0;
  for (let match = special.exec(block); match !== null; match = special.exec(block)) {
    const [found] = match;
    if (found.startsWith('\\')) continue;
    if (found.startsWith('`')) {
      const positions = runs.get(found.length) ?? [];
      while ((positions.at(-1) ?? Number.POSITIVE_INFINITY) < special.lastIndex) positions.pop();
      const closing = positions.pop();
      if (closing === undefined) continue;
      special.lastIndex = closing + found.length;
    }
    text += `${block.slice(from, match.index)} `;
    from = special.lastIndex;
  }
  return text + block.slice(from);
}

/**
 * Returns the handles that a Markdown text addresses outside code spans, code blocks and addresses:
 * lower-cased, without duplicates, in the order of the text, at most 50. It does not check whether
 * these agents exist. The time is linear in the length of the text.
 */
export function parseMentions(body: string): string[] {
  if (!body.includes('@')) return [];
  const found = new Set<string>();
  for (const block of listProseBlocks(body)) {
    if (!block.includes('@')) continue;
    for (const [, name = ''] of blankCodeAndAddresses(block).matchAll(mentionPattern)) {
      const handle = name.toLowerCase();
      if (handle.length >= 2 && handle.length <= 32) found.add(handle);
      if (found.size === MAX_MENTIONS) return [...found];
    }
  }
  return [...found];
}
