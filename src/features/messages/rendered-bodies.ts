import { LRUCache } from 'lru-cache';
import type { Html } from '../../kernel/html/html.ts';
import { rendered } from '../../kernel/html/markdown-to-html.ts';
import type { Message } from './schemas.ts';

const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Bodies as HTML by the ids of their messages: a body never changes but to nothing, and who may read it is decided before, for every read. */
const bodies = new LRUCache<string, Html>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: ({ text }) => text.length,
});

/** The body of a message that is not deleted. */
export function bodyOf({ id, body, mentions }: Message): Html {
  const made = bodies.get(id) ?? rendered(body, mentions);
  bodies.set(id, made);
  return made;
}
