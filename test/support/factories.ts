import { randomBytes, randomUUID } from 'node:crypto';
import { ADMIN_KEY, type TestApp } from './app.ts';
import { findOpenApiMismatch } from './openapi-mismatch.ts';
import { sendRequest } from './send-request.ts';

export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined for an empty one. */
  readonly body: T;
}

/** A file as it is sent. */
export interface SentFile {
  readonly name: string;
  readonly bytes: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
}

export interface RequestOptions {
  readonly key?: string | undefined;
  readonly admin?: boolean | string;
  /** Key of a guest context. */
  readonly context?: string | undefined;
  readonly idem?: string | false;
  readonly body?: unknown;
  /** Sent as the only field of a form. */
  readonly file?: SentFile;
  /** Sent instead of the JSON form of `body`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type Json = any;

/** A form whose only field is the file. */
export function toFormData({ name, bytes, type = '' }: SentFile): FormData {
  const form = new FormData();
  form.append('file', new File([bytes], name, { type }));
  return form;
}

/**
 * One request over HTTP, as any client would send it. Mutations get a fresh idempotency key unless
 * told otherwise. Every answer is held to what the OpenAPI document says of it.
 */
export async function call(
  url: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<Json>> {
  const { key, admin, context, idem, body, raw, signal } = options;
  const headers: Record<string, string> = {
    ...(key !== undefined && { 'x-api-key': key }),
    ...(context !== undefined && { 'x-context-key': context }),
    ...(admin && { 'x-admin-key': admin === true ? ADMIN_KEY : admin }),
    ...(method !== 'GET' &&
      method !== 'HEAD' &&
      method !== 'OPTIONS' &&
      idem !== false && { 'idempotency-key': idem ?? randomUUID() }),
    ...((body !== undefined || raw !== undefined) && { 'content-type': 'application/json' }),
    ...options.headers,
  };
  const payload =
    raw ??
    (options.file
      ? toFormData(options.file)
      : body === undefined
        ? undefined
        : JSON.stringify(body));
  const response = await sendRequest(url + path, { method, headers, body: payload, signal });
  const { status, headers: received, text } = response;
  const fault = findOpenApiMismatch({ method, path, status, headers: received, text });
  if (fault) throw new Error(fault);
  const json = /[/+]json\b/.test(received.get('content-type') ?? '') && text !== '';
  return { status, headers: received, text, body: json ? JSON.parse(text) : undefined };
}

/** What a refusal looks like, for toMatchObject. */
export const buildProblem = (
  status: number,
  code: string,
  members: Record<string, unknown> = {},
) => ({
  status,
  body: { status, code, ...members },
});

export interface TestAgent {
  readonly id: string;
  readonly handle: string;
  readonly key: string;
}

/** A key of a guest context that nobody used yet. */
export const createContextKey = (): string => randomBytes(32).toString('hex');

let count = 0;
const scopedKeys = new Map<string, string>();

/** Short ways to the situations that tests need, all through the service's own interface. */
export function factories(app: Pick<TestApp, 'url'>) {
  const send = (method: string, path: string, options?: RequestOptions) =>
    call(app.url, method, path, options);

  async function expectOk(method: string, path: string, options?: RequestOptions): Promise<Json> {
    const answer = await send(method, path, options);
    if (answer.status !== 200)
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  async function createAgent(handle = `agent-${++count}`): Promise<TestAgent> {
    const { agent, apiKey } = await expectOk('POST', '/api/v1/agents', { body: { handle } });
    return { id: agent.id, handle, key: apiKey };
  }

  return {
    url: app.url,
    send,
    /** The body of a call that must succeed. */
    ok: expectOk,
    /** How a call ended: "200", or status and code such as "403 forbidden". */
    async sendForOutcome(method: string, path: string, options?: RequestOptions): Promise<string> {
      const { status, body } = await send(method, path, options);
      return status === 200 ? '200' : `${status} ${body?.code}`;
    },
    /** Every page of a list, by its Link headers. Fails when they form a loop. */
    async listPages(path: string, options?: RequestOptions): Promise<Json[][]> {
      const pages: Json[][] = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        if (pages.length > 200) throw new Error(`The list ${path} does not end.`);
        const answer = await send('GET', next, options);
        if (answer.status !== 200)
          throw new Error(`GET ${next} answered ${answer.status}: ${answer.text}`);
        pages.push(answer.body);
        next = /^<([^>]*)>; rel="next"$/
          .exec(answer.headers.get('link') ?? '')?.[1]
          ?.replace(app.url, '');
      }
      return pages;
    },
    createAgent,
    /** Many agents, a few at a time: the service limits how many an address registers at once. */
    async createAgents(total: number): Promise<TestAgent[]> {
      const agents: TestAgent[] = [];
      while (agents.length < total)
        agents.push(
          ...(await runConcurrently(Math.min(16, total - agents.length), () => createAgent())),
        );
      return agents;
    },
    /** Id of a new room. */
    async createRoom(
      owner: TestAgent,
      visibility: 'public' | 'private' = 'public',
      name = 'A room',
    ): Promise<string> {
      return (
        await expectOk('POST', '/api/v1/rooms', { key: owner.key, body: { name, visibility } })
      ).id;
    },
    archiveRoom: (owner: TestAgent, roomId: string, archived = true): Promise<Json> =>
      expectOk('PUT', `/api/v1/rooms/${roomId}`, { key: owner.key, body: { archived } }),
    joinRoom: (agent: TestAgent, roomId: string) =>
      expectOk('POST', `/api/v1/rooms/${roomId}/join`, { key: agent.key }),
    /** Brings an agent into a room by invitation. */
    async addMember(owner: TestAgent, roomId: string, guest: TestAgent): Promise<void> {
      const { token } = await expectOk('POST', `/api/v1/rooms/${roomId}/invitations`, {
        key: owner.key,
      });
      await expectOk('POST', '/api/v1/invitations/accept', { key: guest.key, body: { token } });
    },
    /** Invites an agent by name; the Invitation. */
    inviteByName: (owner: TestAgent, roomId: string, guest: TestAgent): Promise<Json> =>
      expectOk('POST', `/api/v1/rooms/${roomId}/invitations`, {
        key: owner.key,
        body: { agent: guest.id },
      }),
    /** Id of a new thread. */
    async createThread(
      author: TestAgent,
      roomId: string,
      more: Record<string, unknown> = {},
    ): Promise<string> {
      return (
        await expectOk('POST', `/api/v1/rooms/${roomId}/threads`, {
          key: author.key,
          body: { title: 'A thread', body: 'First.', ...more },
        })
      ).id;
    },
    postMessage: (
      author: TestAgent,
      threadId: string,
      body: string,
      more: Record<string, unknown> = {},
    ): Promise<Json> =>
      expectOk('POST', `/api/v1/threads/${threadId}/messages`, {
        key: author.key,
        body: { body, ...more },
      }),
    /** Attaches a file to a message of this agent; the FileRow. */
    attachFile: (
      author: TestAgent,
      messageId: string,
      file: SentFile = { name: 'notes.txt', bytes: 'Some notes.' },
    ): Promise<Json> =>
      expectOk('POST', `/api/v1/messages/${messageId}/files`, { key: author.key, file }),
    /** An administrator's decision about a capability. */
    grantCapability: (
      agent: TestAgent,
      capability: string,
      state: 'active' | 'revoked' = 'active',
    ): Promise<Json> =>
      expectOk('PUT', `/api/v1/admin/agents/${agent.id}/capabilities/${capability}`, {
        admin: true,
        body: { state },
      }),
    /** A further key of an agent. */
    createScopedKey: (
      agent: TestAgent,
      scopes: readonly string[],
      more: Record<string, unknown> = {},
    ): Promise<Json> =>
      expectOk('POST', '/api/v1/me/keys', { key: agent.key, body: { scopes, ...more } }),
    /**
     * The key of an agent for a scope: capability and key are made when first asked for; "forum" is
     * its original key's.
     */
    async getKeyWithScope(agent: TestAgent, scope: string | undefined): Promise<string> {
      if (scope === undefined || scope === 'forum') return agent.key;
      const name = `${agent.id} ${scope}`;
      if (!scopedKeys.has(name)) {
        await expectOk('PUT', `/api/v1/admin/agents/${agent.id}/capabilities/${scope}`, {
          admin: true,
          body: { state: 'active' },
        });
        scopedKeys.set(
          name,
          (
            await expectOk('POST', '/api/v1/me/keys', {
              key: agent.key,
              body: { scopes: [scope] },
            })
          ).apiKey,
        );
      }
      return scopedKeys.get(name) as string;
    },
    listEvents: (agent: TestAgent, cursor = 0): Promise<Json> =>
      expectOk('GET', `/api/v1/events?cursor=${cursor}&limit=500`, { key: agent.key }),
  };
}

/** Runs `count` tasks at once. */
export const runConcurrently = <T>(
  count: number,
  task: (index: number) => Promise<T>,
): Promise<T[]> => Promise.all(Array.from({ length: count }, (_, index) => task(index)));

/** The number of requests that a service never takes for too many, however slow the machine is. */
const FEW = 48;

/** Runs `count` tasks, a few at once, where a slow machine may not refuse any of them. */
export async function runFewAtOnce<T>(
  count: number,
  task: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  await runConcurrently(Math.min(FEW, count), async () => {
    while (next < count) {
      const index = next++;
      results[index] = await task(index);
    }
  });
  return results;
}

/**
 * Turns until a condition holds; fails after a generous while. For what happens in the background.
 */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let tries = 0; tries < 6_000; tries++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`It never happened: ${what}`);
}
