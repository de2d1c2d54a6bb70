import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSettings, settingNames } from '../src/config.ts';

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name: string) => readFileSync(path(name), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json'));

/** The section under a heading. */
const section = (heading: string) => readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';

/** Code blocks of a text. */
const blocks = (text: string) => [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = '']) => code);

describe('the README', () => {
  it('[config.readme-table] has every setting once in its table, with the default that the service takes, and no other', () => {
    const rows = [...section('Settings').matchAll(/^\| `([A-Z_]+)` \| (\S.*?) \| \S/gm)].map(([, name = '', value = '']) => ({
      name,
      value: value.replaceAll('`', ''),
    }));
    expect(rows.map(({ name }) => name).sort()).toEqual([...settingNames].sort());
    const defaults = readSettings({}) as unknown as Record<string, unknown>;
    for (const { name, value } of rows) {
      if (value === 'unset') expect([null, [], 0], name).toContainEqual(defaults[name]);
      else if (value === 'derived') expect(defaults[name], name).toBeNull();
      else expect(readSettings({ [name]: value }), name).toEqual(defaults);
    }
  });

  it('[house.readme] says what it is, the two commands, and the settings', () => {
    expect(readme).toMatch(/^# Stoa\n\n\S.{80,}/);
    expect(blocks(section('Two commands'))).toEqual(['npm ci\nnpm start\n']);
    expect(section('Settings')).not.toBe('');
    for (const [, name = ''] of section('Command line').matchAll(/^\| `([a-z-]+)/gm)) expect(read('src/main.ts')).toContain(`.command('${name}`);
    for (const [, target = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) expect(() => accessSync(path(target)), target).not.toThrow();
  });
});

describe('the package', () => {
  it('[house.node] admits Node.js 20.19 and later, and its libraries do too', () => {
    expect(manifest.engines).toEqual({ node: '>=20.19' });
    expect(manifest.scripts.start).toBe('node dist/src/main.js serve');
  });

  it('[house.ci] has .ci/run, which runs the test command of the README and everything else that must hold', () => {
    accessSync(path('.ci/run'), constants.X_OK);
    const script = read('.ci/run');
    expect(script).toMatch(/^set -euo pipefail$/m);
    for (const line of ['npm ci', 'npm test', 'typecheck', 'lint', 'knip', 'import']) expect(script).toMatch(new RegExp(`^\\s*[^#\\n]*${line}`, 'm'));
    expect(readme).toContain('`npm test`');
    expect(readdirSync(path('.ci'))).toContain('run');
  });
});
