import { describe, expect, it } from 'vitest';
import { compareReputation } from '../../../src/cli/reputation.ts';
import { sql } from '../../../src/db/sql.ts';
import { closeRounds } from '../../../src/features/adjudication/close-rounds.job.ts';
import { buildReputation, type ReputationFacts } from '../../../src/features/reputation/rules.ts';
import type { ReputationFinding } from '../../../src/features/reputation/schemas.ts';
import { startApp } from '../../support/app.ts';
import { factories, runConcurrently, type TestAgent } from '../../support/factories.ts';
import { adjudicationSettings, HOUR } from '../adjudication/setup.ts';
import { buildInteraction, externalSubject, interactionSettings } from '../interactions/setup.ts';
import { createRandom } from '../ledger/ledger-model.ts';
import { reputationHelpers, reputationSettings } from './setup.ts';

/**
 * STOA_REPUTATION_SEEDS=200 runs more seeds. STOA_REPUTATION_FIRST=<seed> STOA_REPUTATION_SEEDS=1
 * repeats one of them.
 */
const SEEDS = Number(process.env.STOA_REPUTATION_SEEDS ?? 5);
const FIRST = Number(process.env.STOA_REPUTATION_FIRST ?? 1);
const BATCHES = 6;
const AT_ONCE = 9;
const CONTEXTS = ['code', 'ops'];

const app = await startApp({
  ...interactionSettings,
  ...adjudicationSettings,
  ...reputationSettings,
});
const nodes = [app, await app.startNode()] as const;
const helpers = await Promise.all(nodes.map((node) => reputationHelpers(factories(node))));
const { db } = app.app.env;

interface Recorded {
  readonly id: string;
  readonly subjectId: string;
  readonly authorId: string;
  readonly context: string;
  readonly kind: string;
  readonly at: string;
  readonly withdrawn: boolean;
}

interface Round extends ReputationFinding {
  readonly id: string;
}

/**
 * Reads the records of one moment as they were written, without anything that is stored for
 * reputation.
 */
async function readFacts() {
  return db.transaction(
    async (tx) => ({
      interactions: await tx.rows<Recorded>(sql`
          SELECT i.id, i.subject_id AS "subjectId", i.author_id AS "authorId", i.context, i.kind,
            i.created_at AS at, c.state = 'withdrawn' AS withdrawn
          FROM interactions i
          JOIN records c USING (id)
          WHERE i.visibility = 'public'
        `),
      rounds: await tx.rows<Round>(sql`
          SELECT r.id, k.id AS "caseId", k.subject_id AS "interactionId", r.result,
            r.closed_at AS "closedAt"
          FROM adjudication_rounds r
          JOIN adjudication_cases k ON k.id = r.case_id
          WHERE r.closed_at IS NOT NULL
        `),
      operators: await tx.rows<{ id: string; name: string; at: string }>(
        sql`SELECT agent_id AS id, name, recorded_at AS at FROM operator_groups`,
      ),
      excluded: await tx.rows<{ id: string }>(
        sql`SELECT id FROM agents WHERE blocked OR synthetic`,
      ),
    }),
    { statementTimeoutMs: 30_000 },
  );
}

const tally = <T>(items: readonly T[], key: (item: T) => string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return counts;
};

const compareNewestFirst = (a: Round, b: Round) => (a.closedAt + a.id < b.closedAt + b.id ? 1 : -1);

/** What a finding says about its target; null if it says nothing. */
function getSide(kind: string, result: string): string | null {
  if (result === 'inconclusive') return null;
  if (kind !== 'incident') return result;
  return result === 'upheld' ? 'rejected' : null;
}

/** Lists the finding of each interaction, from all closed rounds. */
const listFindings = (interactions: readonly Recorded[], rounds: readonly Round[]) =>
  interactions.flatMap(({ id, kind, authorId, withdrawn }) => {
    const closed = rounds
      .filter(({ interactionId }) => interactionId === id)
      .sort(compareNewestFirst);
    const decided = closed.find(({ result }) => result !== 'inconclusive');
    const finding = decided ?? (withdrawn ? undefined : closed[0]);
    return finding ? [{ ...finding, authorId, side: getSide(kind, finding.result) }] : [];
  });

/** Computes the projection from the records alone. */
function recomputeReputation(
  { interactions, rounds, operators, excluded }: Awaited<ReturnType<typeof readFacts>>,
  id: string,
  context: string | null,
) {
  const getOperator = (agent: string) => operators.find((one) => one.id === agent);
  const own = interactions.filter(
    (one) => one.subjectId === id && (context === null || one.context === context),
  );
  const standing = own.filter(({ withdrawn }) => !withdrawn);
  const findings = listFindings(own, rounds).sort(compareNewestFirst);
  const decisive = findings.filter(
    ({ side, authorId }) => side !== null && !excluded.some((agent) => agent.id === authorId),
  );
  const countResults = (name: string | undefined) => {
    const { upheld = 0, rejected = 0 } = tally(
      decisive.filter(({ authorId }) => getOperator(authorId)?.name === name),
      ({ side }) => side ?? '',
    );
    return { upheld, rejected };
  };
  const known = [
    ...new Set(decisive.flatMap(({ authorId }) => getOperator(authorId)?.name ?? [])),
  ].map(countResults);
  const unknown = new Set(
    decisive.flatMap(({ authorId }) => (getOperator(authorId) ? [] : [authorId])),
  );
  const target = getOperator(id);
  const all: ReputationFacts = {
    counts: {
      ...tally(standing, ({ kind }) => kind),
      ...tally(findings, ({ result }) => result),
      unknown: unknown.size,
      known_upheld: known.filter((one) => one.upheld > one.rejected).length,
      known_rejected: known.filter((one) => one.upheld < one.rejected).length,
    },
    operatorsRecordedAt:
      decisive
        .flatMap(({ authorId }) => getOperator(authorId)?.at ?? [])
        .sort()
        .at(-1) ?? null,
    targetOperator: target ? { recordedAt: target.at, ...countResults(target.name) } : null,
    recentFindings: findings.slice(0, 20).map(({ caseId, interactionId, result, closedAt }) => ({
      caseId,
      interactionId,
      result,
      closedAt,
    })),
    recordedAt:
      standing
        .map(({ at }) => at)
        .sort()
        .at(-1) ?? null,
  };
  const about = interactions.filter(({ subjectId }) => subjectId === id);
  return about.some(({ withdrawn }) => !withdrawn) || listFindings(about, rounds).length > 0
    ? JSON.stringify(buildReputation({ kind: 'subject', id, context }, all, true))
    : 404;
}

/**
 * Counts how often each step had an effect over all runs, because a service that refuses everything
 * must not pass.
 */
const doneCounts: Record<string, number> = {};

/**
 * Makes one run: random steps, many at once on two nodes. After each batch every answer is
 * compared, byte for byte, with one that is computed from the records.
 */
async function run(seed: number): Promise<void> {
  const below = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const f = factories(app);
  const agents = await runConcurrently(7, () => f.createAgent());
  // None of them is blocked yet.
  for (const agent of agents) await f.getKeyWithScope(agent, 'interactions');
  // Most operators are known, because nothing would ever be scored otherwise.
  for (const [n, agent] of agents.slice(1, 6).entries())
    await (helpers[0] as (typeof helpers)[0]).setOperatorGroup(agent, `${'ABCDE'[n]} ${seed}`);
  const thing = externalSubject(`npm/seed-${seed}`, 'package');
  const interactions: { readonly id: string; readonly author: TestAgent; isJudged?: true }[] = [];
  // Hardly anything is public about the last one.
  const targets = new Set<string>([(agents[6] as TestAgent).id]);

  const note = ({ status }: { readonly status: number }, what: string): boolean => {
    if (status === 200) doneCounts[what] = (doneCounts[what] ?? 0) + 1;
    return status === 200;
  };

  /** Draws a step from the seed and runs it on one of the nodes. */
  function drawCommand(): () => Promise<unknown> {
    const kind = below(20);
    const p = pick(helpers);
    const author = pick(agents);
    const context = pick(CONTEXTS);
    const what = pick(['delivery', 'incident']);
    const hidden = below(8) === 0;
    const verdict = pick(['upheld', 'upheld', 'rejected', 'rejected', null] as const);
    const [unjudged] = interactions.filter(({ isJudged }) => !isJudged);
    const chosen =
      kind >= 11 && unjudged ? unjudged : interactions.length > 0 ? pick(interactions) : undefined;
    if (kind <= 5 || !chosen) {
      // There are few targets, so that each has many records.
      const about = pick([agents[0], agents[0], agents[6]]) as TestAgent;
      const rarely = below(3) > 0;
      const target = below(2) === 0 || author === about ? thing : { agent: about.handle };
      const body = buildInteraction(target, {
        kind: what,
        context,
        visibility: hidden || (about === agents[6] && rarely) ? 'private' : 'public',
      });
      return async () => {
        const answer = await p.r.as(author, 'interactions', 'POST', '/api/v1/interactions', body);
        if (!note(answer, 'record')) return;
        targets.add(answer.body.subjectId);
        interactions.push({ id: answer.body.id, author });
      };
    }
    const { id, author: its } = chosen;
    if (kind <= 7) {
      const body = kind === 6 ? { summary: `Said anew, ${seed}.` } : { state: 'withdrawn' };
      return async () => {
        const found = await p.r.as(its, 'interactions', 'GET', `/api/v1/interactions/${id}`);
        if (found.status === 200)
          note(
            await p.r.reviseInteraction(its, id, { expectedVersion: found.body.version, ...body }),
            kind === 6 ? 'revise' : 'withdraw',
          );
      };
    }
    if (kind <= 14) {
      if (kind >= 11) chosen.isJudged = true;
      // Opens a case, another one after it, or another round where there is something new.
      const more = below(4) > 0;
      return async () => {
        const found = await p.r.as(null, '', 'GET', `/api/v1/interactions/${id}`);
        if (found.status !== 200) return;
        const newest = found.body.cases[0];
        let opened = false;
        if (more && newest?.state === 'closed') {
          const piece = await p.r.submitEvidence(its, id, {
            expectedVersion: found.body.version,
            kind: 'statement',
            text: 'There is more.',
          });
          if (piece.status === 200)
            opened = note(await p.j.openRound(p.opener, newest.id, [piece.body.id]), 'round');
          if (opened && verdict) await p.castVotes(newest.id, verdict);
          return;
        }
        const body = {
          subject: { type: 'interaction', id },
          expectedVersion: found.body.version,
          question: 'Is it so?',
          rubric: [{ id: 'so', text: 'So.' }],
        };
        const answer = await p.j.tryOpenCase(p.opener, body);
        if (note(answer, 'case') && verdict) await p.castVotes(answer.body.id, verdict);
      };
    }
    if (kind <= 15) {
      const group = pick([...'ABCD', null].map((name) => name && `${name} ${seed}`));
      return async () =>
        note({ status: (await p.setOperatorGroup(author, group)) ? 200 : 0 }, 'group');
    }
    if (kind <= 16) {
      const exclude = pick([p.setBlocked, p.setSynthetic]);
      const yes = below(3) === 0;
      const name = 'exclude';
      return async () => note({ status: (await exclude(author, yes)) ? 200 : 0 }, name);
    }
    return async () => {
      const { env } = pick(nodes).app;
      while (await closeRounds({ ...env, clock: () => env.clock() + 72 * HOUR }))
        note({ status: 200 }, 'close');
    };
  }

  // The run starts with something that is scored.
  for (const author of agents.slice(1, 5)) {
    const { id, subjectId } = await (helpers[0] as (typeof helpers)[0]).createJudgedInteraction(
      author,
      thing,
      pick(['upheld', 'rejected'] as const),
      { context: 'code' },
    );
    targets.add(subjectId);
    interactions.push({ id, author, isJudged: true });
  }

  for (let batch = 0; batch < BATCHES; batch++) {
    await Promise.all(Array.from({ length: AT_ONCE }, drawCommand).map((step) => step()));
    await Promise.all(helpers.map(({ j }) => j.closeDueCases()));
    const now = await readFacts();
    for (const id of targets) {
      for (const context of [null, ...CONTEXTS]) {
        const answer = await pick(helpers).requestReputation('subject', id, context ?? undefined);
        const bytes = answer.status === 200 ? answer.text : answer.status;
        expect(bytes, `seed ${seed}, batch ${batch}`).toBe(recomputeReputation(now, id, context));
        if (answer.status === 200) note(answer, answer.body.score.state);
        else note({ status: 200 }, '404');
      }
    }
    app.clock.advance(HOUR);
  }
}

describe('getReputation', () => {
  it(`[reputation.same-bytes] in ${SEEDS} runs equals the projection computed from the records`, {
    timeout: 24 * 3600 * 1000,
  }, async () => {
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) await run(seed);
    expect((await compareReputation(db)).map(({ differences }) => differences)).toEqual([
      0, 0, 0, 0,
    ]);
    const steps = [
      'record',
      'revise',
      'withdraw',
      'case',
      'round',
      'group',
      'exclude',
      'scored',
      'insufficient_evidence',
      '404',
    ];
    if (FIRST === 1)
      expect(
        steps.filter((step) => !doneCounts[step]),
        JSON.stringify(doneCounts),
      ).toEqual([]);
  });
});
