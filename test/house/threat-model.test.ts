import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { requirements } from '../requirements.ts';

it('[house.threat-model] names requirements that exist, and one for each attack', () => {
  const text = readFileSync(new URL('../../docs/threat-model.md', import.meta.url), 'utf8');
  const [, held = ''] = text.split('## What holds\n');
  const rows = held.split('\n').filter((line) => /^\| (?!Attack|-)/.test(line));
  expect(rows.length).toBeGreaterThan(15);
  for (const row of rows) {
    const names = [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    expect(names.length, row).toBeGreaterThan(0);
    for (const name of names) expect(Object.keys(requirements)).toContain(name);
  }
});
