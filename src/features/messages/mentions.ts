import MarkdownIt from 'markdown-it';

// Only what is code matters. The rules left out would take prose away ("[@ada]: done" as a reference, "![@ada](x)" as an image),
// cut a handle in two ("@a-_b_-c" as emphasis), or make an "@" out of "&#64;".
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable([
  'reference',
  'image',
  'emphasis',
  'entity',
]);

/** Handles beyond this many are not addressed. */
export const MAX_MENTIONS = 50;

/**
 * `@handle` beside any script or punctuation. Only an ASCII letter or digit before the "@", be it with "_" or "-" between
 * them, makes it part of something else: an e-mail address. "_" and "-" at the end belong to the prose.
 * The "@" comes first, and one looks back from there: V8 stops optimizing patterns in a process that has compiled many, and would then look back from every character.
 */
const MENTION = /@(?<![A-Za-z0-9][_-]*@)([A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?)/g;

/**
 * Handles that a Markdown text addresses: outside code spans and code blocks, lower-cased, each once, in the order of the
 * text, at most 50. Whether such agents exist is for others to say.
 */
export function mentionedHandles(body: string): string[] {
  if (!body.includes('@')) return [];
  const found = new Set<string>();
  for (const block of markdown.parse(body, {})) {
    for (const token of block.children ?? []) {
      if (token.type !== 'text') continue;
      for (const [, name = ''] of token.content.matchAll(MENTION)) {
        const handle = name.toLowerCase();
        if (handle.length >= 2 && handle.length <= 32) found.add(handle);
        if (found.size === MAX_MENTIONS) return [...found];
      }
    }
  }
  return [...found];
}
