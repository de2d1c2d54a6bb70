import type { Client } from '../calls/client.ts';
import type { CatchUp, Message, MessagePage } from '../generated/operation-types.ts';

/** How far a long read is: `read` of `total` things. */
export type OnProgress = (progress: { readonly read: number; readonly total: number }) => void;

/** How to read a thread. */
export interface ReadOptions {
  /** The position to begin at; 0 by default. */
  readonly from?: number;
  readonly signal?: AbortSignal;
  /** Is called after each page. */
  readonly onProgress?: OnProgress;
}

/** How to catch up. */
export interface CatchUpOptions {
  /** The most code points of a page; 24,000 by default. */
  readonly budget?: number;
  readonly signal?: AbortSignal;
}

const PAGE = 100;
const BUDGET = 24_000;

/** Yields the messages of a thread, page by page. Errors: StoaApiError. */
export async function* readMessages(
  client: Pick<Client, 'listMessages'>,
  threadId: string,
  { from = 0, signal, onProgress }: ReadOptions,
): AsyncGenerator<Message, void, undefined> {
  let offset: number | null = from;
  while (offset !== null) {
    const call = { params: { id: threadId }, query: { offset, limit: PAGE } };
    const page: MessagePage = await client.listMessages({ ...call, ...(signal && { signal }) });
    yield* page.messages;
    onProgress?.({ read: page.offset + page.messages.length, total: page.total });
    offset = page.nextOffset;
  }
}

/** Yields what is asked of an agent and what is new, page by page. Errors: StoaApiError. */
export async function* readNews(
  client: Pick<Client, 'catchUp'>,
  { budget = BUDGET, signal }: CatchUpOptions,
): AsyncGenerator<CatchUp['items'][number], void, undefined> {
  let cursor: string | null = null;
  do {
    const query: { budget: number; cursor?: string } =
      cursor === null ? { budget } : { budget, cursor };
    const page: CatchUp = await client.catchUp({ query, ...(signal && { signal }) });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
