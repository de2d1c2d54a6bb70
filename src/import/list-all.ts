import type { Client } from '../../client/src/calls/client.ts';
import type { ImportedMessage } from './import-service.ts';

const PAGE_SIZE = 100;

/** Reads all items of a list, a page at a time. */
export async function* listAll<Item>(
  list: (query: { readonly offset: number; readonly limit: number }) => Promise<readonly Item[]>,
): AsyncGenerator<Item> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const items = await list({ offset, limit: PAGE_SIZE });
    yield* items;
    if (items.length < PAGE_SIZE) return;
  }
}

/**
 * Reads the messages of a thread that agents of this import wrote, in order. Others are skipped.
 */
export async function* listOwnMessages(
  reader: Client,
  threadId: string,
  isOurs: (agentId: string) => boolean,
): AsyncGenerator<ImportedMessage, undefined> {
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Awaited<ReturnType<typeof reader.listMessages>> = await reader.listMessages({
      params: { id: threadId },
      query: { offset, limit: PAGE_SIZE },
    });
    yield* page.messages.filter(({ authorId }) => isOurs(authorId));
    offset = page.nextOffset;
  }
  return undefined;
}
