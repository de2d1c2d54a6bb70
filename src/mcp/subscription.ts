import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { StreamOperation } from '../kernel/operation/stream-operation.ts';
import { EVENTS_URI } from './mcp-resources.ts';

/**
 * Converts a piece of the stream to updates of resources: each event updates the stream and the
 * thread that it is about.
 */
function toServerEvents(piece: string): ServerEvent[] {
  return [...piece.matchAll(/^data: (.+)$/gm)].flatMap(([, data = '{}']) => {
    const { threadId } = JSON.parse(data) as { readonly threadId?: string | null };
    const uris = [EVENTS_URI, ...(threadId ? [`stoa://threads/${threadId}`] : [])];
    return uris.map((uri) => ({ kind: 'resource_updated' as const, uri }));
  });
}

/**
 * Creates the event bus of one agent for a subscription of the protocol. It reads the first piece
 * of the stream now, so nothing is lost before the first listener. Each step of the stream checks
 * again that the caller may read it. The next one follows when `waitUntilTaken` says that the
 * listener has taken what the one before it wrote. When the stream ends or is refused, `onEnd` is
 * called. Errors: those of the first step.
 */
export async function createEventBus(
  stream: AsyncIterable<string | Buffer>,
  waitUntilTaken: () => Promise<void>,
  onEnd: () => void,
): Promise<ServerEventBus> {
  const pieces = stream[Symbol.asyncIterator]();
  const first = await pieces.next();
  const listeners = new Set<(event: ServerEvent) => void>();
  const publish = (event: ServerEvent) => {
    for (const listener of listeners) listener(event);
  };
  const runStream = async () => {
    try {
      for (let piece = first; !piece.done; piece = await pieces.next()) {
        toServerEvents(String(piece.value)).forEach(publish);
        await waitUntilTaken();
      }
    } catch {
      // A stream that the caller may no longer read just ends. The caller learns why with its next
      // call.
    }
    onEnd();
  };
  return {
    publish,
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) void runStream();
      return () => listeners.delete(listener);
    },
  };
}

/** Whether an operation is the stream of an agent's events. */
export const isEventStream = (operation: {
  readonly name: string;
  readonly kind: string;
}): operation is StreamOperation =>
  operation.kind === 'stream' && operation.name === 'streamEvents';
