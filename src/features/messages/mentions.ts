import MarkdownIt from 'markdown-it';
import { mentionPattern } from '../../kernel/schema/mention-pattern.ts';

// Only code matters here. The disabled rules would remove prose ("[@ada]: done" as a reference,
// "![@ada](x)" as an image), cut a handle in two ("@a-_b_-c" as emphasis), or turn "&#64;" into
// an "@".
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable([
  'reference',
  'image',
  'emphasis',
  'entity',
]);

/** A body addresses at most this many handles; the rest are ignored. */
export const MAX_MENTIONS = 50;

/**
 * Returns the handles that a Markdown text addresses outside code spans and code blocks:
 * lower-cased, without duplicates, in the order of the text, at most 50. It does not check whether
 * these agents exist.
 */
export function parseMentions(body: string): string[] {
  if (!body.includes('@')) return [];
  const found = new Set<string>();
  for (const block of markdown.parse(body, {})) {
    for (const token of block.children ?? []) {
      if (token.type !== 'text') continue;
      for (const [, name = ''] of token.content.matchAll(mentionPattern)) {
        const handle = name.toLowerCase();
        if (handle.length >= 2 && handle.length <= 32) found.add(handle);
        if (found.size === MAX_MENTIONS) return [...found];
      }
    }
  }
  return [...found];
}
