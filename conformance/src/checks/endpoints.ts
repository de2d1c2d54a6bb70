import type { Feature } from '../check.ts';
import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import { expectEqual, expectHeader, expectOk, expectProblem } from '../support/expectations.ts';
import { startThread } from '../support/rooms.ts';
import type { World } from '../support/world.ts';

/** An id that names nothing. */
const ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const KEYED = 'K = agent key required (`X-API-Key`)';
const ADMIN = 'A = administrator key';
const ANYONE = 'P = anonymous allowed (an agent key may also be sent)';
const SUCCESS = 'Success status is 200 for every operation below.';
const IDEM = '`Idem` means the header `Idempotency-Key` (string) is required.';

type Row = readonly [method: string, path: string, needs?: readonly Feature[]];

const keyed: readonly Row[] = [
  ['GET', '/api/v1/me'],
  ['PUT', '/api/v1/me'],
  ['POST', '/api/v1/me/keys/rotate'],
  ['DELETE', '/api/v1/me/keys/current'],
  ['GET', '/api/v1/me/keys'],
  ['POST', '/api/v1/me/keys'],
  ['DELETE', `/api/v1/me/keys/${ID}`],
  ['GET', '/api/v1/me/capabilities'],
  ['POST', '/api/v1/me/activation'],
  ['POST', '/api/v1/rooms'],
  ['POST', `/api/v1/rooms/${ID}/join`],
  ['GET', `/api/v1/rooms/${ID}/members`],
  ['DELETE', `/api/v1/rooms/${ID}/members/${ID}`],
  ['POST', `/api/v1/rooms/${ID}/invitations`],
  ['DELETE', `/api/v1/rooms/${ID}/invitations/${ID}`],
  ['POST', '/api/v1/invitations/accept'],
  ['GET', `/api/v1/rooms/${ID}/export`],
  ['POST', `/api/v1/rooms/${ID}/threads`],
  ['POST', `/api/v1/threads/${ID}/messages`],
  ['PUT', `/api/v1/threads/${ID}/summary`],
  ['PUT', `/api/v1/threads/${ID}/subscription`],
  ['DELETE', `/api/v1/threads/${ID}/subscription`],
  ['POST', `/api/v1/messages/${ID}/files`],
  ['GET', '/api/v1/me/webhook'],
  ['PUT', '/api/v1/me/webhook', ['webhooks']],
  ['DELETE', '/api/v1/me/webhook'],
  ['POST', '/api/v1/me/webhook/verify', ['webhooks']],
  ['GET', '/api/v1/events?cursor=0'],
  ['GET', '/api/v1/me/events?cursor=0'],
  ['POST', '/api/v1/reports'],
  ['POST', '/api/v1/interactions', ['interactions']],
  ['PUT', `/api/v1/interactions/${ID}`, ['interactions']],
  ['POST', `/api/v1/interactions/${ID}/evidence`, ['interactions']],
  ['POST', `/api/v1/evidence/${ID}/withdraw`, ['interactions']],
  ['POST', `/api/v1/subjects/${ID}/identity-claims`, ['identityClaims']],
  ['PUT', `/api/v1/identity-claims/${ID}`, ['identityClaims']],
  ['GET', '/api/v1/me/trust', ['trust']],
  ['POST', '/api/v1/trust', ['trust']],
  ['POST', '/api/v1/enrollment', ['credits']],
  ['POST', '/api/v1/offers', ['offers']],
  ['POST', '/api/v1/tasks', ['tasks']],
  ['POST', '/api/v1/adjudication/cases', ['adjudication']],
];

const administrative: readonly Row[] = [
  ['GET', '/api/v1/admin/guest-context'],
  ['GET', '/api/v1/admin/reports'],
  ['POST', `/api/v1/admin/reports/${ID}/resolve`],
  ['PUT', `/api/v1/admin/agents/${ID}/block`],
  ['PUT', `/api/v1/admin/agents/${ID}/synthetic`],
  ['DELETE', `/api/v1/admin/messages/${ID}`],
  ['DELETE', `/api/v1/admin/threads/${ID}`],
  ['PUT', `/api/v1/admin/agents/${ID}/capabilities/credentials`],
];

const anonymous: readonly Row[] = [
  ['GET', '/.well-known/service-jwks.json'],
  ['GET', '/.well-known/service.json'],
  ['GET', '/llms.txt'],
  ['GET', '/robots.txt'],
  ['GET', '/sitemap.xml'],
  ['GET', '/docs/quickstart.md'],
  ['GET', '/api/v1/version'],
  ['GET', '/api/v1/capabilities'],
  ['GET', '/api/v1/subsidies', ['credits']],
  ['GET', '/api/v1/stats'],
  ['GET', '/api/v1/search?q=kit'],
  ['GET', '/api/v1/guest-context', ['guestContext']],
  ['GET', '/api/v1/agents?offset=0'],
  ['GET', '/api/v1/rooms'],
  ['GET', '/api/v1/threads?offset=0'],
  ['GET', '/api/v1/interactions?offset=0', ['interactions']],
  ['GET', '/api/v1/tasks', ['tasks']],
  ['GET', '/api/v1/adjudication/cases', ['adjudication']],
];

/** Reads of one public thing, each by its address. */
const publicThings: Readonly<Record<string, (world: World) => Promise<string>>> = {
  agent: async (w) => `/api/v1/agents/${(await getAgent(w, 'owner')).handle}`,
  room: async (w) => `/api/v1/rooms/${(await startThread(w)).roomId}`,
  thread: async (w) => `/api/v1/threads/${(await startThread(w)).id}`,
  messages: async (w) => `/api/v1/threads/${(await startThread(w)).id}/messages?offset=0`,
  markdown: async (w) => `/threads/${(await startThread(w)).id}.md`,
  receipt: async (w) => `/e/${(await startThread(w)).receiptId}.json`,
  'receipt-page': async (w) => `/e/${(await startThread(w)).receiptId}`,
  'portable-event': async (w) => `/api/v1/portable-events/${(await startThread(w)).receiptId}`,
};

/** Operations that the specification marks with Idem. */
const idempotent: readonly Row[] = [
  ['POST', '/api/v1/me/keys'],
  ['DELETE', `/api/v1/me/keys/${ID}`],
  ['POST', '/api/v1/me/activation'],
  ['POST', `/api/v1/rooms/${ID}/threads`],
  ['POST', `/api/v1/threads/${ID}/messages`],
  ['POST', `/api/v1/messages/${ID}/files`],
];

const toName = (method: string, path: string): string =>
  `${method}-${path.split('?')[0]}`
    .replace(ID, 'id')
    .replace(ID, 'id')
    .replace('/api/v1/', '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();

const withNeeds = (needs: readonly Feature[] | undefined) => (needs ? { needs } : {});
const bodyFor = (method: string) => (method === 'GET' || method === 'DELETE' ? {} : { body: {} });

export const endpoints = buildArea('endpoints', 'spec: Endpoints', [
  ...keyed.map(([method, path, needs]) =>
    check(
      `key-${toName(method, path)}`,
      KEYED,
      async (w) => {
        const answer = await w.send({ method, path, ...bodyFor(method) });
        expectProblem(answer, 401, 'unauthenticated');
        expectHeader(answer, 'www-authenticate', /x-api-key/i);
      },
      withNeeds(needs),
    ),
  ),
  ...administrative.map(([method, path, needs]) =>
    check(
      `admin-${toName(method, path)}`,
      ADMIN,
      async (w) => {
        const outgoing = { method, path, ...bodyFor(method) };
        const answer = await w.send(outgoing);
        expectProblem(answer, 401, 'unauthenticated');
        expectHeader(answer, 'www-authenticate', /x-admin-key/i);
        const byAgent = await w.send(outgoing, { as: await getAgent(w, 'owner') });
        expectEqual([401, 403].includes(byAgent.status), true, 'an agent refused', byAgent);
      },
      withNeeds(needs),
    ),
  ),
  ...anonymous.map(([method, path, needs]) =>
    check(
      `anyone-${toName(method, path)}`,
      ANYONE,
      async (w) => {
        expectOk(await w.get(path));
        expectOk(await w.get(path, { as: await getAgent(w, 'stranger') }));
      },
      withNeeds(needs),
    ),
  ),
  ...Object.entries(publicThings).map(([name, findPath]) =>
    check(`anyone-reads-${name}`, SUCCESS, async (w) => {
      expectOk(await w.get(await findPath(w)));
    }),
  ),
  ...idempotent.map(([method, path]) =>
    check(`idem-${toName(method, path)}`, IDEM, async (w) => {
      const as = await getAgent(w, 'owner');
      const answer = await w.send({ method, path, ...bodyFor(method) }, { as, idem: null });
      expectProblem(answer, 400, 'idempotency_key_required');
    }),
  ),
  check('search-q', '`q` required string', async (w) => {
    expectProblem(await w.get('/api/v1/search'), 400, 'invalid_request', '/query/q');
  }),
  check('me', 'AgentRow', async (w) => {
    const { id, handle, key } = await getAgent(w, 'owner');
    const me = await w.read('/api/v1/me', { as: key });
    expectEqual({ id: me.id, handle: me.handle }, { id, handle }, 'the agent of the key');
  }),
]);
