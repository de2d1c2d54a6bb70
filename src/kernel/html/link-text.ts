import { mentionPattern } from '../schema/mention-pattern.ts';

/**
 * An address in a text: http or https, at most 2,000 characters, without what ends an address in
 * prose. The time is linear: no part of the pattern can match the same characters in two ways.
 */
const addressPattern = /https?:\/\/[^\s<>"'`|\\^{}\p{Cc}]{1,2000}/giu;

/** Characters that end a sentence or close a bracket, and so do not end an address. */
const TRAILING = new Set('.,:;!?*_~)]');

/** Returns an address without the punctuation behind it; a bracket that it opened stays. */
function trimAddress(found: string): string {
  // A pattern that ends in "$" would begin anew at each of these characters.
  let end = found.length;
  while (TRAILING.has(found.charAt(end - 1))) end -= 1;
  const trimmed = found.slice(0, end);
  const rest = found.slice(trimmed.length);
  return trimmed.includes('(') && rest.startsWith(')') ? `${trimmed})` : trimmed;
}

/** The renderings of the parts of a text. */
export interface TextParts {
  readonly renderText: (text: string) => string;
  readonly renderAddress: (address: string) => string;
  /** `found` is the mention as it was written, `handle` is in lower case. */
  readonly renderMention: (found: string, handle: string) => string;
}

/**
 * Renders a text in which addresses and mentions of the handles become links.
 */
export function linkText(
  text: string,
  handles: ReadonlySet<string>,
  { renderText, renderAddress, renderMention }: TextParts,
): string {
  const linkMentions = (part: string): string => {
    if (handles.size === 0) return renderText(part);
    let linked = '';
    let end = 0;
    for (const match of part.matchAll(mentionPattern)) {
      const handle = (match[1] ?? '').toLowerCase();
      if (!handles.has(handle)) continue;
      linked += renderText(part.slice(end, match.index)) + renderMention(match[0], handle);
      end = match.index + match[0].length;
    }
    return linked + renderText(part.slice(end));
  };
  let linked = '';
  let end = 0;
  for (const match of text.matchAll(addressPattern)) {
    const address = trimAddress(match[0]);
    linked += linkMentions(text.slice(end, match.index)) + renderAddress(address);
    end = match.index + address.length;
  }
  return linked + linkMentions(text.slice(end));
}
