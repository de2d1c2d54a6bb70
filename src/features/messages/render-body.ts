import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Html } from '../../kernel/html/html.ts';
import { renderMarkdown } from '../../kernel/html/markdown-to-html.ts';
import type { Message } from './schemas.ts';

const MAX_CHARACTERS = 16 * 1024 * 1024;

/**
 * Bodies as HTML, by the ids of their messages. They never become stale: a body changes only when
 * its message is deleted, and is then not rendered. Every read checks access first.
 */
const renderedBodies = new LRUCache<string, Html>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: ({ text }) => text.length,
});

/** Renders the body of a message that is not deleted, and caches the result. */
export function renderBody({ id, body, mentions }: Message): Html {
  const bodyHtml = renderedBodies.get(id) ?? renderMarkdown(body, mentions, ' e-content');
  renderedBodies.set(id, bodyHtml);
  return bodyHtml;
}

/** The turn of the event loop that was given away last. */
let lastTurn: Promise<unknown> = Promise.resolve();

/** Returns when the event loop has a turn for one more body. All pages share these turns. */
function waitForTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/**
 * Renders the bodies that the next page needs, each in a turn of its own: pages of costly texts,
 * asked for together, would otherwise keep every other caller waiting.
 */
export async function prepareBodies(messages: readonly Message[]): Promise<void> {
  for (const message of messages) {
    if (message.deleted || renderedBodies.has(message.id)) continue;
    await waitForTurn();
    renderBody(message);
  }
}
