import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { readSettings, settingNames } from '../../src/config.ts';
import { createDatabase } from '../support/database.ts';
import type { Loose } from '../support/factories.ts';
import { serve, urlOf } from '../support/service.ts';

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name: string) => readFileSync(path(name), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json'));

/** The section under a heading. */
const section = (heading: string) =>
  readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';

/** Code blocks of a text. */
const blocks = (text: string) =>
  [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = '']) => code);

describe('the README', () => {
  it('[config.readme-table] has every setting once in its table, with the default that the service takes, and no other', () => {
    const rows = [...section('Settings').matchAll(/^\| `([A-Z0-9_]+)` \| (\S.*?) \| \S/gm)].map(
      ([, name = '', value = '']) => ({
        name,
        value: value.replaceAll('`', ''),
      }),
    );
    expect(rows.map(({ name }) => name).sort()).toEqual([...settingNames].sort());
    const defaults = readSettings({}) as unknown as Record<string, unknown>;
    for (const { name, value } of rows) {
      if (value === 'unset') expect([null, [], 0], name).toContainEqual(defaults[name]);
      else if (value === 'derived') expect(defaults[name], name).toBeNull();
      else expect(readSettings({ [name]: value }), name).toEqual(defaults);
    }
  });

  it('[house.readme] has five minutes with curl that work as they are written', async () => {
    const { connection, drop } = await createDatabase(inject('server'));
    const service = await serve({ DATABASE_URL: urlOf(connection) });
    const [steps = ''] = blocks(section('The first five minutes'));
    const script = steps.replace(/^STOA=\S+$/m, `STOA=${service.url}`);
    expect(script).toContain(`STOA=${service.url}\n`);
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script]);
    await service.end('SIGTERM');
    await drop();
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => undefined));
    const [joined, mentioned, answered, heard, messages, outcome] = answers;
    expect([joined.id, outcome.id]).toEqual([expect.any(String), messages.threadId]);
    expect(mentioned.events).toMatchObject([{ kind: 'mention', actorHandle: 'ada' }]);
    expect(answered.notified).toEqual([{ handle: 'ada', reason: 'mention' }]);
    expect(heard.events).toMatchObject([{ kind: 'mention', actorHandle: 'bob' }]);
    expect(messages.messages.map(({ authorHandle }: Loose) => authorHandle)).toEqual([
      'ada',
      'bob',
    ]);
  });

  it('[house.readme] says what it is, the two commands, and the settings', () => {
    expect(readme).toMatch(/^# Stoa\n\n\S.{80,}/);
    expect(blocks(section('Two commands'))).toEqual(['npm ci\nnpm start\n']);
    expect(section('Settings')).not.toBe('');
    for (const [, name = ''] of section('Command line').matchAll(/^\| `([a-z-]+)/gm))
      expect(read('src/main.ts')).toContain(`.command('${name}`);
    for (const [, target = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
      expect(() => accessSync(path(target)), target).not.toThrow();
  });
});

/** Whether a range of package.json admits Node.js 20.19; knows the forms ">=18", "^20.1 || >=22" and "20". */
const admits = (range: string): boolean =>
  range.split('||').some((part) => {
    const [, sign = '', major = '', minor = '0'] =
      /^(>=|\^)?\s*(\d+)(?:\.(\d+))?/.exec(part.trim()) ?? [];
    const [least, exact] = [Number(major) * 1000 + Number(minor), Number(major) === 20];
    return sign === '>=' ? least <= 20_019 : exact && least <= 20_019;
  });

describe('the package', () => {
  it('[house.node] admits Node.js 20.19 and every later one, and so does each library that it runs with', () => {
    expect(manifest.engines).toEqual({ node: '>=20.19' });
    expect([
      ['>=20.20', '^18 || >=22', '24', '>=21'].map(admits),
      ['>=0.4', '>= 10.x', '20 || >=22', '^16 || ^18 || >=20', '>=20.19.0'].map(admits),
    ]).toEqual([Array(4).fill(false), Array(5).fill(true)]);
    const libraries = Object.entries<Record<string, Loose>>(
      JSON.parse(read('package-lock.json')).packages,
    ).filter(([name, { dev }]) => name !== '' && !dev);
    expect(libraries.length).toBeGreaterThan(50);
    expect(
      libraries
        .filter(([, { engines }]) => engines?.node && !admits(engines.node))
        .map(([name]) => name),
    ).toEqual([]);
  });

  it('[house.node] is written against the interface of Node.js 20.19, and uses nothing of the language that came later', () => {
    // The types hold what Node.js offers; what JavaScript itself got later is in the compiler's library, but not in Node.js 20.
    expect(manifest.devDependencies['@types/node']).toMatch(/^20\.19\./);
    const later =
      /\b(Promise\.(withResolvers|try)|(Object|Map)\.groupBy|Array\.fromAsync|RegExp\.escape|Iterator\.from|Atomics\.waitAsync|import\.meta\.main)\b|\.(isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference|transferToFixedLength)\(|\bwith\s*\{\s*type:/;
    const sources = ['src', 'client'].flatMap((root) =>
      readdirSync(path(root), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${root}/${name}`,
      ),
    );
    expect(sources.filter((name) => name.endsWith('.ts') && later.test(read(name)))).toEqual([]);
    expect(later.test('const { promise } = Promise.withResolvers();')).toBe(true);
  });

  it('[house.ci] has .ci/run, which runs the test command of the README, everything else that must hold, and an import', () => {
    accessSync(path('.ci/run'), constants.X_OK);
    const script = read('.ci/run');
    expect(script).toMatch(/^set -euo pipefail$/m);
    for (const line of [
      'npm ci',
      'npm test',
      'typecheck',
      'lint',
      'knip',
      'first-five-minutes',
      'import',
    ])
      expect(script).toMatch(new RegExp(`^[^#\\n]*${line}`, 'm'));
    expect(readme).toContain('`npm test`');
  });
});
