import type { factories, Json, RequestOptions, TestAgent } from '../../support/factories.ts';
import { adjudicationHelpers } from '../adjudication/setup.ts';

/** An installation with reputation, on top of records and adjudication. */
export const reputationSettings = { REPUTATION_ENABLED: 'on' };

export type Verdict = 'upheld' | 'rejected';

/** Short ways to what tests of reputation need. */
export async function reputationHelpers(f: ReturnType<typeof factories>) {
  const j = adjudicationHelpers(f);
  const voters = await j.createVoters(3);
  const opener = await f.createAgent();
  const buildPath = (kind: string, id: string, context?: string) =>
    `/api/v1/reputation/${kind}/${id}${context === undefined ? '' : `?context=${context}`}`;
  const putAsAdmin = (agent: TestAgent, what: string, body: object, more: RequestOptions = {}) =>
    f.ok('PUT', `/api/v1/admin/agents/${agent.id}/${what}`, { admin: true, body, ...more });
  const p = {
    j,
    r: j.r,
    voters,
    opener,
    address: buildPath,
    requestReputation: (kind: string, id: string, context?: string) =>
      f.send('GET', buildPath(kind, id, context)),
    getReputation: (target: TestAgent, context?: string): Promise<Json> =>
      f.ok('GET', buildPath('agent', target.id, context)),
    setOperatorGroup: (agent: TestAgent, operatorGroup: string | null) =>
      putAsAdmin(agent, 'operator-group', { operatorGroup }),
    setBlocked: (agent: TestAgent, blocked: boolean) =>
      putAsAdmin(agent, 'block', { blocked, reason: 'R' }),
    setSynthetic: (agent: TestAgent, synthetic: boolean) =>
      putAsAdmin(agent, 'synthetic', { synthetic }),
    /** An agent of an operator, or of an unknown one. */
    async createAgentOf(operatorGroup: string | null): Promise<TestAgent> {
      const agent = await f.createAgent();
      if (operatorGroup !== null) await p.setOperatorGroup(agent, operatorGroup);
      return agent;
    },
    /** Votes in the round of a case that is open. */
    castVotes: (caseId: string, verdict: Verdict) =>
      Promise.all(voters.map((voter) => j.castVote(voter, caseId, verdict))),
    /**
     * A public interaction and a case about it, with three votes or none; id of both. It closes
     * with closeDueCases.
     */
    async createJudgedInteraction(
      author: TestAgent,
      target: object,
      verdict: Verdict | null = 'upheld',
      more: object = {},
    ): Promise<{ id: string; subjectId: string; caseId: string }> {
      const { id, subjectId } = await j.r.recordInteraction(author, target, more);
      const { id: caseId } = await j.openCase(opener, id);
      if (verdict !== null) await p.castVotes(caseId, verdict);
      return { id, subjectId, caseId };
    },
    /** Such findings, closed, about an agent. */
    async createFindings(
      target: TestAgent,
      ...findings: readonly (readonly [TestAgent, (Verdict | null)?, object?])[]
    ): Promise<void> {
      await Promise.all(
        findings.map(([author, verdict = 'upheld', more = {}]) =>
          p.createJudgedInteraction(author, { agent: target.handle }, verdict, more),
        ),
      );
      await j.closeDueCases();
    },
  };
  return p;
}
