import { expect, it } from 'vitest';
import { createLoader } from './loader.ts';
import { type Sql, sql } from './sql.ts';

/**
 * A read whose rows are numbers. The "database" returns the double of each, and nothing for numbers
 * below zero.
 */
const selectDoubles = (rows: readonly number[]): Sql => sql`${rows}`;
const selectOthers = (rows: readonly number[]): Sql => sql`others ${rows}`;

function setUp() {
  const statements: { rows: number[]; answer: () => void; refuse: (error: Error) => void }[] = [];
  const { load, ...rest } = createLoader(
    (statement) =>
      new Promise((resolve, reject) => {
        const rows = statement.values[0] as number[];
        const found = rows.flatMap((row, index) =>
          row < 0 ? [] : [{ nr: index + 1, double: row * 2 }],
        );
        statements.push({ rows, answer: () => resolve(found), refuse: reject });
      }),
  );
  const ask = (row: number) =>
    load<{ double: number }, number>(selectDoubles, row).then((found) =>
      found.map(({ double }) => double),
    );
  return { statements, ask, load, rest };
}

const waitOneTurn = () => new Promise((resolve) => setImmediate(resolve));

it('batches the reads of one turn or of a running statement, and splits the rows', async () => {
  const { statements, ask, load } = setUp();
  const first = [ask(1), ask(-1), ask(3)];
  const other = load(selectOthers, 9);
  await waitOneTurn();
  const second = [ask(4), ask(5)];
  await waitOneTurn();
  expect(statements.map(({ rows }) => rows)).toEqual([[1, -1, 3], [9]]);
  for (const { answer } of statements) answer();
  expect(await Promise.all(first)).toEqual([[2], [], [6]]);
  expect(await other).toHaveLength(1);
  await waitOneTurn();
  expect(statements[2]?.rows).toEqual([4, 5]);
  statements[2]?.answer();
  expect(await Promise.all(second)).toEqual([[8], [10]]);
});

it('reports a failure to all reads of the batch, and continues', async () => {
  const { statements, ask } = setUp();
  const lost = Promise.allSettled([ask(1), ask(2)]);
  await waitOneTurn();
  const next = ask(3);
  statements[0]?.refuse(new Error('gone'));
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await waitOneTurn();
  statements[1]?.answer();
  expect(await next).toEqual([6]);
});
