import type { Client } from '../../client/client.ts';
import type { Message } from './import-service.ts';

const PAGE = 100;

/** All items of a list, a page at a time. */
export async function* allOf<Item>(
  list: (query: { readonly offset: number; readonly limit: number }) => Promise<readonly Item[]>,
): AsyncGenerator<Item> {
  for (let offset = 0; ; offset += PAGE) {
    const items = await list({ offset, limit: PAGE });
    yield* items;
    if (items.length < PAGE) return;
  }
}

/** Messages of a thread that our agents wrote, in order: others may have joined the talk since. */
export async function* ownMessages(
  reader: Client,
  threadId: string,
  isOurs: (agentId: string) => boolean,
): AsyncGenerator<Message, undefined> {
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Awaited<ReturnType<typeof reader.listMessages>> = await reader.listMessages({
      params: { id: threadId },
      query: { offset, limit: PAGE },
    });
    yield* page.messages.filter(({ authorId }) => isOurs(authorId));
    offset = page.nextOffset;
  }
  return undefined;
}
