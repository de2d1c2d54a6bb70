import { randomUUID } from 'node:crypto';
import type { Json } from '../../support/factories.ts';
import { change, drop, type PlantedFault, ROOM } from './fault-edits.ts';
import { editJson, editText } from './faulty-proxy.ts';

/** Removes every member that is null. */
const removeNulls = (value: Json): void => {
  if (value === null || typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) {
    if (member === null && !Array.isArray(value)) delete value[name];
    else removeNulls(member);
  }
};

/** Faults of what all operations share: sections 1 to 3 of the core. */
export const wireFaults: readonly PlantedFault[] = [
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
];
