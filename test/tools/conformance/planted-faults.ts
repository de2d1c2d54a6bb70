import { randomUUID } from 'node:crypto';
import type { Json } from '../../support/factories.ts';
import { type Answered, type Asked, editJson, editText, type Misbehavior } from './faulty-proxy.ts';

/** A way not to conform, and the section that says so. */
export interface PlantedFault extends Misbehavior {
  readonly name: string;
  readonly source: string;
  /** The areas that are run to find it. */
  readonly only: readonly string[];
}

/** Drops a header of every response. */
const drop =
  (name: string, where: RegExp = /./) =>
  (answered: Answered, { path }: Asked): void => {
    if (where.test(path)) delete answered.headers[name];
  };

/** Changes the JSON of the successful responses to some requests. */
const change =
  (method: string, where: RegExp, edit: (body: Json) => void) =>
  (answered: Answered, asked: Asked): void => {
    if (asked.method === method && where.test(asked.path) && answered.status === 200)
      editJson(answered, edit);
  };

/** Removes every member that is null. */
const removeNulls = (value: Json): void => {
  if (value === null || typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) {
    if (member === null && !Array.isArray(value)) delete value[name];
    else removeNulls(member);
  }
};

const ROOM = /^\/api\/v1\/rooms\/[0-9a-f-]{36}$/;
const MESSAGE = /^\/api\/v1\/messages\/[0-9a-f-]{36}$/;
const RECEIPT = /^\/e\/.*\.json$/;

export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'members that are null are left out',
    source: 'core 1',
    only: ['json'],
    onResponse: change('GET', ROOM, removeNulls),
  },
  {
    name: 'times have no milliseconds',
    source: 'core 1',
    only: ['json'],
    onResponse: (answered) => {
      if (/json/.test(answered.headers['content-type'] ?? ''))
        editText(answered, (text) => text.replace(/(T\d\d:\d\d:\d\d)\.\d{3}Z/g, '$1Z'));
    },
  },
  {
    name: 'no ETag',
    source: 'core 1',
    only: ['http'],
    onResponse: drop('etag'),
  },
  {
    name: "the caller's request id is not used",
    source: 'core 1',
    only: ['http'],
    onResponse: ({ headers }) => {
      headers['x-request-id'] = randomUUID();
    },
  },
  {
    name: 'no X-Content-Trust',
    source: 'core 1',
    only: ['http'],
    onResponse: drop('x-content-trust'),
  },
  {
    name: 'any origin reads everything',
    source: 'core 1',
    only: ['http'],
    onResponse: ({ headers }) => {
      headers['access-control-allow-origin'] = '*';
    },
  },
  {
    name: 'private content may be kept by caches',
    source: 'core 1',
    only: ['http'],
    onResponse: ({ headers }) => {
      headers['cache-control'] = 'public, max-age=60';
    },
  },
  {
    name: 'no Link to the next page',
    source: 'core 1',
    only: ['lists'],
    onResponse: drop('link'),
  },
  {
    name: 'no Retry-After',
    source: 'core 1',
    only: ['webhooks.retry-after'],
    onResponse: drop('retry-after'),
  },
  {
    name: 'another code',
    source: 'core 2',
    only: ['errors'],
    onResponse: (answered) => {
      if (answered.status === 404)
        editJson(answered, (problem) => {
          problem.code = 'missing';
        });
    },
  },
  {
    name: 'errors do not point to the fault',
    source: 'core 2',
    only: ['errors'],
    onResponse: (answered) => {
      if (answered.status === 400) editJson(answered, (problem) => delete problem.errors);
    },
  },
  {
    name: 'no WWW-Authenticate',
    source: 'spec: Endpoints',
    only: ['endpoints'],
    onResponse: drop('www-authenticate'),
  },
  {
    name: 'no Allow',
    source: 'core 2',
    only: ['errors'],
    onResponse: drop('allow'),
  },
  {
    name: 'an invalid key reads as if it were none',
    source: 'core 2',
    only: ['errors'],
    onRequest: ({ method, path, headers }) => {
      if (method === 'GET' && path === '/api/v1/rooms') delete headers['x-api-key'];
    },
  },
  {
    name: 'a hidden thing is told from one that does not exist',
    source: 'core 2',
    only: ['errors'],
    onResponse: (answered, { path }) => {
      if (answered.status === 404 && !path.includes('01936f4e'))
        answered.headers['x-room'] = 'hidden';
    },
  },
  {
    name: 'no Idempotency-Replayed',
    source: 'core 3',
    only: ['idempotency'],
    onResponse: drop('idempotency-replayed'),
  },
  {
    name: 'a repeated call is made again',
    source: 'core 3',
    only: ['idempotency'],
    onRequest: ({ headers }) => {
      if (headers['idempotency-key']) headers['idempotency-key'] = randomUUID();
    },
  },
  {
    name: 'a private room is found',
    source: 'core 5',
    only: ['rooms'],
    onResponse: (answered, { method, path }) => {
      if (method !== 'GET' || !ROOM.test(path) || answered.status !== 404) return;
      answered.status = 200;
      editJson(answered, (room) => Object.assign(room, { visibility: 'private', role: null }));
    },
  },
  {
    name: 'a byte of a body is changed',
    source: 'core 6',
    only: ['text'],
    onResponse: change('GET', MESSAGE, (message) => {
      message.body = message.body.replace(/ $|\n$|.$/u, '.');
    }),
  },
  {
    name: 'positions begin at 1',
    source: 'core 6',
    only: ['messages'],
    onResponse: change('GET', /\/messages(\?|$)/, ({ messages }) => {
      for (const message of messages) message.position += 1;
    }),
  },
  {
    name: 'files without nosniff',
    source: 'core 6',
    only: ['files'],
    onResponse: drop('x-content-type-options', /^\/api\/v1\/files\//),
  },
  {
    name: 'two events are swapped',
    source: 'core 7',
    only: ['events'],
    onResponse: change('GET', /^\/api\/v1\/events\?/, ({ events }) => events.reverse()),
  },
  {
    name: 'the last event of a page is lost',
    source: 'core 7',
    only: ['events'],
    onResponse: change('GET', /^\/api\/v1\/events\?/, ({ events }) => events.pop()),
  },
  {
    name: 'a receipt is signed by nobody',
    source: 'core 8',
    only: ['receipts'],
    onResponse: change('GET', RECEIPT, ({ receipt }) => {
      const [header, payload] = receipt.jws.split('.');
      receipt.jws = `${header}.${payload}.${'A'.repeat(86)}`;
    }),
  },
  {
    name: 'a proof that leads elsewhere',
    source: 'docs/receipts.md: The log',
    only: ['receipts'],
    onResponse: change('GET', RECEIPT, ({ log }) => {
      if (log) log.index += 1;
    }),
  },
  {
    name: 'a guest reads another value',
    source: 'core 9',
    only: ['guest-context'],
    onResponse: change('GET', /^\/api\/v1\/guest-context\/\w/, (entry) => {
      entry.value = [entry.value];
    }),
  },
  {
    name: 'everyone sees the fence of a claim',
    source: 'core 13',
    only: ['claims'],
    onResponse: change('GET', MESSAGE, ({ request }) => {
      if (request?.claim) request.claim.fence = 1;
    }),
  },
  {
    name: 'too many tools are listed',
    source: 'core 14',
    only: ['tools'],
    onResponse: change('POST', /^\/mcp$/, ({ result }) => {
      if (result?.tools) result.tools.push(...result.tools);
    }),
  },
  {
    name: 'words of others have no fence',
    source: 'core 14',
    only: ['tools'],
    onResponse: change('POST', /^\/mcp$/, ({ result }) => {
      for (const part of result?.content ?? [])
        part.text = part.text?.replace(/<\/?untrusted-\w+>/g, '');
    }),
  },
  {
    name: 'a wrong version is accepted',
    source: 'cap 1',
    only: ['interactions'],
    onResponse: (answered) => {
      if (answered.status === 409) answered.status = 200;
    },
  },
];
