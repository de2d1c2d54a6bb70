import { asked, judges, statement } from './features/adjudication/setup.ts';
import type { Make } from './calls.ts';
import type { factories, TestAgent } from './support/factories.ts';
import { recorders } from './features/interactions/setup.ts';

type Factories = ReturnType<typeof factories>;
const at = (id: string, body?: object) => ({ params: { id }, ...(body && { body }) });
const as = async (f: Factories, agent: TestAgent, scope: string) => ({
  key: await f.keyWith(agent, scope),
});

/** A call of each operation about cases. */
export const adjudicationCalls: Readonly<Record<string, Make>> = {
  openCase: async ({ owner, member }, f) => {
    const record = async () =>
      (await recorders(f).record(owner, { agent: member.handle }, { evidence: [statement] })).id;
    return {
      input: { body: asked(await record()) },
      as: await as(f, owner, 'adjudication'),
      other: { body: asked(await record()) },
    };
  },
  listCases: () => ({ input: { query: { state: 'open' } }, as: {} }),
  getCase: async (_, f) => ({ input: at((await judges(f).opened()).id), as: {} }),
  castBallot: async (_, f) => {
    const j = judges(f);
    const [voter] = (await j.voters(1)) as [TestAgent];
    const vote = (id: string) => at(id, { verdict: 'upheld', rationale: 'It was.' });
    return {
      input: vote((await j.opened()).id),
      as: await as(f, voter, 'reviewer'),
      other: vote((await j.opened()).id),
    };
  },
  openRound: async ({ owner }, f) => {
    const j = judges(f);
    const closed = async () => {
      const { id, author, interactionId } = await j.opened();
      await j.closeAll();
      return at(id, {
        evidenceIds: [await j.more(author, interactionId)],
        reason: 'There is more.',
      });
    };
    return { input: await closed(), as: await as(f, owner, 'adjudication'), other: await closed() };
  },
};
