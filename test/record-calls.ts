import type { Make } from './calls.ts';
import type { factories, RequestOptions, TestAgent } from './support/factories.ts';
import { happened, outside, recorders } from './features/interactions/setup.ts';

type Factories = ReturnType<typeof factories>;

const anyone = {};
const at = (id: string, body?: object) => ({ params: { id }, ...(body && { body }) });
const as = async (
  f: Factories,
  agent: TestAgent,
  scope = 'interactions',
): Promise<RequestOptions> => ({ key: await f.keyWith(agent, scope) });
const statement = { kind: 'statement', text: 'I saw it.' };

/** A call of each operation about records. */
export const recordCalls: Readonly<Record<string, Make>> = {
  recordInteraction: async ({ owner, member }, f) => ({
    input: { body: happened({ agent: member.handle }, { evidence: [statement] }) },
    as: await as(f, owner),
    other: { body: happened(outside()) },
  }),
  listInteractions: () => ({ input: {}, as: anyone }),
  getInteraction: async ({ owner, member }, f) => ({
    input: at((await recorders(f).record(owner, { agent: member.handle })).id),
    as: anyone,
  }),
  reviseInteraction: async ({ owner }, f) => {
    const { id } = await recorders(f).record(owner, outside());
    const say = (summary: string) => at(id, { expectedVersion: 1, summary });
    return { input: say('One'), as: await as(f, owner), other: say('Another') };
  },
  submitEvidence: async ({ owner, member }, f) => {
    const { id } = await recorders(f).record(owner, { agent: member.handle });
    const submit = (text: string) => at(id, { expectedVersion: 1, kind: 'statement', text });
    return { input: submit('One'), as: await as(f, member), other: submit('Another') };
  },
  withdrawEvidence: async ({ owner }, f) => {
    const { evidenceIds } = await recorders(f).record(owner, outside(), {
      evidence: [statement, statement],
    });
    const [one, another] = evidenceIds.map((id: string) => at(id, { expectedVersion: 1 }));
    return { input: one, as: await as(f, owner), other: another };
  },
  findSubject: ({ owner }) => ({
    input: { query: { type: 'agent', value: owner.handle } },
    as: anyone,
  }),
  getSubject: ({ owner }) => ({ input: at(owner.id), as: anyone }),
  // About somebody new each time: only so many claims may stand about one.
  claimIdentity: async ({ owner }, f) => {
    const { id } = await f.agent();
    const say = (value: string) => at(id, { claim: 'operator', value });
    return { input: say('One'), as: await as(f, owner, 'credentials'), other: say('Another') };
  },
  getIdentityClaim: async ({ owner }, f) => ({
    input: at((await recorders(f).claim(owner, (await f.agent()).id)).body.id),
    as: anyone,
  }),
  reviseIdentityClaim: async ({ owner }, f) => {
    const { id } = (await recorders(f).claim(owner, (await f.agent()).id)).body;
    const say = (value: string) => at(id, { expectedVersion: 1, value });
    return { input: say('One'), as: await as(f, owner, 'credentials'), other: say('Another') };
  },
  setOperatorGroup: ({ member }) => ({
    input: at(member.id, { operatorGroup: 'One' }),
    as: { admin: true },
    other: at(member.id, { operatorGroup: 'Another' }),
  }),
  recordTrust: async ({ owner, member }, f) => {
    const someone = await f.agent();
    const trust = (agent: string) => ({ body: { target: { agent }, level: 1, note: 'So far' } });
    return { input: trust(someone.handle), as: await as(f, owner), other: trust(member.handle) };
  },
  listMyTrust: async ({ owner }, f) => ({ input: {}, as: await as(f, owner) }),
};
