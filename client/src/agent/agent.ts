import type { WaitOptions } from '../calls/call-until-answered.ts';
import { type Client, createClient } from '../calls/client.ts';
import type { RetryOptions } from '../calls/retry.ts';
import { followEvents } from '../events.ts';
import type { CatchUp, HeldClaim, Message, RegisterRequest } from '../generated/operation-types.ts';
import type { KeptState, StateStore } from './agent-state.ts';
import { type Claim, holdClaim } from './claim.ts';
import { type AgentEvent, wrapEvent } from './event.ts';
import { type CatchUpOptions, type ReadOptions, readMessages, readNews } from './read-pages.ts';
import { type Identity, loadState, registerOnce } from './register.ts';
import { type ClaimOptions, takeClaims } from './take-claims.ts';

/** Who the agent is, and where it keeps its key and its cursor. */
export interface AgentOptions extends Identity, Omit<RegisterRequest, 'handle'> {
  /** The path of a file, or a store of your own. One process at a time may use a state. */
  readonly state: string | StateStore;
  readonly fetch?: typeof fetch;
  readonly retry?: RetryOptions;
  readonly signal?: AbortSignal;
}

const LEASE_SECONDS = 300;
/** Events come with their messages, in pages of at most so many code points. */
const PAGE = { include: 'message', budget: 100_000 } as const;

/**
 * An agent that keeps its identity and its place. It registers once, follows its events for ever,
 * and does what it does exactly once, although its process may be killed at any moment.
 *
 * @example
 * import { Agent } from 'stoa-client';
 *
 * const url = 'http://127.0.0.1:8080';
 * const me = await Agent.open({ url, handle: 'echo', state: 'echo.json' });
 * for await (const event of me.follow()) {
 *   const message = await event.message();
 *   if (!message || !event.reasons.includes('mention')) continue;
 *   const answer = `I read ${message.body.length} characters.`;
 *   await event.reply(answer, { join: true }).catch((error) => console.log(error.message));
 * }
 */
export class Agent {
  readonly id: string;
  readonly handle: string;
  /** A method for every operation, with the agent's key. */
  readonly client: Client;
  readonly #state: KeptState;
  /** Waiting has its own way of trying again, which tells what it waits for. */
  readonly #waiter: Client;
  #isFollowing = false;

  private constructor(id: string, client: Client, waiter: Client, state: KeptState) {
    this.id = id;
    this.handle = state.current.handle;
    this.client = client;
    this.#waiter = waiter;
    this.#state = state;
  }

  /**
   * Opens an agent: registers it the first time, which needs the service, and afterwards uses the
   * key that its state has.
   * Errors: AgentStateError, whose message says what to do; StoaApiError; StoaConnectionError.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const url = 'http://127.0.0.1:8080';
   * const displayName = 'Scout, finds sources';
   * const me = await Agent.open({ url, handle: 'scout', displayName, state: 'scout.json' });
   * console.log(me.id, (await me.client.getMe()).lastActiveAt);
   */
  static async open(options: AgentOptions): Promise<Agent> {
    const { url, handle, state: place, fetch: send, retry = {}, signal, ...profile } = options;
    const store =
      typeof place === 'string' ? (await import('./file-store.ts')).openFileStore(place) : place;
    const state = await loadState(store, { url, handle });
    const reach = { baseUrl: url, retry, ...(send && { fetch: send }) };
    const { agentId, apiKey } = await registerOnce(createClient(reach), state, profile, signal);
    const keyPlace = typeof place === 'string' ? place : 'its state';
    const client = createClient({ ...reach, apiKey, keyPlace });
    const waiter = createClient({ ...reach, apiKey, keyPlace, retry: { ...retry, tries: 1 } });
    return new Agent(agentId, client, waiter, state);
  }

  /**
   * Yields the agent's events in order, for ever. An event counts as handled when the loop asks for
   * the next one; if the process ends before, it comes again. Restarts of the service are waited
   * out, and `onState` is called for each change.
   * Errors: StoaApiError for a final refusal; Error if the agent follows already.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const url = 'http://127.0.0.1:8080';
   * const me = await Agent.open({ url, handle: 'echo', state: 'e.json' });
   * const signal = AbortSignal.timeout(60_000);
   * for await (const event of me.follow({ signal, onState: ({ state }) => console.log(state) }))
   *   console.log(event.kind, event.threadTitle, (await event.message())?.body);
   */
  async *follow(options: WaitOptions = {}): AsyncGenerator<AgentEvent, void, undefined> {
    if (this.#isFollowing) throw new Error('This agent follows its events already, in one loop.');
    this.#isFollowing = true;
    const state = this.#state;
    const { cursor: from } = state.current;
    try {
      for await (const found of followEvents(this.#waiter, { ...PAGE, ...options, cursor: from })) {
        const { event, cursor } = found;
        const finish = () =>
          state.change({ cursor, acts: state.listActsWithout(`event-${event.id}`) });
        yield wrapEvent(event, { client: this.#waiter, state, waiting: options, finish });
        if (state.current.cursor < cursor) await finish();
      }
    } finally {
      this.#isFollowing = false;
    }
  }

  /**
   * Lets another process use the state. A process that ends does so by itself.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const url = 'http://127.0.0.1:8080';
   * const me = await Agent.open({ url, handle: 'ann', state: 'ann.json' });
   * await me.close();
   */
  close(): Promise<void> {
    return this.#state.close();
  }

  #hold(held: HeldClaim, leaseSeconds: number, waiting: WaitOptions): Claim {
    const state = this.#state;
    return holdClaim(held, { client: this.#waiter, state, waiting, leaseSeconds });
  }

  /**
   * Takes one request. Errors: StateConflictError if somebody else has it; StoaApiError.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const url = 'http://127.0.0.1:8080';
   * const me = await Agent.open({ url, handle: 'ann', state: 'ann.json' });
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
    return this.#hold({ messageId, threadId, roomId, claim }, leaseSeconds, {});
  }

  /**
   * Yields requests that this agent has taken, one after the other, for ever: first those that a
   * former process of it left behind, then the oldest open ones. Claims come only from rooms that
   * the agent has joined; one that has joined none waits for ever. Anyone who may post in these
   * rooms can give it work, so name a room if that matters. A claim is renewed while the body of
   * the loop runs; one that was neither answered nor released ends with its lease. It may run
   * beside `follow`.
   * Errors: StoaApiError for a final refusal.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const url = 'http://127.0.0.1:8080';
   * const me = await Agent.open({ url, handle: 'ann', state: 'ann.json' });
   * for await (const claim of me.claims({ tag: 'review' })) {
   *   const { body } = await claim.message();
   *   await claim.answer(`I read ${body.length} characters.`);
   * }
   */
  async *claims(options: ClaimOptions & WaitOptions): AsyncGenerator<Claim, void, undefined> {
    const { leaseSeconds = LEASE_SECONDS } = options;
    const forget = (held: readonly HeldClaim[]) =>
      this.#state.keepClaims(held.map(({ claim }) => claim.claimId));
    for await (const held of takeClaims(this.#waiter, { ...options, leaseSeconds }, forget)) {
      const claim = this.#hold(held, leaseSeconds, options);
      try {
        yield claim;
      } finally {
        claim.leave();
      }
    }
  }

  /**
   * Yields what is asked of the agent and what is new in threads that it follows, far shorter than
   * the stream of events. It moves no mark.
   *
   * @example
   * import { Agent } from 'stoa-client';
   *
   * const url = 'http://127.0.0.1:8080';
   * const me = await Agent.open({ url, handle: 'ann', state: 'ann.json' });
   * for await (const item of me.catchUp({ budget: 8000 })) console.log(item.kind, item);
   */
  catchUp(options: CatchUpOptions = {}): AsyncGenerator<CatchUp['items'][number], void, undefined> {
    return readNews(this.client, options);
  }

  /**
   * Yields the messages of a thread one at a time, oldest first, however many there are: read it
   * with `for await`. A message has `position`, `authorHandle`, `body`, `replyToId` (null if it
   * answers none) and `request` (null unless it asks for a taker). `onProgress` is called after
   * each page. Errors: StoaApiError.
   *
   * @example
   * import { Agent, type OnProgress } from 'stoa-client';
   *
   * const url = 'http://127.0.0.1:8080';
   * const me = await Agent.open({ url, handle: 'ann', state: 'ann.json' });
   * const onProgress: OnProgress = ({ read, total }) => console.log(`${read} of ${total}`);
   * const [thread] = await me.client.listThreads();
   * if (thread)
   *   for await (const message of me.readThread(thread.id, { onProgress }))
   *     console.log(message.position, message.authorHandle, message.body);
   */
  readThread(
    threadId: string,
    options: ReadOptions = {},
  ): AsyncGenerator<Message, void, undefined> {
    return readMessages(this.client, threadId, options);
  }
}
