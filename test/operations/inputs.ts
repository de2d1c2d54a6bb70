import type { ErrorCode } from '../../src/kernel/errors.ts';
import type { RequestOptions, TestAgent } from '../support/factories.ts';
import type { Fixture, OperationInput } from './fixture.ts';
import type {
  BuildInput,
  CaseSetup,
  ErrorCases,
  MakeCall,
  MakeErrorCase,
  ReadBack,
} from './operation-case.ts';

/*
 * What cases are built from: inputs about things of the fixture, calls by its agents, and refusals
 * that many operations share.
 */

/** An id that names nothing. */
export const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

export const anyone: RequestOptions = {};
export const administrator: RequestOptions = { admin: true };
export const asAgent = ({ key }: { readonly key: string }): RequestOptions => ({ key });

export const noInput: BuildInput = () => ({});
export const onId = (id: string, body?: object): OperationInput => ({
  params: { id },
  ...(body && { body }),
});
export const onRoom =
  (room: 'publicRoom' | 'privateRoom', body?: object): BuildInput =>
  ({ fixture }) =>
    onId(fixture[room], body);
export const onThread =
  (thread: keyof Fixture['threads'], body?: object): BuildInput =>
  ({ fixture }) =>
    onId(fixture.threads[thread], body);
/** About an agent of the fixture, as administrators name it. */
export const onAgent =
  (
    agent: 'member' | 'outsider',
    body?: object,
    more: Readonly<Record<string, string>> = {},
  ): BuildInput =>
  ({ fixture }) => ({ params: { id: fixture[agent].id, ...more }, ...(body && { body }) });

/** A call of the owner, with its key for a scope. */
export const byOwner =
  (input: BuildInput = noInput, other?: BuildInput, scope = 'forum'): MakeCall =>
  async (setup) => ({
    input: await input(setup),
    as: { key: await setup.f.getKeyWithScope(setup.fixture.owner, scope) },
    other: other ? await other(setup) : null,
  });
/** A call without a credential. */
export const byAnyone =
  (input: BuildInput = noInput, other?: BuildInput): MakeCall =>
  async (setup) => ({
    input: await input(setup),
    as: anyone,
    other: other ? await other(setup) : null,
  });
export const byAdministrator =
  (input: BuildInput = noInput, other?: BuildInput): MakeCall =>
  async (setup) => ({
    input: await input(setup),
    as: administrator,
    other: other ? await other(setup) : null,
  });

/** The input of a valid call of another operation. */
export const inputOf =
  (call: MakeCall): BuildInput =>
  async (setup) =>
    (await call(setup)).input;

/** A call that is refused to an agent of the fixture, made with its key for a scope. */
export const refusedTo =
  (
    who: 'owner' | 'member' | 'outsider' | 'removed',
    input: BuildInput,
    scope = 'forum',
  ): MakeErrorCase =>
  async (setup) => ({
    input: await input(setup),
    as: { key: await setup.f.getKeyWithScope(setup.fixture[who], scope) },
  });

/**
 * A call that would succeed, after something has happened to what it is about, or with other
 * members in its input.
 */
export const callAfter =
  (
    call: MakeCall,
    prepare: ((setup: CaseSetup, id: string, key: string) => Promise<unknown>) | null,
    change: (input: OperationInput, setup: CaseSetup) => object = () => ({}),
  ): MakeErrorCase =>
  async (setup) => {
    const { input, as } = await call(setup);
    await prepare?.(setup, input.params?.id ?? '', as.key ?? '');
    return { input: { ...input, ...change(input, setup) }, as };
  };

/** A call about an id that names nothing, by default without a credential. */
export const onMissing =
  (as: RequestOptions = anyone, body?: object): MakeErrorCase =>
  () => ({ input: onId(nowhere, body), as });

/** A form that a page of another site sends. */
export const fromOtherSite =
  (input: OperationInput, as: RequestOptions = anyone): MakeErrorCase =>
  () => ({ input, as: { ...as, headers: { 'sec-fetch-site': 'cross-site' } } });

/** An administrator's form about an id that names nothing, and sent by another site. */
export const formErrors = (body: object): ErrorCases => ({
  not_found: onMissing(administrator, body),
  forbidden: fromOtherSite(onId(nowhere, body), administrator),
});

/** A call of the owner about a new room that it has archived. */
export const inArchivedRoom =
  (body?: object): MakeErrorCase =>
  async ({ f, fixture: { owner } }) => {
    const id = await f.createRoom(owner);
    await f.archiveRoom(owner, id);
    return { input: onId(id, body), as: asAgent(owner) };
  };

/** The ways in which a call about a thread is refused; operations declare these of them. */
export function threadErrors(
  body?: object,
  codes: readonly ErrorCode[] = ['not_found', 'forbidden', 'gone'],
): ErrorCases {
  const all: ErrorCases = {
    not_found: refusedTo('outsider', onThread('hidden', body)),
    forbidden: refusedTo('outsider', onThread('listed', body)),
    gone: async ({ f, fixture }) => {
      const id = await f.createThread(fixture.owner, fixture.publicRoom);
      await f.ok('DELETE', `/api/v1/admin/threads/${id}`, administrator);
      return { input: onId(id, body), as: asAgent(fixture.member) };
    },
    membership_required: refusedTo('outsider', onThread('open', body)),
    removed_from_room: refusedTo('removed', onThread('open', body)),
    state_conflict: async ({ f, fixture: { owner } }) => {
      const room = await f.createRoom(owner);
      const id = await f.createThread(owner, room);
      await f.archiveRoom(owner, room);
      return { input: onId(id, body), as: asAgent(owner) };
    },
  };
  return Object.fromEntries(codes.map((code) => [code, all[code]]));
}

/**
 * A new agent with a further key. Of its scopes, `credentials` is granted, and revoked again at
 * will.
 */
export async function createAgentWithKey(
  { f }: CaseSetup,
  scopes: readonly string[],
  revoke = false,
): Promise<TestAgent & { readonly further: string }> {
  const agent = await f.createAgent();
  if (scopes.includes('credentials')) await f.grantCapability(agent, 'credentials');
  const { apiKey } = await f.createScopedKey(agent, scopes);
  if (revoke) await f.grantCapability(agent, 'credentials', 'revoked');
  return { ...agent, further: apiKey };
}

/** A node of the same installation without research; its address. */
export const startWithoutResearch = async ({ app }: CaseSetup): Promise<string> =>
  (await app.startNode({ RESEARCH_ENABLED: 'off' })).url;

/** Members of an acknowledgement of a record that has versions. */
export const versionedAck = ['id', 'receiptId', 'state', 'updatedAt', 'version'] as const;

/** Reads a name back from the first row of a list, as the caller or as somebody else. */
export const readFromFirst =
  (member: string, path: string, reader?: RequestOptions): ReadBack =>
  async ({ f }, { as }) =>
    (await f.ok('GET', path, reader ?? as))[0][member];

/** Reads a name back from the newest entry of the audit log. */
export const readFromAudit =
  (member: string): ReadBack =>
  async ({ f }) =>
    (await f.ok('GET', '/api/v1/admin/audit', administrator))[0].facts[member];
