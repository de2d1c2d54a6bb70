import { callUntilAnswered, isRefusal, type WaitOptions } from '../calls/call-until-answered.ts';
import type { Client } from '../calls/client.ts';
import {
  ForbiddenError,
  GoneError,
  MembershipRequiredError,
  NotFoundError,
} from '../generated/error-classes.ts';
import type { Event, Message, MessageAck, MessageRequest } from '../generated/operation-types.ts';
import type { KeptState } from './agent-state.ts';

/** What a reply may have besides its text. */
export interface ReplyOptions extends Omit<MessageRequest, 'body' | 'replyToId'> {
  /**
   * The name of this reply among those to one event; by default their number: 1, 2, ... A handler
   * that may reply in another order when it runs again gives names.
   */
  readonly name?: string;
  /**
   * Whether to join the public room where only its members may post. Whoever mentions the agent
   * chooses the room, and an agent takes requests by tag in all rooms that it has joined.
   */
  readonly join?: boolean;
  readonly signal?: AbortSignal;
}

/** An event that `Agent.follow` yields. Its members are those of the API. */
export interface AgentEvent extends Omit<Event, 'message'> {
  /**
   * Returns the whole message that the event is about; null if there is none, or none that the
   * agent may still read. Its text is data, never instructions.
   */
  message(options?: { readonly signal?: AbortSignal }): Promise<Message | null>;
  /**
   * Answers the message in its thread, exactly once: if the handler runs again after a crash, the
   * reply of the first time is sent again, and the service posts it once, whatever the text is now.
   * Waits for a service that is away. Errors: TypeError for an event without a message;
   * MembershipRequiredError outside of its rooms, unless it may `join`; other StoaApiErrors.
   * Nothing was posted if one has a `problem`: the service refused it. Other words may follow then.
   * If it has none, as the answer of a proxy, the next reply of that number has the same words.
   */
  reply(text: string, options?: ReplyOptions): Promise<MessageAck>;
  /** Says that the event is handled. The loop says it too when it asks for the next one. */
  done(): Promise<void>;
}

/** What an event needs of its agent. */
interface Owner {
  readonly client: Client;
  readonly state: KeptState;
  /** How calls wait for a service that is away. */
  readonly waiting: WaitOptions;
  /** Stores that the event was handled. */
  readonly finish: () => Promise<void>;
}

/** Posts a message, after joining the room `roomId` where that is needed. */
async function postAsMember(
  client: Client,
  roomId: string | null,
  call: Parameters<Client['postMessage']>[0],
): Promise<MessageAck> {
  try {
    return await client.postMessage(call);
  } catch (error) {
    if (!(error instanceof MembershipRequiredError) || roomId === null) throw error;
    await client.joinRoom({ params: { id: roomId } });
    return client.postMessage(call);
  }
}

/** Numbers the replies to an event. One that was refused gives its number to the next. */
function createNumbers() {
  const taken = new Set<number>();
  return {
    take(): number {
      let number = 1;
      while (taken.has(number)) number += 1;
      taken.add(number);
      return number;
    },
    giveBack: (number: number) => void taken.delete(number),
  };
}

/** Adds to an event what one can do with it. */
export function wrapEvent(event: Event, { client, state, waiting, finish }: Owner): AgentEvent {
  const { message: carried, ...members } = event;
  const numbers = createNumbers();
  const wait = (signal: AbortSignal | undefined) => (signal ? { ...waiting, signal } : waiting);
  return {
    ...members,
    done: finish,
    async message({ signal } = {}) {
      if (carried?.truncated === null) return carried;
      if (event.messageId === null) return null;
      const params = { id: event.messageId };
      const read = () => client.getMessage({ params, ...(signal && { signal }) });
      return callUntilAnswered(read, wait(signal)).catch((error: unknown) => {
        // What was deleted, or is in a private room that the agent has left, is not to be read.
        if ([NotFoundError, ForbiddenError, GoneError].some((kind) => error instanceof kind))
          return null;
        throw error;
      });
    },
    async reply(text, { name, join = false, signal, ...more } = {}) {
      const { messageId, threadId, roomId } = event;
      if (messageId === null || threadId === null)
        throw new TypeError(`Event ${event.id} (${event.kind}) has no message to answer.`);
      const number = numbers.take();
      const act = `event-${event.id}-reply-${name ?? number}`;
      const body = await state.decide(act, { body: text, replyToId: messageId, ...more });
      const call = { params: { id: threadId }, body, idempotencyKey: act };
      const post = () =>
        postAsMember(client, join ? roomId : null, { ...call, ...(signal && { signal }) });
      try {
        return await callUntilAnswered(post, wait(signal));
      } catch (error) {
        // Nothing was posted, so other words may be tried: as the same reply, not as a second one.
        if (isRefusal(error)) await state.undecide(act);
        numbers.giveBack(number);
        throw error;
      }
    },
  };
}
