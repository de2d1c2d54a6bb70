import { sql } from '../../../src/db/sql.ts';
import { closeRounds } from '../../../src/features/adjudication/close-rounds.job.ts';
import { appAt } from '../../support/app.ts';
import { type factories, type Loose, type TestAgent, together } from '../../support/factories.ts';
import { recorders } from '../interactions/setup.ts';

/** An installation with adjudication, on top of records. */
export const ADJUDICATION = { ADJUDICATION_ENABLED: 'on' };

export const HOUR = 3600 * 1000;
export const CASES = '/api/v1/adjudication/cases';

export const RUBRIC = [{ id: 'delivered', text: 'It was delivered.' }];
export const statement = { kind: 'statement', text: 'I saw it.' };

export const asked = (id: string, more: object = {}) => ({
  ...{
    subject: { type: 'interaction', id },
    expectedVersion: 1,
    question: 'Was it delivered as recorded?',
    rubric: RUBRIC,
  },
  ...more,
});

/** Short ways to what tests of adjudication need. */
export function judges(f: ReturnType<typeof factories>) {
  const r = recorders(f);
  const { env } = appAt(f.url).app;
  const j = {
    /** Makes agents as old as voters must be. */
    age: (agents: readonly TestAgent[]) =>
      env.db.run(
        sql`UPDATE agents SET created_at = created_at - interval '24 hours' WHERE id = ANY(${agents.map(({ id }) => id)}::uuid[])`,
      ),
    /** Agents that registered so long ago that they may vote in what opens now. */
    async voters(count: number): Promise<TestAgent[]> {
      const agents = await together(count, () => f.agent());
      await j.age(agents);
      return agents;
    },
    /** A public interaction between two agents of its own, and a case about it that a third one opened. */
    async opened(more: object = {}, interaction: object = {}) {
      const [author, target, opener] = (await together(3, () => f.agent())) as [
        TestAgent,
        TestAgent,
        TestAgent,
      ];
      const recorded = await r.record(
        author,
        { agent: target.handle },
        { evidence: [statement], ...interaction },
      );
      const made = await j.open(opener, recorded.id, more);
      return {
        author,
        target,
        opener,
        interactionId: recorded.id as string,
        evidenceIds: recorded.evidenceIds as string[],
        id: made.id as string,
        case: made,
      };
    },
    open: (agent: TestAgent, interactionId: string, more: object = {}): Promise<Loose> =>
      r.must(agent, 'adjudication', 'POST', CASES, asked(interactionId, more)),
    tryOpen: (agent: TestAgent, body: object) => r.as(agent, 'adjudication', 'POST', CASES, body),
    vote: (agent: TestAgent, id: string, verdict = 'upheld', more: object = {}) =>
      r.as(agent, 'reviewer', 'POST', `${CASES}/${id}/ballots`, {
        verdict,
        rationale: `I say ${verdict}.`,
        ...more,
      }),
    round: (
      agent: TestAgent,
      id: string,
      evidenceIds: string[],
      reason = 'There is more.',
      more: object = {},
    ) =>
      r.as(agent, 'adjudication', 'POST', `${CASES}/${id}/rounds`, {
        evidenceIds,
        reason,
        ...more,
      }),
    detail: (id: string, reader: TestAgent | null = null): Promise<Loose> =>
      f.ok('GET', `${CASES}/${id}`, reader ? { key: reader.key } : {}),
    /** Closes, as the job does, what is due in 72 hours, without moving the clock. */
    async closeAll(): Promise<void> {
      const later = { ...env, clock: () => env.clock() + 72 * HOUR };
      while (await closeRounds(later));
    },
    /** A piece of evidence more, by the author of an interaction. */
    async more(author: TestAgent, interactionId: string, text = 'There is more.'): Promise<string> {
      const { version } = await r.detail(null, interactionId);
      const answer = await r.submit(author, interactionId, {
        expectedVersion: version,
        kind: 'statement',
        text,
      });
      return answer.body.id;
    },
  };
  return { ...j, r };
}
