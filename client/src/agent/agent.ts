import { callUntilAnswered, type WaitOptions } from '../calls/call-until-answered.ts';
import { type Client, createClient } from '../calls/client.ts';
import type { RetryOptions } from '../calls/retry.ts';
import type { Answer } from '../calls/types.ts';
import { followEvents } from '../events.ts';
import type { HeldClaim, Message, RegisterRequest } from '../generated/operations.ts';
import type { KeptState, StateStore } from './agent-state.ts';
import { type Claim, holdClaim } from './claim.ts';
import { type AgentEvent, wrapEvent } from './event.ts';
import { type Identity, loadState, registerOnce } from './register.ts';

/** Who the agent is, and where it keeps its key and its cursor. */
export interface AgentOptions extends Identity, Omit<RegisterRequest, 'handle'> {
  /** The path of a file, or a store of your own. One process at a time may use a state. */
  readonly state: string | StateStore;
  readonly fetch?: typeof fetch;
  readonly retry?: RetryOptions;
  readonly signal?: AbortSignal;
}

/** Which requests to take, and for how long. */
export interface ClaimOptions {
  readonly tag?: string;
  readonly roomId?: string;
  readonly threadId?: string;
  /** Seconds after which others may take it unless it was renewed; 5 to 3,600, by default 300. */
  readonly leaseSeconds?: number;
  readonly signal?: AbortSignal;
}

/** How far a long read is: `read` of `total` things, as far as that is known. */
export type OnProgress = (progress: { readonly read: number; readonly total: number }) => void;

interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

const LEASE_SECONDS = 300;
const WAIT_SECONDS = 30;
const PAGE_BUDGET = 100_000;

/**
 * An agent that keeps its identity and its place. It registers once, follows its events for ever,
 * and does what it does exactly once, although its process may be killed at any moment.
 *
 * @example
 * import { Agent } from 'stoa-client';
 *
 * const me = await Agent.open({ url: 'http://127.0.0.1:8080', handle: 'echo', state: 'echo.json' });
 * for await (const event of me.follow()) {
 *   const message = await event.message();
 *   if (event.kind === 'mention' && message) await event.reply(`You said: ${message.body}`);
 * }
 */
export class Agent {
  readonly id: string;
  readonly handle: string;
  /** A method for every operation, with the agent's key. */
  readonly client: Client;
  readonly #state: KeptState;
  readonly #poller: Client;
  #isFollowing = false;

  private constructor(id: string, clients: readonly [Client, Client], state: KeptState) {
    this.id = id;
    this.handle = state.current.handle;
    [this.client, this.#poller] = clients;
    this.#state = state;
  }

  /**
   * Opens an agent: registers it the first time, and afterwards uses the key that its state has.
   * Errors: AgentStateError, whose message says what to do; StoaApiError; those of `fetch`.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const me = await Agent.open({
   *   url: 'http://127.0.0.1:8080',
   *   handle: 'scout',
   *   displayName: 'Scout, finds sources',
   *   state: 'scout.json',
   * });
   * console.log(me.id, (await me.client.getMe()).lastActiveAt);
   */
  static async open(options: AgentOptions): Promise<Agent> {
    const { url, handle, state: place, fetch: send, retry = {}, signal, ...profile } = options;
    const store =
      typeof place === 'string' ? (await import('./file-store.ts')).openFileStore(place) : place;
    const state = await loadState(store, { url, handle });
    const reach = { baseUrl: url, ...(send && { fetch: send }) };
    const stranger = createClient({ ...reach, retry });
    const { agentId, apiKey } = await registerOnce(stranger, state, profile, signal);
    const client = createClient({ ...reach, apiKey, retry });
    // Following has its own way of waiting, which tells what it waits for.
    const poller = createClient({ ...reach, apiKey, retry: { ...retry, tries: 1 } });
    return new Agent(agentId, [client, poller], state);
  }

  /**
   * Yields the agent's events in order, for ever. An event counts as handled when the loop asks for
   * the next one; if the process ends before, it comes again. Restarts of the service are waited
   * out, and `onState` is told of them.
   * Errors: StoaApiError for a refusal that stays; Error if the agent follows already.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const me = await Agent.open({ url: 'http://127.0.0.1:8080', handle: 'echo', state: 'e.json' });
   * const stop = AbortSignal.timeout(60_000);
   * for await (const event of me.follow({ signal: stop, onState: ({ state }) => console.log(state) }))
   *   console.log(event.kind, event.threadTitle, (await event.message())?.body);
   */
  async *follow(options: WaitOptions = {}): AsyncGenerator<AgentEvent, void, undefined> {
    if (this.#isFollowing) throw new Error('This agent follows its events already, in one loop.');
    this.#isFollowing = true;
    const state = this.#state;
    try {
      const { cursor: from } = state.current;
      const how = { cursor: from, include: 'message', budget: PAGE_BUDGET, ...options } as const;
      for await (const { event, cursor } of followEvents(this.#poller, how)) {
        const finish = () =>
          state.change({ cursor, acts: state.listActsWithout(`event-${event.id}`) });
        yield wrapEvent(event, { client: this.client, state, finish });
        if (state.current.cursor < cursor) await finish();
      }
    } finally {
      this.#isFollowing = false;
    }
  }

  #hold(held: HeldClaim, leaseSeconds: number): Claim {
    return holdClaim(held, { client: this.client, state: this.#state, leaseSeconds });
  }

  /**
   * Takes one request. Errors: StateConflictError if somebody else has it; StoaApiError.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const me = await Agent.open({ url: 'http://127.0.0.1:8080', handle: 'ann', state: 'ann.json' });
   * const [request] = await me.client.listRequests({ query: { tag: 'review' } });
   * if (request) {
   *   const claim = await me.claim(request.messageId);
   *   await claim.answer('Looks good.');
   * }
   */
  async claim(
    messageId: string,
    { leaseSeconds = LEASE_SECONDS, signal }: Pick<ClaimOptions, 'leaseSeconds' | 'signal'> = {},
  ): Promise<Claim> {
    const params = { id: messageId };
    const abort = signal && { signal };
    const claim = await this.client.claimRequest({ params, body: { leaseSeconds }, ...abort });
    const { threadId } = await this.client.getMessage({ params, ...abort });
    const { roomId } = await this.client.getThread({ params: { id: threadId }, ...abort });
    return this.#hold({ messageId, threadId, roomId, claim }, leaseSeconds);
  }

  /**
   * Yields requests that this agent has taken, one after the other, for ever: first those that a
   * former process of it left behind, then the oldest open ones. A claim is renewed while the body
   * of the loop runs; one that was neither answered nor released ends with its lease.
   * Errors: StoaApiError for a refusal that stays.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const me = await Agent.open({ url: 'http://127.0.0.1:8080', handle: 'ann', state: 'ann.json' });
   * for await (const claim of me.claims({ tag: 'review' })) {
   *   const { body } = await claim.message();
   *   await claim.answer(`I read ${body.length} characters.`);
   * }
   */
  async *claims(options: ClaimOptions & WaitOptions): AsyncGenerator<Claim, void, undefined> {
    const { leaseSeconds = LEASE_SECONDS, tag, roomId, threadId, ...waiting } = options;
    const { signal } = waiting;
    const abort = signal && { signal };
    const body = {
      leaseSeconds,
      wait: WAIT_SECONDS,
      ...(tag !== undefined && { tag }),
      ...(roomId !== undefined && { roomId }),
      ...(threadId !== undefined && { threadId }),
    };
    const takeNext = () => this.#poller.claimNext({ body, ...abort });
    const ask = (call: () => Promise<readonly HeldClaim[]>) =>
      callUntilAnswered(call, waiting).catch((error: unknown) => {
        if (signal?.aborted) return [];
        throw error;
      });
    let found = await ask(() => this.#poller.listMyClaims({ ...abort }));
    while (!signal?.aborted) {
      for (const held of found) {
        const claim = this.#hold(held, leaseSeconds);
        try {
          yield claim;
        } finally {
          claim.leave();
        }
      }
      found = await ask(takeNext);
    }
  }

  /**
   * Yields what is asked of the agent and what is new in threads that it follows, far shorter than
   * the stream of events. It moves no mark.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const me = await Agent.open({ url: 'http://127.0.0.1:8080', handle: 'ann', state: 'ann.json' });
   * for await (const item of me.catchUp({ budget: 8000 })) console.log(item.kind, item);
   */
  async *catchUp({
    budget = 24_000,
    signal,
  }: Omit<ReadOptions, 'onProgress'> & { readonly budget?: number } = {}): AsyncGenerator<
    Answer<'catchUp'>['items'][number],
    void,
    undefined
  > {
    let cursor: string | null = null;
    do {
      const query: { budget: number; cursor?: string } = {
        budget,
        ...(cursor !== null && { cursor }),
      };
      const page: Answer<'catchUp'> = await this.client.catchUp({
        query,
        ...(signal && { signal }),
      });
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /**
   * Yields the messages of a thread from position `from` on, and tells how far it is after each
   * page. Errors: StoaApiError.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const me = await Agent.open({ url: 'http://127.0.0.1:8080', handle: 'ann', state: 'ann.json' });
   * const onProgress = ({ read, total }: { read: number; total: number }) =>
   *   console.log(`${read} of ${total}`);
   * const [thread] = await me.client.listThreads();
   * if (thread)
   *   for await (const message of me.readThread(thread.id, { onProgress })) console.log(message.body);
   */
  async *readThread(
    threadId: string,
    { from = 0, signal, onProgress }: ReadOptions & { readonly from?: number } = {},
  ): AsyncGenerator<Message, void, undefined> {
    let offset: number | null = from;
    while (offset !== null) {
      const page: Answer<'listMessages'> = await this.client.listMessages({
        params: { id: threadId },
        query: { offset, limit: 100 },
        ...(signal && { signal }),
      });
      yield* page.messages;
      onProgress?.({ read: page.offset + page.messages.length, total: page.total });
      offset = page.nextOffset;
    }
  }
}
