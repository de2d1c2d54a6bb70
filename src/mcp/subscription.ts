import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { StreamOperation } from '../kernel/operation/stream-operation.ts';
import { EVENTS } from './mcp-resources.ts';

/** What an event of the stream says that has changed: the stream itself, and the thread that it is about. */
function changesOf(piece: string): ServerEvent[] {
  return [...piece.matchAll(/^data: (.+)$/gm)].flatMap(([, data = '{}']) => {
    const { threadId } = JSON.parse(data) as { readonly threadId?: string | null };
    const uris = [EVENTS, ...(threadId ? [`stoa://threads/${threadId}`] : [])];
    return uris.map((uri) => ({ kind: 'resource_updated' as const, uri }));
  });
}

/**
 * The stream of one agent's events as what the protocol's subscription listens to. It has begun, so that nothing is lost between now and
 * the first listener, and runs while somebody listens; every step of it asks again whether the caller may. When it ends, by itself or
 * refused, `ended` is told. Errors: those of its first step.
 */
export async function eventBus(
  stream: AsyncIterable<string>,
  ended: () => void,
): Promise<ServerEventBus> {
  const pieces = stream[Symbol.asyncIterator]();
  const first = await pieces.next();
  const listeners = new Set<(event: ServerEvent) => void>();
  const publish = (event: ServerEvent) => {
    for (const listener of listeners) listener(event);
  };
  const run = async () => {
    try {
      for (let piece = first; !piece.done; piece = await pieces.next())
        changesOf(piece.value).forEach(publish);
    } catch {
      // What the caller may not hear any more ends as what is over: it learns why with its next call.
    }
    ended();
  };
  return {
    publish,
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) void run();
      return () => listeners.delete(listener);
    },
  };
}

export const isEventStream = (operation: {
  readonly name: string;
  readonly kind: string;
}): operation is StreamOperation =>
  operation.kind === 'stream' && operation.name === 'streamEvents';
