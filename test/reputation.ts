import { judges } from './features/adjudication/setup.ts';
import type { Make } from './calls.ts';
import type { factories, Loose, RequestOptions, TestAgent } from './support/factories.ts';
import type { Provoke } from './provocations.ts';
import { recorders } from './features/interactions/setup.ts';

/** An installation with reputation, on top of records and adjudication. */
export const REPUTATION = { REPUTATION_ENABLED: 'on' };

export type Verdict = 'upheld' | 'rejected';

/** Short ways to what tests of reputation need. */
export async function reputations(f: ReturnType<typeof factories>) {
  const j = judges(f);
  const voters = await j.voters(3);
  const opener = await f.agent();
  const address = (kind: string, id: string, context?: string) =>
    `/api/v1/reputation/${kind}/${id}${context === undefined ? '' : `?context=${context}`}`;
  const admin = (agent: TestAgent, what: string, body: object, more: RequestOptions = {}) =>
    f.ok('PUT', `/api/v1/admin/agents/${agent.id}/${what}`, { admin: true, body, ...more });
  const p = {
    j,
    r: j.r,
    voters,
    opener,
    address,
    ask: (kind: string, id: string, context?: string) => f.send('GET', address(kind, id, context)),
    read: (target: TestAgent, context?: string): Promise<Loose> =>
      f.ok('GET', address('agent', target.id, context)),
    group: (agent: TestAgent, operatorGroup: string | null) =>
      admin(agent, 'operator-group', { operatorGroup }),
    block: (agent: TestAgent, blocked: boolean) => admin(agent, 'block', { blocked, reason: 'R' }),
    flag: (agent: TestAgent, synthetic: boolean) => admin(agent, 'synthetic', { synthetic }),
    /** An agent of an operator, or of an unknown one. */
    async of(operatorGroup: string | null): Promise<TestAgent> {
      const agent = await f.agent();
      if (operatorGroup !== null) await p.group(agent, operatorGroup);
      return agent;
    },
    /** Votes in the round of a case that is open. */
    judge: (caseId: string, verdict: Verdict) =>
      Promise.all(voters.map((voter) => j.vote(voter, caseId, verdict))),
    /** A public interaction and a case about it, with three votes or none; id of both. It closes with closeAll. */
    async judged(
      author: TestAgent,
      target: object,
      verdict: Verdict | null = 'upheld',
      more: object = {},
    ): Promise<{ id: string; subjectId: string; caseId: string }> {
      const { id, subjectId } = await j.r.record(author, target, more);
      const { id: caseId } = await j.open(opener, id);
      if (verdict !== null) await p.judge(caseId, verdict);
      return { id, subjectId, caseId };
    },
    /** Such findings, closed, about an agent. */
    async found(
      target: TestAgent,
      ...findings: readonly (readonly [TestAgent, (Verdict | null)?, object?])[]
    ): Promise<void> {
      await Promise.all(
        findings.map(([author, verdict = 'upheld', more = {}]) =>
          p.judged(author, { agent: target.handle }, verdict, more),
        ),
      );
      await j.closeAll();
    },
  };
  return p;
}

export const reputationCalls: Readonly<Record<string, Make>> = {
  getReputation: async ({ owner, member }, f) => {
    await recorders(f).record(owner, { agent: member.handle });
    return { input: { params: { kind: 'agent', id: member.id } }, as: {} };
  },
};

export const reputationProvocations: Readonly<Record<string, { not_found: Provoke }>> = {
  getReputation: {
    not_found: async ({ f }) => ({
      input: { params: { kind: 'agent', id: (await f.agent()).id } },
      as: {},
    }),
  },
};
