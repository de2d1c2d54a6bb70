import { raw } from 'sql-template-tag';
import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../../src/db/database.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { CaseFilter } from '../../../src/features/adjudication/case-filters.store.ts';
import * as views from '../../../src/features/adjudication/case-views.store.ts';
import { subjectKinds } from '../../../src/features/adjudication/rules.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { adjudicationHelpers, adjudicationSettings } from './setup.ts';

const app = await startApp({ ...interactionSettings, ...adjudicationSettings });
const f = factories(app);
const { db } = app.app.env;
const { opener } = await adjudicationHelpers(f).createCase();
const stranger = await f.createAgent();

/** Indexes by which all cases can be walked, which costs least among so few. */
const walkedIndexes = [
  'adjudication_cases_of_opener',
  'adjudication_cases_public_newest',
  'adjudication_cases_public_in_state',
];

/** Explains what a list reads, as text, with indexes wherever there is one. */
async function explainList(reader: string, filter: Partial<CaseFilter>): Promise<string> {
  let plan = '';
  const all = {
    subjectKinds,
    state: null,
    subjectId: null,
    mine: null,
    votable: false,
    now: '2026-03-01Z',
  };
  await db
    .transaction(async (tx) => {
      await tx.run(sql`SET LOCAL enable_seqscan = off`);
      for (const name of walkedIndexes) await tx.run(sql`DROP INDEX ${raw(name)}`);
      const explaining: Queryable = {
        ...tx,
        rows: async <Row>(query: Sql) => {
          const lines = await tx.rows<{ 'QUERY PLAN': string }>(
            sql`EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) ${query}`,
          );
          plan += lines.map((line) => line['QUERY PLAN']).join('\n');
          return tx.rows<Row>(query);
        },
      };
      await views.list(explaining, { ...all, ...filter }, reader, { offset: 0, limit: 50 });
      throw new Error('undo');
    })
    .catch((error: Error) => expect(error.message).toBe('undo'));
  return plan;
}

describe('listCases', () => {
  it.for([
    ['opened', 'adjudication_cases_of_opener_newest'],
    ['opened', 'adjudication_rounds_of_later_opener'],
    ['party', 'adjudication_cases_of_party'],
    ['voted', 'adjudication_ballots_of_voter'],
  ] as const)('[case.list-indexes] listCases with mine=%s reads %s', async ([mine, index]) => {
    expect(await explainList(opener.id, { mine })).toContain(index);
  });

  it('[case.list-indexes] listCases with votable walks nothing for a stranger', async () => {
    const plan = await explainList(stranger.id, { votable: true });
    expect(plan).toContain('One-Time Filter');
    const scans = plan.split('\n').filter((line) => /Scan.* on adjudication_cases/.test(line));
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.filter((line) => !line.includes('never executed'))).toEqual([]);
  });
});
