import { LRUCache } from 'lru-cache';
import type { WaitForTurn } from '../../kernel/event-loop-turns.ts';
import type { Html } from '../../kernel/html/html.ts';
import { renderMarkdown } from '../../kernel/html/markdown/markdown-to-html.ts';
import type { Preparing } from '../../kernel/operation/spec.ts';
import { shareTurns } from '../../kernel/share-turns.ts';
import type { Message } from './schemas.ts';

const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;

/**
 * Texts as HTML: bodies by the ids of their messages, outcomes by their threads and texts, so that
 * no page is faster because somebody else's thread has the same one. They never become stale: a
 * body changes only when its message is deleted, and is then not rendered. Every read checks access
 * first.
 */
const renderedTexts = new LRUCache<string, Html>({
  maxSize: MAX_CACHED_CHARACTERS,
  sizeCalculation: ({ text }, key) => text.length + key.length,
});

/**
 * Renders a text in a turn of its own: pages of costly texts, asked for together, would otherwise
 * keep every other caller waiting. Another page may have rendered it before its turn comes.
 */
async function renderOnce(key: string, wait: WaitForTurn, render: () => Html): Promise<Html> {
  const findCached = () => renderedTexts.get(key);
  const cached = findCached();
  if (cached) return cached;
  await wait();
  const rendered = findCached() ?? render();
  renderedTexts.set(key, rendered);
  return rendered;
}

const renderBody = (message: Message, wait: WaitForTurn, baseUrl: string): Promise<Html> =>
  renderOnce(message.id, wait, () =>
    renderMarkdown(message.body, message.mentions, ' e-content', baseUrl),
  );

/** Renders the text of an outcome. No id of a message begins as its key does. */
export const renderOutcomeText = (
  threadId: string,
  text: string,
  { baseUrl, waitForTurn }: Pick<PageRoom, 'baseUrl' | 'waitForTurn'>,
): Promise<Html> =>
  renderOnce(`outcome:${threadId}:${text}`, waitForTurn, () =>
    renderMarkdown(text, [], '', baseUrl),
  );

/**
 * Characters of HTML that the bodies on one page may have. They can have several times as many as
 * the bodies themselves, of which a page of messages has at most 1 MiB.
 */
export const MAX_PAGE_CHARACTERS = 2 * 1024 * 1024;

/**
 * A page with more characters or messages than this is put together in a turn of its own: ten pages
 * of 1,000 messages, one right after the other, kept others waiting for two seconds.
 */
const LARGE_CHARACTERS = 64 * 1024;
const LARGE_COUNT = 100;

/** The messages that fit on a page, and their bodies as HTML. */
export interface PreparedBodies {
  readonly messages: readonly Message[];
  /** By the ids of their messages, without deleted ones. Nothing else is shown of a body. */
  readonly bodies: ReadonlyMap<string, Html>;
}

interface PageRoom extends Preparing {
  /** The address of the service, of which texts link to no other port. */
  readonly baseUrl: string;
  /** The index of a message that must be on the page. Those before it have half of the room. */
  readonly anchor?: number;
  readonly maxCharacters?: number;
  /** Returns the characters of HTML that a message has besides its body. */
  readonly countMore?: (message: Message) => number;
}

/** Bytes that a message takes besides its texts, in memory and as HTML. */
const MESSAGE_BYTES = 1024;

/**
 * Counts the texts that a page was read for. The answer has no less in the end, and the texts are
 * kept while they wait to be rendered. Errors: those of `holdPrepared`.
 */
export const holdBodies = (
  messages: readonly Message[],
  { holdPrepared, countMore = () => 0 }: Pick<PageRoom, 'holdPrepared' | 'countMore'>,
): void =>
  holdPrepared(
    messages.reduce((sum, one) => sum + MESSAGE_BYTES + one.body.length + countMore(one), 0),
  );

/**
 * Renders the bodies that fit on a page. Nothing is rendered after that: the cache may have lost
 * any of them, to pages that are prepared at the same time. Errors: those of `holdPrepared`.
 */
export async function prepareBodies(
  messages: readonly Message[],
  room: PageRoom,
): Promise<PreparedBodies> {
  const { baseUrl, anchor = 0, holdPrepared, waitForTurn } = room;
  const { maxCharacters = MAX_PAGE_CHARACTERS, countMore = () => 0 } = room;
  const bodies = new Map<string, Html>();
  const waitForRoom = shareTurns(waitForTurn);
  let characters = 0;
  const add = async (message: Message | undefined, limit: number): Promise<boolean> => {
    if (!message) return false;
    if (message.deleted) return true;
    const bodyHtml = await renderBody(message, () => waitForRoom(message.body.length), baseUrl);
    // A page has at least one message, so that the next one can begin behind it.
    const added = bodyHtml.text.length + countMore(message);
    if (bodies.size > 0 && characters + added > limit) return false;
    bodies.set(message.id, bodyHtml);
    characters += added;
    holdPrepared(characters);
    return true;
  };
  let from = anchor;
  let to = anchor + 1;
  await add(messages[anchor], maxCharacters);
  while (await add(messages[from - 1], maxCharacters / 2)) from -= 1;
  while (await add(messages[to], maxCharacters)) to += 1;
  if (characters > LARGE_CHARACTERS || to - from > LARGE_COUNT) await waitForTurn();
  return { messages: messages.slice(from, to), bodies };
}
