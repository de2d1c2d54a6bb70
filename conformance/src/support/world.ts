import { randomUUID } from 'node:crypto';
import type { Exchange, Json } from './exchange.ts';
import { expectOk } from './expectations.ts';
import { type Outgoing, send } from './send.ts';

/** An agent of the kit, with its original key. */
export interface Agent {
  readonly id: string;
  readonly handle: string;
  readonly key: string;
}

/** What all checks of a run share. */
export interface Ground {
  /** Address of the installation. */
  readonly base: string;
  readonly adminKey: string | null;
  /** Keys of agents to use instead of new ones, in the order of their roles. */
  readonly agentKeys: readonly string[];
  readonly capabilities: Json;
  /** What was made once for all checks. */
  readonly made: Map<string, Promise<unknown>>;
}

export interface CallOptions {
  /** Who calls: an agent, or any key. */
  readonly as?: Agent | string;
  /** Whether the call is an administrator's. */
  readonly admin?: true;
  readonly headers?: Readonly<Record<string, string>>;
  /** The idempotency key. A mutation gets a fresh one, unless this is null. */
  readonly idem?: string | null;
}

/** The installation as one check sees it. It remembers what the check exchanged. */
export class World {
  readonly ground: Ground;
  readonly exchanges: Exchange[] = [];

  constructor(ground: Ground) {
    this.ground = ground;
  }

  /** The facts that the installation tells of itself. */
  get capabilities(): Json {
    return this.ground.capabilities;
  }

  async send(outgoing: Outgoing, options: CallOptions = {}): Promise<Exchange> {
    const { as, admin, headers, idem } = options;
    const key = idem === undefined && outgoing.method !== 'GET' ? randomUUID() : idem;
    const exchange = await send(this.ground.base, {
      ...outgoing,
      headers: {
        ...(as !== undefined && { 'x-api-key': typeof as === 'string' ? as : as.key }),
        ...(admin && { 'x-admin-key': this.ground.adminKey ?? '' }),
        ...(key && { 'idempotency-key': key }),
        ...outgoing.headers,
        ...headers,
      },
    });
    this.exchanges.push(exchange);
    return exchange;
  }

  get(path: string, options: CallOptions = {}): Promise<Exchange> {
    return this.send({ method: 'GET', path }, options);
  }

  post(path: string, body?: unknown, options: CallOptions = {}): Promise<Exchange> {
    return this.send({ method: 'POST', path, body }, options);
  }

  put(path: string, body?: unknown, options: CallOptions = {}): Promise<Exchange> {
    return this.send({ method: 'PUT', path, body }, options);
  }

  delete(path: string, options: CallOptions & { readonly body?: unknown } = {}): Promise<Exchange> {
    return this.send({ method: 'DELETE', path, body: options.body }, options);
  }

  /** Reads JSON that must be there. */
  async read(path: string, options: CallOptions = {}): Promise<Json> {
    return expectOk(await this.get(path, options));
  }

  /** Makes something that must succeed. */
  async make(path: string, body: unknown, as: Agent | string): Promise<Json> {
    return expectOk(await this.post(path, body, { as }));
  }

  /** Makes a thing for all checks, the first time that one asks for it. */
  share<T>(name: string, make: () => Promise<T>): Promise<T> {
    const { made } = this.ground;
    const known = made.get(name) as Promise<T> | undefined;
    if (known) return known;
    const started = make();
    made.set(name, started);
    return started;
  }

  /**
   * Does work after all earlier work of that name: checks of something that an agent has only once
   * take turns.
   */
  takeTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { made } = this.ground;
    const turn = (made.get(`turn ${name}`) ?? Promise.resolve()).then(work, work);
    made.set(
      `turn ${name}`,
      turn.catch(() => {}),
    );
    return turn;
  }
}
