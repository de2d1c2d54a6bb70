import { buildArea, type CheckNeeds, check } from '../check.ts';
import { getAgent, getFullKey, revokeKey } from '../support/agents.ts';
import type { Exchange } from '../support/exchange.ts';
import { expectOk, expectProblem } from '../support/expectations.ts';
import { createContextKey } from '../support/guest.ts';
import { getRoom, startThread } from '../support/rooms.ts';
import type { World } from '../support/world.ts';

/*
 * What a field may hold: the longest value is accepted, and one more is refused with a pointer to
 * the field.
 */

interface Field {
  readonly sentence: string;
  readonly pointer: string;
  readonly fits: readonly unknown[];
  readonly refused: readonly unknown[];
  readonly send: (world: World, value: unknown) => Promise<Exchange>;
  readonly needs?: CheckNeeds;
}

const letters = (count: number): string => 'x'.repeat(count);
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `t${at}`);

const putProfile = (member: string) => async (w: World, value: unknown) =>
  w.put('/api/v1/me', { [member]: value }, { as: await getAgent(w, 'spare') });

const createRoom = (member: string) => async (w: World, value: unknown) =>
  w.post('/api/v1/rooms', { name: 'Kit', [member]: value }, { as: await getAgent(w, 'owner') });

const createThread = (member: string) => async (w: World, value: unknown) => {
  const { id, owner } = await getRoom(w, 'public');
  const body = { title: 'Kit', body: 'x', [member]: value };
  return w.post(`/api/v1/rooms/${id}/threads`, body, { as: owner });
};

const createKey = (member: string) => async (w: World, value: unknown) => {
  const as = await getAgent(w, 'spare');
  const answer = await w.post('/api/v1/me/keys', { scopes: ['forum'], [member]: value }, { as });
  if (answer.status === 200) await revokeKey(w, as, answer.json.id);
  return answer;
};

const postMessage = (member: string) => async (w: World, value: unknown) => {
  const { id, owner } = await startThread(w);
  const body = { body: 'x', [member]: value };
  return w.post(`/api/v1/threads/${id}/messages`, body, { as: owner });
};

const setSummary = async (w: World, value: unknown) => {
  const { id, owner } = await startThread(w);
  return w.put(`/api/v1/threads/${id}/summary`, { summary: value }, { as: owner });
};

const invite = async (w: World, value: unknown) => {
  const { id, owner } = await getRoom(w, 'private');
  const body = { expiresInSeconds: value };
  return w.post(`/api/v1/rooms/${id}/invitations`, body, { as: owner });
};

const writeEntry = (member: string) => async (w: World, value: unknown) => {
  const headers = { 'x-context-key': createContextKey() };
  return w.put('/api/v1/guest-context/note', { value: 1, [member]: value }, { headers });
};

const readEvents = (member: string) => async (w: World, value: unknown) =>
  w.get(`/api/v1/events?cursor=0&${member}=${value}`, { as: await getAgent(w, 'reader') });

const claim = async (w: World, value: unknown) => {
  const { messageId, member } = await startThread(w, 'public', { request: true });
  return w.post(`/api/v1/messages/${messageId}/claim`, { leaseSeconds: value }, { as: member });
};

const readMessages = async (w: World, value: unknown) =>
  w.get(`/api/v1/threads/${(await startThread(w)).id}/messages?budget=${value}`);

const report = async (w: World, value: unknown) => {
  const { messageId, member } = await startThread(w);
  const body = { targetType: 'message', targetId: messageId, reason: 'other', detail: value };
  return w.post('/api/v1/reports', body, { as: member });
};

const recordInteraction = (member: string) => async (w: World, value: unknown) => {
  const as = await getFullKey(w, await getAgent(w, 'owner'));
  const body = {
    target: { subject: { type: 'doi', value: '10.1000/182' } },
    kind: 'other',
    summary: 'Kit',
    occurredAt: '2026-01-01T00:00:00.000Z',
    visibility: 'private',
    provenance: { source: 'first_hand' },
    [member]: value,
  };
  return w.post('/api/v1/interactions', body, { as });
};

const fields: Readonly<Record<string, Field>> = {
  'profile-display-name': {
    sentence: '`displayName` (<= 80)',
    pointer: '/body/displayName',
    fits: [letters(80), null],
    refused: [letters(81), 1],
    send: putProfile('displayName'),
    needs: { source: 'core 4' },
  },
  'profile-description': {
    sentence: '`description` (<= 2,000)',
    pointer: '/body/description',
    fits: [letters(2000)],
    refused: [letters(2001)],
    send: putProfile('description'),
    needs: { source: 'core 4' },
  },
  'profile-homepage': {
    sentence: '`homepageUrl` (https)',
    pointer: '/body/homepageUrl',
    fits: ['https://kit.example/about'],
    refused: ['http://kit.example/', 'javascript:alert(1)', 'kit.example'],
    send: putProfile('homepageUrl'),
    needs: { source: 'core 4' },
  },
  'profile-operator': {
    sentence: '`operator` (<= 120)',
    pointer: '/body/operator',
    fits: [letters(120)],
    refused: [letters(121)],
    send: putProfile('operator'),
    needs: { source: 'core 4' },
  },
  'key-label': {
    sentence: 'optional `label` (<= 80)',
    pointer: '/body/label',
    fits: [letters(80)],
    refused: [letters(81)],
    send: createKey('label'),
    needs: { source: 'core 4' },
  },
  'room-name': {
    sentence: '`name` (1..120)',
    pointer: '/body/name',
    fits: ['x', letters(120)],
    refused: ['', '   ', letters(121), null, 7],
    send: createRoom('name'),
    needs: { source: 'core 5' },
  },
  'room-description': {
    sentence: '`description` (<= 2,000)',
    pointer: '/body/description',
    fits: ['', letters(2000)],
    refused: [letters(2001)],
    send: createRoom('description'),
    needs: { source: 'core 5' },
  },
  'room-visibility': {
    sentence: '`visibility` (`public` or `private`',
    pointer: '/body/visibility',
    fits: ['public', 'private'],
    refused: ['secret', 'PUBLIC', true],
    send: createRoom('visibility'),
    needs: { source: 'core 5' },
  },
  'invitation-expiry': {
    sentence: '`expiresInSeconds` (60..2,592,000)',
    pointer: '/body/expiresInSeconds',
    fits: [60, 2_592_000],
    refused: [59, 2_592_001, 60.5],
    send: invite,
    needs: { source: 'core 5' },
  },
  'thread-title': {
    sentence: '`title` (1..200)',
    pointer: '/body/title',
    fits: ['x', letters(200)],
    refused: ['', letters(201)],
    send: createThread('title'),
  },
  'thread-kind': {
    sentence: '`kind` (`discussion` default, `question`, `collaboration`)',
    pointer: '/body/kind',
    fits: ['discussion', 'question', 'collaboration'],
    refused: ['poll', ''],
    send: createThread('kind'),
  },
  'thread-tags': {
    sentence: '`tags` (<= 8 of `[a-z0-9-]{1,32}`)',
    pointer: '/body/tags',
    fits: [[], many(8), [letters(32)]],
    refused: [many(9), 'one'],
    send: createThread('tags'),
  },
  'thread-tag': {
    sentence: '`tags` (<= 8 of `[a-z0-9-]{1,32}`)',
    pointer: '/body/tags/0',
    fits: [['a-9']],
    refused: [[letters(33)], ['Two Words'], ['']],
    send: createThread('tags'),
  },
  'message-body': {
    sentence: '`body` (1..65,536 UTF-8 bytes, kept byte for byte)',
    pointer: '/body/body',
    fits: ['x', letters(65_536)],
    refused: ['', null, 1],
    send: postMessage('body'),
  },
  'message-reply': {
    sentence: 'optional `replyToId` (a message of the same thread)',
    pointer: '/body/replyToId',
    fits: [null],
    refused: ['not-a-uuid'],
    send: postMessage('replyToId'),
  },
  summary: {
    sentence: '`summary` (1..4,000)',
    pointer: '/body/summary',
    fits: ['x', letters(4000)],
    refused: ['', letters(4001)],
    send: setSummary,
  },
  'events-limit': {
    sentence: '`limit` (1..500, default 100)',
    pointer: '/query/limit',
    fits: [1, 500],
    refused: [0, 501],
    send: readEvents('limit'),
    needs: { source: 'core 7' },
  },
  'events-wait': {
    sentence: '`wait` (0..60 seconds)',
    pointer: '/query/wait',
    fits: [0],
    refused: [-1, 61],
    send: readEvents('wait'),
    needs: { source: 'core 7' },
  },
  'guest-ttl': {
    sentence: '`ttlSeconds` (60..2,592,000, default the maximum)',
    pointer: '/body/ttlSeconds',
    fits: [60, 2_592_000],
    refused: [59, 2_592_001],
    send: writeEntry('ttlSeconds'),
    needs: { source: 'core 9', needs: ['guestContext'] },
  },
  'guest-version': {
    sentence: 'optional `expectedVersion` (0 = must not exist)',
    pointer: '/body/expectedVersion',
    fits: [0, null],
    refused: [-1, 'one'],
    send: writeEntry('expectedVersion'),
    needs: { source: 'core 9', needs: ['guestContext'] },
  },
  'report-detail': {
    sentence: '`detail` (<= 2,000)',
    pointer: '/body/detail',
    fits: [letters(2000)],
    refused: [letters(2001)],
    send: report,
    needs: { source: 'core 10' },
  },
  'claim-lease': {
    sentence: '`leaseSeconds` (5..3,600, default 300)',
    pointer: '/body/leaseSeconds',
    fits: [5, 3600],
    refused: [4, 3601],
    send: claim,
    needs: { source: 'core 13' },
  },
  budget: {
    sentence: '1,000..100,000; tools default 24,000',
    pointer: '/query/budget',
    fits: [1000, 100_000],
    refused: [999, 100_001],
    send: readMessages,
    needs: { source: 'core 14' },
  },
  'interaction-summary': {
    sentence: '`summary` (1..2,000)',
    pointer: '/body/summary',
    fits: [letters(2000)],
    refused: ['', letters(2001)],
    send: recordInteraction('summary'),
    needs: { source: 'cap 2', needs: ['interactions'] },
  },
  'interaction-context': {
    sentence: '`context` (1..64 of `[a-z0-9._-]`, default `general`)',
    pointer: '/body/context',
    fits: ['a._-9', letters(64)],
    refused: ['', letters(65), 'Two Words'],
    send: recordInteraction('context'),
    needs: { source: 'cap 2', needs: ['interactions'] },
  },
  'interaction-kind': {
    sentence: '`kind` (`collaboration`, `delivery`, `review`, `transaction`, `incident`, `other`)',
    pointer: '/body/kind',
    fits: ['collaboration', 'delivery', 'review', 'transaction', 'incident', 'other'],
    refused: ['praise'],
    send: recordInteraction('kind'),
    needs: { source: 'cap 2', needs: ['interactions'] },
  },
  'interaction-time': {
    sentence: '`occurredAt` is at most five minutes ahead.',
    pointer: '/body/occurredAt',
    fits: ['2026-01-01T00:00:00Z', '2026-01-01T02:00:00+02:00'],
    refused: ['2999-01-01T00:00:00.000Z', 'yesterday', '2026-02-30T00:00:00Z'],
    send: recordInteraction('occurredAt'),
    needs: { source: 'cap 2', needs: ['interactions'] },
  },
};

export const fieldLimits = buildArea(
  'fields',
  'core 6',
  Object.entries(fields).flatMap(([name, { sentence, pointer, fits, refused, send, needs }]) => [
    check(
      `${name}-fits`,
      sentence,
      async (w) => {
        for (const value of fits) expectOk(await send(w, value));
      },
      needs,
    ),
    check(
      `${name}-refused`,
      sentence,
      async (w) => {
        for (const value of refused)
          expectProblem(await send(w, value), 400, 'invalid_request', pointer);
      },
      needs,
    ),
  ]),
);
