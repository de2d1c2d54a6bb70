import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { areas, requirements } from '../requirements.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const self = join('test', 'requirements', 'requirements.test.ts');

const files = ['src', 'client', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file),
    ),
  )
  .filter((file) => file.endsWith('.test.ts') && file !== self);

/**
 * Ids that test titles cite, with the file of each: a title is a text that begins with ids in
 * square brackets.
 */
const listCitations = (file: string, text: string) =>
  [...text.matchAll(/(['"`])((?:\[[a-z0-9]+\.[a-z0-9-]+\] ?)+)/g)].flatMap(([, , ids = '']) =>
    [...ids.matchAll(/\[([^\]]+)\]/g)].map(([, id = '']) => ({ file, id })),
  );

const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
const cited = texts.flatMap(([file, text]) => listCitations(file, text));

describe('the requirements', () => {
  it('are all cited by a test', () => {
    const known = new Set(cited.map(({ id }) => id));
    expect(Object.keys(requirements).filter((id) => !known.has(id))).toEqual([]);
  });

  it('are all that tests cite', () => {
    expect(cited.filter(({ id }) => !(id in requirements))).toEqual([]);
    expect(
      listCitations('x', `it('[one.two] [three.four-5] does', ...); it(\`[six.seven] \${x}\`)`).map(
        ({ id }) => id,
      ),
    ).toEqual(['one.two', 'three.four-5', 'six.seven']);
  });

  it('are not cited by a test that is switched off', () => {
    expect(
      texts
        .filter(([, text]) => /\b(it|test|describe)\.(skip|todo|only|fails)\b/.test(text))
        .map(([file]) => file),
    ).toEqual([]);
  });

  it('have an id once each', () => {
    // An object cannot tell: of two members with one name it keeps the last. So the sources are
    // read.
    const ids = Object.keys(areas).flatMap((area) => {
      const file = `${area.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
      const text = readFileSync(join(root, 'test/requirements', file), 'utf8');
      return [...text.matchAll(/^ {2}'([a-z0-9]+\.[a-z0-9-]+)': \{/gm)].map(([, id = '']) => id);
    });
    expect(ids.toSorted()).toEqual(Object.keys(requirements).toSorted());
  });

  it('have a source and a sentence', () => {
    for (const [id, { source, text }] of Object.entries(requirements)) {
      expect(source, id).not.toBe('');
      expect(text, id).toMatch(/^\S.*[.!]$/);
    }
  });
});
