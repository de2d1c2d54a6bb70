import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSettings, settingNames } from '../../src/config.ts';
import { requirements } from '../requirements.ts';
import type { Json } from '../support/factories.ts';
import { runCommand } from '../support/service.ts';

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const read = (name: string) => readFileSync(path(name), 'utf8');
const readme = read('README.md');
const settings = read('docs/settings.md');
const commandList = read('docs/commands.md');
const manifest = JSON.parse(read('package.json'));

/** Finds the section under a heading. */
const getSection = (heading: string) =>
  readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';

/** Lists the code blocks of a text. */
const listCodeBlocks = (text: string, language = 'sh') =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter(([, found]) => found === language)
    .map(([, , code = '']) => code);

/** Lists the commands of the built program, such as "doctor" and "admin-key create". */
async function listCommands(): Promise<string[]> {
  const listNames = async (words: string) =>
    [...(await runCommand(words)).out.matchAll(/^ {2}([a-z]+(?:-[a-z]+)*)(?= |$)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'help');
  const names = await listNames('--help');
  const all = await Promise.all(
    names.map(async (name) => {
      const more = await listNames(`${name} --help`);
      return more.length === 0 ? [name] : more.map((word) => `${name} ${word}`);
    }),
  );
  return all.flat();
}

describe('docs/settings.md', () => {
  it('[config.settings-tables] has every setting in one table with its real default', () => {
    const rows = [...settings.matchAll(/^\| `([A-Z0-9_]+)` \| (\S.*?) \| \S/gm)].map(
      ([, name = '', value = '']) => ({
        name,
        value: value.replaceAll('`', ''),
      }),
    );
    expect(rows.map(({ name }) => name).sort()).toEqual([...settingNames].sort());
    const defaults = readSettings({}) as unknown as Record<string, unknown>;
    for (const { name, value } of rows) {
      if (value === 'unset') expect([null, [], {}, 0], name).toContainEqual(defaults[name]);
      else if (value === 'derived') expect(defaults[name], name).toBeNull();
      else expect(readSettings({ [name]: value }), name).toEqual(defaults);
    }
  });

  it('[config.settings-tables] says what each setting does in one sentence', () => {
    const meanings = [...settings.matchAll(/^\| `[A-Z0-9_]+` \| [^|]+ \| ([^|]+) \|$/gm)];
    expect(meanings).toHaveLength(settingNames.length);
    for (const [row, meaning = ''] of meanings)
      expect(meaning, row).toMatch(/^(?:[A-Z0-9]|`[^`]+` [a-z]).*\.$/);
  });
});

describe('README.md', () => {
  it('[house.readme] has an agent of 15 lines in two languages, the same as in examples', () => {
    const [typescript = ''] = listCodeBlocks(getSection('Your first agent'), 'js');
    const [python = ''] = listCodeBlocks(getSection('Your first agent'), 'python');
    // `.ci/first-five-minutes` runs both; test/tools/client kills the first one again and again.
    expect(typescript).toBe(read('examples/agent.ts'));
    expect(python).toBe(read('examples/agent.py'));
    for (const program of [typescript, python])
      expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    expect(readme).not.toMatch(/\| *sed\b/);
  });

  it('[cli.commands] lists the commands of the contract, and every command there is', async () => {
    const contract = [
      ...(requirements['cli.commands']?.text ?? '').matchAll(/`([a-z-]+)(?: ([a-z|]+))?[^`]*`/g),
    ].flatMap(([, command = '', more = '']) =>
      more === '' ? [command] : more.split('|').map((word) => `${command} ${word}`),
    );
    expect(contract.length).toBe(11);
    const commands = await listCommands();
    expect(contract.filter((command) => !commands.includes(command))).toEqual([]);
    const listed = [...commandList.matchAll(/^\| `([a-z-]+)(?: ([a-z]+))?[^|]*?(?=\|)/gm)].flatMap(
      ([cell, command = '', first = '']) => {
        if (!commands.some((known) => known.startsWith(`${command} `))) return [command];
        const others = [...cell.matchAll(/, `([a-z]+)/g)].map(([, word]) => word);
        return [first, ...others].map((word) => `${command} ${word}`);
      },
    );
    expect(listed.sort()).toEqual(commands.sort());
  });

  it('[house.readme] states what the service is, the two commands and the settings', () => {
    expect(readme).toMatch(/^# Stoa\n\n\S.{80,}/);
    expect(listCodeBlocks(getSection('Two commands'))).toEqual(['npm ci\nnpm start\n']);
    for (const file of ['docs/settings.md', 'docs/commands.md'])
      expect(getSection('Settings and commands')).toContain(`](${file})`);
    for (const [folder, text] of [
      ['', readme],
      ['docs/', settings],
      ['docs/', commandList],
    ] as const)
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g))
        expect(() => accessSync(path(folder + target)), target).not.toThrow();
  });
});

/**
 * Returns whether a range of package.json admits Node.js 20.19. It understands the forms ">=18",
 * "^20.1 || >=22" and "20".
 */
const satisfiesRange = (range: string): boolean =>
  range === '*' ||
  range.split('||').some((part) => {
    const [, sign = '', major = '', minor = '0'] =
      /^(>=|\^)?\s*(\d+)(?:\.(\d+))?/.exec(part.trim()) ?? [];
    const least = Number(major) * 1000 + Number(minor);
    const exact = Number(major) === 20;
    return sign === '>=' ? least <= 20_019 : exact && least <= 20_019;
  });

describe('package.json', () => {
  it('[house.node] admits Node.js from 20.19 on, as do all its libraries', () => {
    expect(manifest.engines).toEqual({ node: '>=20.19' });
    expect({
      refused: ['>=20.20', '^18 || >=22', '24', '>=21'].map(satisfiesRange),
      admitted: ['*', '>=0.4', '>= 10.x', '20 || >=22', '^16 || ^18 || >=20', '>=20.19.0'].map(
        satisfiesRange,
      ),
    }).toEqual({ refused: Array(4).fill(false), admitted: Array(6).fill(true) });
    const libraries = Object.entries<Record<string, Json>>(
      JSON.parse(read('package-lock.json')).packages,
    ).filter(([name, { dev }]) => name !== '' && !dev);
    expect(libraries.length).toBeGreaterThan(50);
    expect(
      libraries
        .filter(([, { engines }]) => engines?.node && !satisfiesRange(engines.node))
        .map(([name]) => name),
    ).toEqual([]);
  });

  it('[house.node] compiles against Node.js 20.19 and its language level', () => {
    // The types restrict what Node.js offers. The compiler's library has later additions to
    // JavaScript itself that Node.js 20.19 lacks.
    expect(manifest.devDependencies['@types/node']).toMatch(/^20\.19\./);
    const functions = [
      'Promise\\.(withResolvers|try)',
      '(Object|Map)\\.groupBy',
      'Array\\.fromAsync',
      'RegExp\\.escape',
      'Iterator\\.from',
      'Atomics\\.waitAsync',
      'import\\.meta\\.main',
    ];
    const methods = [
      'isSubsetOf',
      'isSupersetOf',
      'isDisjointFrom',
      'symmetricDifference',
      'transferToFixedLength',
    ];
    const later = new RegExp(
      `\\b(${functions.join('|')})\\b|\\.(${methods.join('|')})\\(|\\bwith\\s*\\{\\s*type:`,
    );
    const sources = ['src', 'client'].flatMap((root) =>
      readdirSync(path(root), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${root}/${name}`,
      ),
    );
    expect(sources.filter((name) => name.endsWith('.ts') && later.test(read(name)))).toEqual([]);
    expect(later.test('const { promise } = Promise.withResolvers();')).toBe(true);
  });

  it('[house.ci] has a .ci/run that runs tests, checks and an import', () => {
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
