import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registry } from '../operations/fixture.ts';

const glossary = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');

const toSnakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe('the glossary', () => {
  it('[house.words] has every operation whose tool differs in more than case, and no other', () => {
    const differing = registry.flatMap(({ name, tool }) =>
      tool !== undefined && tool !== toSnakeCase(name) ? [`| \`${name}\` | \`${tool}\` |`] : [],
    );
    const listed = glossary.match(/^\| `\w+` \| `\w+` \|/gm) ?? [];
    expect(listed.toSorted()).toEqual(differing.toSorted());
  });

  it('[house.words] has about forty terms, each with what it is not', () => {
    const terms = [...glossary.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].filter(
      ([, word = '']) => !/^`|^Word|^Operation|^---/.test(word),
    );
    expect(terms.length).toBeGreaterThanOrEqual(40);
    for (const [row, , meaning, not] of terms) {
      expect(meaning?.trim(), row).not.toBe('');
      expect(not?.trim(), row).not.toBe('');
    }
  });
});
