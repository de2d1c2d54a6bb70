import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/operations.ts';

const root = join(import.meta.dirname, '../../..');
const listSources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

/** Reasons that the sources of a feature give with an error. */
const listReasons = (feature: string): string[] =>
  listSources(join(root, 'src/features', feature)).flatMap((text) =>
    [...text.matchAll(/(?:reason: |notEligibleError\(\s*)'([a-z_]+)'/g)].map(
      ([, reason = '']) => reason,
    ),
  );

describe.each([
  { document: 'tasks', features: ['tasks'] },
  { document: 'credits', features: ['credits', 'offers'] },
])('docs/$document.md', ({ document, features }) => {
  const text = readFileSync(join(root, 'docs', `${document}.md`), 'utf8');
  const [, table = ''] = /^## Errors\n([\s\S]*?)^## /m.exec(text) ?? [];

  it('[credits.error-docs] names every code that an operation declares', () => {
    const codes = operations
      .filter(({ spec }) => features.includes(spec.tag))
      .flatMap(({ spec }) => ('errors' in spec ? [...spec.errors] : []));
    expect(codes.length).toBeGreaterThan(8);
    expect(codes.filter((code) => !table.includes(`\`${code}\``))).toEqual([]);
  });

  it('[credits.error-docs] names every reason', () => {
    const reasons = features.flatMap(listReasons);
    expect(reasons.length).toBeGreaterThan(3);
    expect(reasons.filter((reason) => !table.includes(`\`${reason}\``))).toEqual([]);
  });
});
