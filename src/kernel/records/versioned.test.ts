import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claimMachine } from '../../features/identity/transitions.ts';
import { evidenceMachine, interactionMachine } from '../../features/interactions/transitions.ts';
import { trustMachine } from '../../features/trust/transitions.ts';
import {
  assertMayAddVersion,
  assertVersion,
  computeDigest,
  getNextState,
  MAX_VERSIONS,
  type StateMachine,
} from './versioned.ts';

/**
 * Each machine of records as its public document prints it: state, trigger, next state. Whatever is
 * not here is refused.
 */
const tables: readonly (readonly [
  name: string,
  machine: StateMachine<string, string>,
  rows: readonly string[],
])[] = [
  [
    'interaction',
    interactionMachine,
    [
      'recorded, revise: recorded',
      'recorded, withdraw: withdrawn',
      'recorded, submit evidence for: recorded',
      'recorded, withdraw evidence of: recorded',
      'withdrawn, withdraw evidence of: withdrawn',
    ],
  ],
  ['evidence', evidenceMachine, ['submitted, withdraw: withdrawn']],
  ['identity claim', claimMachine, ['declared, revise: declared', 'declared, withdraw: withdrawn']],
  ['trust', trustMachine, ['current, replace: current', 'current, revoke: revoked']],
];

/**
 * The rows of the table of states in a document, as the tables above have them; those in which
 * something begins are left out.
 */
function readDocumentedTable(name: string): string[] {
  const text = readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
  const section = text.split('## States')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (`.*) \|$/gm)].flatMap(([, row = '']) => {
    const cells = row.split(' | ');
    const next = cells.at(-1) as string;
    return [...(cells[0] as string).matchAll(/`(\w+)`/g)].map(
      ([, state]) => `${state}, ${cells[1]?.split(':')[0]}: ${/^`(\w+)`/.exec(next)?.[1] ?? state}`,
    );
  });
}

describe('a machine of records', () => {
  it.for([
    ['interactions', 'interaction'],
    ['identity', 'identity claim'],
    ['trust', 'trust'],
  ])('[record.documents] is the table of docs/%s.md', ([document, name]) => {
    const [, , rows = []] = tables.find(([one]) => one === name) ?? [];
    expect(readDocumentedTable(document as string).sort()).toEqual(
      rows.map((row) => row.replace(/ (for|of):/, ':')).sort(),
    );
  });

  it.for(tables)('[record.state] %s', ([, machine, rows]) => {
    const states = Object.keys(machine);
    const triggers = [...new Set(Object.values(machine).flatMap((from) => Object.keys(from)))];
    const allowed: string[] = [];
    for (const state of states)
      for (const trigger of triggers) {
        try {
          allowed.push(`${state}, ${trigger}: ${getNextState(machine, state, trigger)}`);
        } catch (error) {
          expect(error).toMatchObject({ code: 'state_conflict', members: { state } });
        }
      }
    expect(allowed.sort()).toEqual([...rows].sort());
    for (const row of rows) expect(states).toContain(row.split(': ')[1]);
  });
});

it('[record.conflict] another version than the current one is a conflict that names it', () => {
  expect(() => assertVersion({ version: 3 }, 3)).not.toThrow();
  for (const expected of [1, 2, 4])
    expect(() => assertVersion({ version: 3 }, expected)).toThrow(
      expect.objectContaining({ code: 'version_conflict', members: { currentVersion: 3 } }),
    );
});

it('[record.limit] a record stops growing', () => {
  expect(() => assertMayAddVersion({ version: MAX_VERSIONS - 1 })).not.toThrow();
  expect(() => assertMayAddVersion({ version: MAX_VERSIONS })).toThrow(
    expect.objectContaining({ code: 'limit_exceeded', members: { limit: MAX_VERSIONS } }),
  );
  expect(() => assertMayAddVersion({ version: 20 }, 20)).toThrow(
    expect.objectContaining({ members: { limit: 20 } }),
  );
});

it('[record.receipt] the digest is of version, state and content in any order of members', () => {
  const digest = computeDigest({
    version: 1,
    state: 'recorded',
    content: { b: 1, a: { d: null, c: 'é' } },
  });
  expect(
    computeDigest({ content: { a: { c: 'é', d: null }, b: 1 }, state: 'recorded', version: 1 }),
  ).toEqual(digest);
  expect(
    computeDigest({ version: 2, state: 'recorded', content: { b: 1, a: { d: null, c: 'é' } } }),
  ).not.toEqual(digest);
  expect(
    computeDigest({ version: 1, state: 'withdrawn', content: { b: 1, a: { d: null, c: 'é' } } }),
  ).not.toEqual(digest);
});
