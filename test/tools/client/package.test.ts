import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = join(root, 'client', 'src');
const built = join(root, 'client', 'dist');
// Below the project, so that `stoa-client` resolves to the built package as it does for a user.
const folder = join(root, 'node_modules', '.cache', `stoa-examples-${process.pid}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const listFiles = (path: string, end: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end) && !name.endsWith('.test.ts'))
    .map((name) => join(path, name));

const entries = Object.values(
  (
    JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8')) as {
      exports: Record<string, string>;
    }
  ).exports,
).map((path) => join(root, 'client', path));

/** The functions that an entry exports, with the methods of its classes; no error classes. */
async function listPublicFunctions(entry: string): Promise<string[]> {
  const exported = Object.entries((await import(entry)) as Record<string, unknown>);
  return exported.flatMap(([name, value]) => {
    if (typeof value !== 'function' || value.prototype instanceof Error) return [];
    const own = (of: object) =>
      Object.entries(Object.getOwnPropertyDescriptors(of))
        .filter(([key, { value: method }]) => key !== 'constructor' && typeof method === 'function')
        .map(([key]) => key);
    const methods = /^class/.test(String(value)) ? [...own(value), ...own(value.prototype)] : [];
    return [name, ...methods];
  });
}

/** Every docstring of the sources, with the declaration that follows it. */
const docstrings = listFiles(sources, '.ts').flatMap((path) => {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n *([^\n]*)/g)].map(
    ([, doc = '', declaration = '']) => ({ path, doc, declaration }),
  );
});

const toCode = (doc: string): string =>
  (doc.split('@example\n')[1] ?? '')
    .split('\n')
    .map((line) => line.replace(/^ *\* ?/, ''))
    .join('\n');

describe('the package stoa-client', () => {
  it('[client.examples] has a docstring with an example on every public function', async () => {
    const names = (await Promise.all(entries.map(listPublicFunctions))).flat();
    expect(names).toEqual(expect.arrayContaining(['open', 'follow', 'createClient', 'verifyHint']));
    for (const name of names) {
      const before = String.raw`(?:^|function\*?|const|class|async \*?|static async) ?`;
      const pattern = new RegExp(`${before}${name}\\b`);
      const found = docstrings.filter(({ declaration }) => pattern.test(declaration));
      expect(
        found.map(({ doc }) => doc.includes('@example')),
        name,
      ).toContain(true);
    }
  });

  it('[client.examples] [newcomer.breakage-1] compiles every example, as a user would', () => {
    mkdirSync(folder, { recursive: true });
    const examples = docstrings.filter(({ doc }) => doc.includes('@example'));
    expect(examples.length).toBeGreaterThan(15);
    for (const [nr, { doc, path }] of examples.entries()) {
      const name = `${nr}-${path.slice(sources.length + 1).replaceAll('/', '-')}`;
      writeFileSync(join(folder, name), `${toCode(doc)}\nexport {};\n`);
    }
    const readme = readFileSync(join(root, 'client/README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```js\n(.*?)^```/gms)];
    expect(blocks.length).toBeGreaterThan(3);
    for (const [nr, [, code = '']] of blocks.entries())
      writeFileSync(join(folder, `readme-${nr}.ts`), code);
    const options = {
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      noEmit: true,
      types: ['node'],
      skipLibCheck: false,
    };
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  it('[client.stands-alone] imports only itself, and what verification needs', () => {
    const allowed = new Map([
      ['canonicalize', /^(receipts|cases)\//],
      ['jose', /^receipts\//],
      ['node:fs/promises', /^agent\/(file-store|lock-file)\./],
      ['node:path', /^agent\/file-store\./],
      ['node:fs', /^agent\/file-store\./],
    ]);
    const files = [...listFiles(built, '.js'), ...listFiles(built, '.d.ts')];
    expect(files.length).toBeGreaterThan(50);
    for (const path of files) {
      const name = path.slice(built.length + 1);
      const code = readFileSync(path, 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, '');
      for (const [, from = ''] of code.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)) {
        if (!from.startsWith('.')) expect(name, from).toMatch(allowed.get(from) ?? /^nowhere$/);
        else
          expect(join(dirname(path), from).startsWith(`${built}/`), `${name}: ${from}`).toBe(true);
      }
    }
  });
});
