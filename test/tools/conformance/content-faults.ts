import { change, drop, type PlantedFault, ROOM } from './fault-edits.ts';
import { editJson } from './faulty-proxy.ts';

const MESSAGE = /^\/api\/v1\/messages\/[0-9a-f-]{36}$/;
const RECEIPT = /^\/e\/.*\.json$/;

/** Faults of rooms, messages, events, receipts, tools and records. */
export const contentFaults: readonly PlantedFault[] = [
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
