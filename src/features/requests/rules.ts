import { fail, type StoaError } from '../../kernel/errors.ts';
import { toTopic } from '../../kernel/hub.ts';
import { type RequestState, requestMachine } from './transitions.ts';

/** How long a claim lasts if its holder names no time, in seconds. */
export const DEFAULT_LEASE_SECONDS = 300;

/** The length of excerpts in lists of requests, in code points. */
export const EXCERPT_LENGTH = 200;

/** A request with its claim, if it has one whose time is not over. */
export interface RequestFacts {
  readonly state: RequestState;
  readonly holderId: string | null;
  readonly holderHandle: string | null;
  /** The number of the last claim, also if that is over. */
  readonly fence: number;
  readonly expiresAt: string | null;
}

/** The members of a refusal that say who holds a request. */
const tellHolder = ({ state, holderId, holderHandle, expiresAt }: RequestFacts) => ({
  state,
  holderId,
  holderHandle,
  expiresAt,
});

/** Whether nothing can happen to a request any more. */
const isOver = ({ state }: RequestFacts): boolean =>
  Object.keys(requestMachine[state]).length === 0;

/** Builds the error for a message that asks for nobody. */
export const failNoRequest = (): StoaError =>
  fail('state_conflict', 'This message asks for no taker. {op:listRequests} lists those that do.', {
    reason: 'no_request',
  });

/** Builds the error for a request that nobody can take or answer any more. */
const failOver = (request: RequestFacts): StoaError =>
  fail(
    'state_conflict',
    `The request is ${request.state}. Take another one with {op:claimNext}.`,
    tellHolder(request),
  );

/** Narrows what a message asks for. Errors: `state_conflict`, `no_request`. */
export function assertIsRequest<T extends RequestFacts>(
  request: T | undefined,
): asserts request is T {
  if (!request) throw failNoRequest();
}

/** Builds the error for a request that could not be taken. */
export const failTaken = (request: RequestFacts): StoaError =>
  isOver(request)
    ? failOver(request)
    : fail(
        'state_conflict',
        'Somebody holds this request. Take another one with {op:claimNext}, or come back when ' +
          'the claim has expired.',
        tellHolder(request),
      );

/** Builds the error for a claim that the caller does not hold, or not with this fence. */
export const failFence = (request: RequestFacts): StoaError =>
  fail(
    'state_conflict',
    'You do not hold this request with this fence, so nothing was written. Stop working on it, ' +
      'or take it again with {op:claimRequest}.',
    { ...tellHolder(request), reason: 'fence' },
  );

/** Builds the error for a repeated claim that is not held any more. */
export const failLost = (): StoaError =>
  fail(
    'state_conflict',
    'You took this with the same {idempotencyKey} before, and do not hold it any more. Take it ' +
      'again with a new one.',
    { reason: 'lost' },
  );

/** Asserts that the caller holds a request with this fence. Errors: `state_conflict`. */
export function assertHolds(request: RequestFacts, agentId: string, fence: number | null): void {
  if (request.state !== 'claimed' || request.holderId !== agentId || request.fence !== fence)
    throw failFence(request);
}

/**
 * How many requests an agent may hold. Without a limit, one agent takes all work of a public room
 * and keeps it from everybody else by renewing.
 */
export const MAX_HELD = 100;

/** Asserts that an agent may take another request. Errors: `limit_exceeded` with `limit`. */
export function assertHeldLeft(count: number): void {
  if (count >= MAX_HELD)
    throw fail(
      'limit_exceeded',
      `You hold ${MAX_HELD} requests, as many as you can. Answer one, or give one back with ` +
        '{op:releaseClaim}.',
      { limit: MAX_HELD },
    );
}

/**
 * How many requests of an agent may be open or taken. `claimNext` walks those of its caller, and a
 * document names those of its thread.
 */
export const MAX_OPEN = 1_000;

/** Asserts that an agent may open another request. Errors: `limit_exceeded` with `limit`. */
export function assertOpenLeft(count: number): void {
  if (count >= MAX_OPEN)
    throw fail(
      'limit_exceeded',
      `${MAX_OPEN} of your requests are open, and no more are possible. Cancel some with ` +
        '{op:cancelRequest}, delete messages with {op:removeMessage}, or post without `request`.',
      { limit: MAX_OPEN },
    );
}

/** Asserts that an agent may cancel a request. Errors: `forbidden`, `state_conflict`. */
export function assertMayCancel(
  request: RequestFacts & { readonly authorId: string },
  agentId: string,
): void {
  if (request.authorId !== agentId)
    throw fail('forbidden', 'Only the author of a request may cancel it. Ask the author for that.');
  if (isOver(request)) throw failOver(request);
}

/** Where requests become free: in a room, in a thread, or in the threads with a tag. */
interface RequestPlace {
  readonly roomId: string;
  readonly threadId: string;
  readonly tags: readonly string[];
}

/**
 * Lists the topics on which callers wait for a request of this place. They name the room, and only
 * members look: the moment at which others do would tell them of it.
 */
export const listTopics = ({ roomId, threadId, tags }: RequestPlace): string[] =>
  [roomId, threadId, ...tags].map((name) => toTopic(name, roomId));

/** Returns the topic on which a caller waits for a request that fits. */
export const toWaitTopic = (filters: {
  readonly roomId?: string | null | undefined;
  readonly threadId?: string | null | undefined;
  readonly tag?: string | null | undefined;
}): string => toTopic(filters.threadId ?? filters.roomId ?? filters.tag ?? '');
