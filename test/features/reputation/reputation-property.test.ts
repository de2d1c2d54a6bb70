import { describe, expect, it } from 'vitest';
import { compareReputation } from '../../../src/cli/reputation.ts';
import { sql } from '../../../src/db/sql.ts';
import { closeRounds } from '../../../src/features/adjudication/close-rounds.job.ts';
import { type Facts, project } from '../../../src/features/reputation/rules.ts';
import type { Finding } from '../../../src/features/reputation/schemas.ts';
import { ADJUDICATION, HOUR } from '../adjudication/setup.ts';
import { startApp } from '../../support/app.ts';
import { factories, type TestAgent, together } from '../../support/factories.ts';
import { chance } from '../ledger/ledger-model.ts';
import { happened, outside, RECORDS } from '../interactions/setup.ts';
import { REPUTATION, reputations } from '../../reputation.ts';

/** More with STOA_REPUTATION_SEEDS=200; one of them again with STOA_REPUTATION_FIRST=<seed> STOA_REPUTATION_SEEDS=1. */
const SEEDS = Number(process.env.STOA_REPUTATION_SEEDS ?? 5);
const FIRST = Number(process.env.STOA_REPUTATION_FIRST ?? 1);
const BATCHES = 6;
const AT_ONCE = 9;
const CONTEXTS = ['code', 'ops'];

const app = await startApp({ ...RECORDS, ...ADJUDICATION, ...REPUTATION });
const nodes = [app, await app.another()] as const;
const ways = await Promise.all(nodes.map((node) => reputations(factories(node))));
const { db } = app.app.env;

interface Recorded {
  readonly id: string;
  readonly subjectId: string;
  readonly authorId: string;
  readonly context: string;
  readonly kind: string;
  readonly at: string;
}

interface Round extends Finding {
  readonly id: string;
}

/** What there is, as it was written, of one moment: nothing that is kept for reputation. */
async function facts() {
  return db.transaction(
    async (tx) => ({
      interactions:
        await tx.rows<Recorded>(sql`SELECT i.id, i.subject_id AS "subjectId", i.author_id AS "authorId", i.context, i.kind, i.created_at AS at
        FROM interactions i JOIN records c USING (id) WHERE i.visibility = 'public' AND c.state <> 'withdrawn'`),
      rounds:
        await tx.rows<Round>(sql`SELECT r.id, k.id AS "caseId", k.subject_id AS "interactionId", r.result, r.closed_at AS "closedAt"
        FROM adjudication_rounds r JOIN adjudication_cases k ON k.id = r.case_id WHERE r.closed_at IS NOT NULL`),
      operators: await tx.rows<{ id: string; name: string; at: string }>(
        sql`SELECT agent_id AS id, name, recorded_at AS at FROM operator_groups`,
      ),
      excluded: await tx.rows<{ id: string }>(
        sql`SELECT id FROM agents WHERE blocked OR synthetic`,
      ),
    }),
    { readFor: 30_000 },
  );
}

const tallied = <T>(items: readonly T[], key: (item: T) => string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return counts;
};

/** The projection, computed from nothing but the records. */
function fromNothing(
  { interactions, rounds, operators, excluded }: Awaited<ReturnType<typeof facts>>,
  id: string,
  context: string | null,
) {
  const operatorOf = (agent: string) => operators.find((one) => one.id === agent);
  const own = interactions.filter(
    (one) => one.subjectId === id && (context === null || one.context === context),
  );
  const newestFirst = (a: Round, b: Round) => (a.closedAt + a.id < b.closedAt + b.id ? 1 : -1);
  const findings = own
    .flatMap((one) => {
      const [newest] = rounds
        .filter(({ interactionId }) => interactionId === one.id)
        .sort(newestFirst);
      return newest ? [{ ...newest, authorId: one.authorId }] : [];
    })
    .sort(newestFirst);
  const decisive = findings.filter(
    ({ result, authorId }) =>
      result !== 'inconclusive' && !excluded.some((agent) => agent.id === authorId),
  );
  const results = (name: string | undefined) => {
    const { upheld = 0, rejected = 0 } = tallied(
      decisive.filter(({ authorId }) => operatorOf(authorId)?.name === name),
      ({ result }) => result,
    );
    return { upheld, rejected };
  };
  const known = [
    ...new Set(decisive.flatMap(({ authorId }) => operatorOf(authorId)?.name ?? [])),
  ].map(results);
  const unknown = new Set(
    decisive.flatMap(({ authorId }) => (operatorOf(authorId) ? [] : [authorId])),
  );
  const target = operatorOf(id);
  const all: Facts = {
    counts: {
      ...{
        ...tallied(own, ({ kind }) => kind),
        ...tallied(findings, ({ result }) => result),
        unknown: unknown.size,
      },
      ...{
        known_upheld: known.filter((one) => one.upheld > one.rejected).length,
        known_rejected: known.filter((one) => one.upheld < one.rejected).length,
      },
    },
    operatorsRecordedAt:
      decisive
        .flatMap(({ authorId }) => operatorOf(authorId)?.at ?? [])
        .sort()
        .at(-1) ?? null,
    targetOperator: target ? { recordedAt: target.at, ...results(target.name) } : null,
    recentFindings: findings
      .slice(0, 20)
      .map(({ caseId, interactionId, result, closedAt }) => ({
        caseId,
        interactionId,
        result,
        closedAt,
      })),
    recordedAt:
      own
        .map(({ at }) => at)
        .sort()
        .at(-1) ?? null,
  };
  return interactions.some(({ subjectId }) => subjectId === id)
    ? JSON.stringify(project({ kind: 'subject', id, context }, all))
    : 404;
}

/** How often each step did something, over all runs: a service that refuses everything must not pass. */
const done: Record<string, number> = {};

/** One run: random steps, many at once on two nodes; after each batch every answer is compared, byte for byte, with one that is computed from nothing. */
async function run(seed: number): Promise<void> {
  const below = chance(seed);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const f = factories(app);
  const agents = await together(7, () => f.agent());
  // Before any of them is blocked.
  for (const agent of agents) await f.keyWith(agent, 'interactions');
  // Most are known, or nothing would ever be scored.
  for (const [n, agent] of agents.slice(1, 6).entries())
    await (ways[0] as (typeof ways)[0]).group(agent, `${'ABCDE'[n]} ${seed}`);
  const thing = outside(`npm/seed-${seed}`, 'package');
  const interactions: { readonly id: string; readonly author: TestAgent; isJudged?: true }[] = [];
  // About the last one hardly anything is public.
  const targets = new Set<string>([(agents[6] as TestAgent).id]);

  const note = ({ status }: { readonly status: number }, what: string): boolean => {
    if (status === 200) done[what] = (done[what] ?? 0) + 1;
    return status === 200;
  };

  /** A step, wholly drawn from the seed, on one of the nodes. */
  function draw(): () => Promise<unknown> {
    const [kind, p, author] = [below(20), pick(ways), pick(agents)];
    const [context, what, hidden, verdict] = [
      pick(CONTEXTS),
      pick(['delivery', 'incident']),
      below(8) === 0,
      pick(['upheld', 'upheld', 'rejected', 'rejected', null] as const),
    ];
    const [unjudged] = interactions.filter(({ isJudged }) => !isJudged);
    const chosen =
      kind >= 11 && unjudged ? unjudged : interactions.length > 0 ? pick(interactions) : undefined;
    if (kind <= 5 || !chosen) {
      // Few targets, so that much is said about each.
      const [about, rarely] = [pick([agents[0], agents[0], agents[6]]) as TestAgent, below(3) > 0];
      const target = below(2) === 0 || author === about ? thing : { agent: about.handle };
      const body = happened(target, {
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
            await p.r.revise(its, id, { expectedVersion: found.body.version, ...body }),
            kind === 6 ? 'revise' : 'withdraw',
          );
      };
    }
    if (kind <= 14) {
      if (kind >= 11) chosen.isJudged = true;
      // A case, another one after it, or a round more where there is something new.
      const more = below(4) > 0;
      return async () => {
        const found = await p.r.as(null, '', 'GET', `/api/v1/interactions/${id}`);
        if (found.status !== 200) return;
        const newest = found.body.cases[0];
        let opened = false;
        if (more && newest?.state === 'closed') {
          const piece = await p.r.submit(its, id, {
            expectedVersion: found.body.version,
            kind: 'statement',
            text: 'There is more.',
          });
          if (piece.status === 200)
            opened = note(await p.j.round(p.opener, newest.id, [piece.body.id]), 'round');
          if (opened && verdict) await p.judge(newest.id, verdict);
          return;
        }
        const body = {
          subject: { type: 'interaction', id },
          expectedVersion: found.body.version,
          question: 'Is it so?',
          rubric: [{ id: 'so', text: 'So.' }],
        };
        const answer = await p.j.tryOpen(p.opener, body);
        if (note(answer, 'case') && verdict) await p.judge(answer.body.id, verdict);
      };
    }
    if (kind <= 15) {
      const group = pick([...'ABCD', null].map((name) => name && `${name} ${seed}`));
      return async () => note({ status: (await p.group(author, group)) ? 200 : 0 }, 'group');
    }
    if (kind <= 16) {
      const [exclude, yes, name] = [pick([p.block, p.flag]), below(3) === 0, 'exclude'];
      return async () => note({ status: (await exclude(author, yes)) ? 200 : 0 }, name);
    }
    return async () => {
      const { env } = pick(nodes).app;
      while (await closeRounds({ ...env, clock: () => env.clock() + 72 * HOUR }))
        note({ status: 200 }, 'close');
    };
  }

  // Something to begin with that is scored.
  for (const author of agents.slice(1, 5)) {
    const { id, subjectId } = await (ways[0] as (typeof ways)[0]).judged(
      author,
      thing,
      pick(['upheld', 'rejected'] as const),
      { context: 'code' },
    );
    targets.add(subjectId);
    interactions.push({ id, author, isJudged: true });
  }

  for (let batch = 0; batch < BATCHES; batch++) {
    await Promise.all(Array.from({ length: AT_ONCE }, draw).map((step) => step()));
    await Promise.all(ways.map(({ j }) => j.closeAll()));
    const now = await facts();
    for (const id of targets) {
      for (const context of [null, ...CONTEXTS]) {
        const answer = await pick(ways).ask('subject', id, context ?? undefined);
        const bytes = answer.status === 200 ? answer.text : answer.status;
        expect(bytes, `seed ${seed}, batch ${batch}`).toBe(fromNothing(now, id, context));
        if (answer.status === 200) note(answer, answer.body.score.state);
        else note({ status: 200 }, '404');
      }
    }
    app.clock.advance(HOUR);
  }
}

describe('after any history', () => {
  it(`[reputation.same-bytes] in ${SEEDS} runs the answers are those that are computed from nothing`, {
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
        steps.filter((step) => !done[step]),
        JSON.stringify(done),
      ).toEqual([]);
  });
});
