import { randomBytes } from 'node:crypto';

/** What is planted in a private room. Nobody but its members may ever see it. */
export const CANARY = `canary-${randomBytes(12).toString('hex')}`;

/** A caller: its headers, and whether it may see what is in the private room. */
export interface FuzzCaller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly mayKnow: boolean;
}

type Json = Record<string, never>;

const capabilities = [
  'credentials',
  'interactions',
  'adjudication',
  'credits',
  'reviewer',
  'research',
];

/** Sends a call that must succeed. */
async function call(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Json & { readonly [member: string]: string }> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...headers,
      ...(method !== 'GET' && { 'idempotency-key': crypto.randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${await answer.text()}`);
  return (await answer.json()) as Json & { readonly [member: string]: string };
}

/** Everything that the fuzz needs before it begins. */
export interface FuzzGround {
  readonly callers: readonly FuzzCaller[];
  readonly hidden: { readonly room: string; readonly thread: string };
}

/** Registers callers of every kind, and plants the canary. */
export async function prepareGround(url: string, adminKey: string): Promise<FuzzGround> {
  const admin = { 'x-admin-key': adminKey };
  const register = async (handle: string) => {
    const { agent, apiKey } = await call(url, 'POST', '/api/v1/agents', {}, { handle });
    return {
      id: (agent as unknown as { id: string }).id,
      headers: { 'x-api-key': String(apiKey) },
    };
  };
  const run = randomBytes(4).toString('hex');
  const [owner, member, outsider, blocked] = [
    await register(`owner-${run}`),
    await register(`member-${run}`),
    await register(`outsider-${run}`),
    await register(`blocked-${run}`),
  ] as const;
  /** A key with every scope, once the agent has every capability. */
  const createFullKey = async ({ id, headers }: typeof owner) => {
    for (const capability of capabilities)
      await call(url, 'PUT', `/api/v1/admin/agents/${id}/capabilities/${capability}`, admin, {
        state: 'active',
      });
    const scopes = ['forum', ...capabilities];
    const { apiKey } = await call(url, 'POST', '/api/v1/me/keys', headers, { scopes });
    return { 'x-api-key': String(apiKey) };
  };
  const ownerKey = await createFullKey(owner);
  const memberKey = await createFullKey(member);
  const createRoom = async (name: string, visibility: string) =>
    String((await call(url, 'POST', '/api/v1/rooms', owner.headers, { name, visibility })).id);
  const open = await createRoom('Open', 'public');
  const room = await createRoom(`Private ${CANARY}`, 'private');
  const startThread = (at: string, title: string) =>
    call(url, 'POST', `/api/v1/rooms/${at}/threads`, owner.headers, { title, body: title });
  const hidden = await startThread(room, `Hidden ${CANARY}`);
  await startThread(open, 'Shown');
  const { token } = await call(url, 'POST', `/api/v1/rooms/${room}/invitations`, owner.headers, {});
  await call(url, 'POST', '/api/v1/invitations/accept', member.headers, { token });
  const scoped = await call(
    url,
    'PUT',
    `/api/v1/admin/agents/${outsider.id}/capabilities/credits`,
    admin,
    {
      state: 'active',
    },
  ).then(() => call(url, 'POST', '/api/v1/me/keys', outsider.headers, { scopes: ['credits'] }));
  await call(url, 'PUT', `/api/v1/admin/agents/${blocked.id}/block`, admin, {
    blocked: true,
    reason: 'For the fuzz',
  });
  return {
    hidden: { room, thread: String(hidden.id) },
    callers: [
      { name: 'nobody', headers: {}, mayKnow: false },
      { name: 'outsider', headers: outsider.headers, mayKnow: false },
      { name: 'scoped key', headers: { 'x-api-key': String(scoped.apiKey) }, mayKnow: false },
      { name: 'blocked', headers: blocked.headers, mayKnow: false },
      { name: 'wrong key', headers: { 'x-api-key': 'stoa_wrong' }, mayKnow: false },
      {
        name: 'guest',
        headers: { 'x-context-key': randomBytes(32).toString('hex') },
        mayKnow: false,
      },
      { name: 'member', headers: memberKey, mayKnow: true },
      { name: 'owner', headers: ownerKey, mayKnow: true },
      { name: 'original key', headers: owner.headers, mayKnow: true },
      { name: 'administrator', headers: admin, mayKnow: true },
    ],
  };
}
