import type { Caller, Request, Who } from './caller.ts';
import { buildHookSecret, RECEIVER_HOST } from './receiver.ts';
import type { Json } from './send.ts';
import type { Site } from './site.ts';

/** An agent of a run, with a key that has every scope. */
export interface Actor extends Who {
  readonly id: string;
}

/** Who acts in a run, and where. */
export interface Cast {
  /** Owns the rooms, asks for work, and pays for it. */
  readonly lead: Actor;
  /** They are in both rooms. */
  readonly members: readonly Actor[];
  /** It is in no room. */
  readonly stranger: Actor;
  readonly admin: Who;
  readonly openRoom: string;
  readonly hiddenRoom: string;
  /** Threads, each with whether it is private. */
  readonly threads: readonly { readonly id: string; readonly isHidden: boolean }[];
  /** A thread that nobody follows: events of messages that were deleted are not shown any more. */
  readonly scrapThread: string;
}

const MEMBERS = 5;
const THREADS = 2;

/** Calls, and insists on success. Errors: Error with the refusal. */
export async function callOrFail(caller: Caller, request: Request): Promise<Json> {
  const { status, answer } = await caller.call(request);
  if (status === 200) return answer;
  const { method, path } = request;
  throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
}

/** Builds a function that calls as somebody, and insists on success. */
export const makeAs =
  (caller: Caller, who: Who) =>
  (method: string, path: string, body?: object): Promise<Json> =>
    callOrFail(caller, { who, method, path, ...(body && { body }) });

async function register(caller: Caller, handle: string, mayKnow: boolean): Promise<Actor> {
  const nobody: Who = { name: 'nobody', headers: {}, mayKnow: false };
  const { agent, apiKey } = await makeAs(caller, nobody)('POST', '/api/v1/agents', { handle });
  const original = { name: handle, headers: { 'x-api-key': apiKey }, mayKnow };
  const make = makeAs(caller, original);
  const states: Json[] = await make('GET', '/api/v1/me/capabilities');
  const capabilities = states.filter((one) => one.enabled).map((one) => one.capability);
  await make('POST', '/api/v1/me/activation', { capabilities, consent: 'service-upgrade/1' });
  const scopes = ['forum', ...capabilities];
  const full = await make('POST', '/api/v1/me/keys', { scopes, label: 'faults' });
  return { ...original, headers: { 'x-api-key': full.apiKey }, id: agent.id };
}

/** Verifies a webhook, so that hints are sent. */
async function openHook(caller: Caller, who: Actor): Promise<void> {
  const make = makeAs(caller, who);
  const url = `https://${RECEIVER_HOST}/${who.name}`;
  await make('PUT', '/api/v1/me/webhook', { url, secret: buildHookSecret(who.name) });
  await make('POST', '/api/v1/me/webhook/verify');
}

/** Registers who acts in a run, in rooms and threads of their own. */
export async function prepareCast(
  site: Site,
  caller: Caller,
  run: string,
  canary: string,
): Promise<Cast> {
  const admin = { name: 'admin', headers: { 'x-admin-key': site.adminKey }, mayKnow: true };
  const [lead, ...members] = (await Promise.all(
    ['lead', ...Array.from({ length: MEMBERS }, (_, nr) => `member${nr}`)].map((name) =>
      register(caller, `${name}-${run}`, true),
    ),
  )) as [Actor, ...Actor[]];
  const stranger = await register(caller, `stranger-${run}`, false);
  const make = makeAs(caller, lead);
  const openRoom = { name: `Open ${run}`, visibility: 'public' };
  const hiddenRoom = { name: `Hidden ${canary}`, visibility: 'private' };
  const rooms = await Promise.all(
    [openRoom, hiddenRoom].map((room) => make('POST', '/api/v1/rooms', room)),
  );
  const [{ id: open }, { id: hidden }] = rooms as [Json, Json];
  for (const member of members) {
    await makeAs(caller, member)('POST', `/api/v1/rooms/${open}/join`);
    const { token } = await make('POST', `/api/v1/rooms/${hidden}/invitations`, {});
    await makeAs(caller, member)('POST', '/api/v1/invitations/accept', { token });
  }
  const threads: { id: string; isHidden: boolean }[] = [];
  for (let nr = 0; nr < 2 * THREADS; nr++) {
    const isHidden = nr % 2 === 1;
    const words = isHidden ? `First ${canary}` : `First ${run}`;
    const path = `/api/v1/rooms/${isHidden ? hidden : open}/threads`;
    const { id } = await make('POST', path, { title: words, body: words });
    threads.push({ id, isHidden });
    for (const member of members)
      await makeAs(caller, member)('PUT', `/api/v1/threads/${id}/subscription`);
  }
  const scrap = { title: 'Scrap', body: 'What is posted here is taken back.' };
  const { id: scrapThread } = await make('POST', `/api/v1/rooms/${open}/threads`, scrap);
  for (const member of members.slice(0, 2)) await openHook(caller, member);
  const grant = { name: `Faults ${run}`, amount: 1_000_000, perDay: 1_000_000 };
  await makeAs(caller, admin)('POST', '/api/v1/admin/subsidies', grant);
  await make('POST', '/api/v1/enrollment');
  return {
    lead,
    members,
    stranger,
    admin,
    openRoom: open,
    hiddenRoom: hidden,
    threads,
    scrapThread,
  };
}
