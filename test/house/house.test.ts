import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCircle, type Import, listImports, readSources } from '../../scripts/house/sources.ts';
import { clockReaders, exceptions, kernelTables, layers, mayImport } from './layers.ts';

const shipped = readSources(fileURLToPath(new URL('../../', import.meta.url))).filter(
  ({ path }) => /^(src|client)\//.test(path) && !/\.test\.ts$/.test(path),
);

/** A path relative to `src`; the client is `../client`. */
const toSrcPath = (path: string) => (path.startsWith('src/') ? path.slice(4) : `../${path}`);

const sources = new Map(
  shipped
    .filter(({ path }) => path.startsWith('src/'))
    .map((source) => [toSrcPath(source.path), source]),
);
const files = [...sources.keys()];
const imports: readonly Import[] = listImports(shipped)
  .filter(({ from }) => from.startsWith('src/'))
  .map(({ from, to, isType }) => ({ from: toSrcPath(from), to: toSrcPath(to), isType }));

const findLayer = (file: string): string =>
  layers.find(([, pattern]) => pattern.test(file))?.[0] ?? 'nowhere';
const findFeature = (file: string) => /^features\/([^/]+)\//.exec(file)?.[1];

const usedExceptions = new Set<string>();

/** Says what is wrong with an import, or undefined. */
function findFault({ from, to }: Pick<Import, 'from' | 'to'>): string | undefined {
  const layer = findLayer(from);
  if (layer === 'nowhere') return `${from} fits no pattern of test/house/layers.ts: move it.`;
  const target = findLayer(to);
  if (layer === 'root') return undefined;
  const allowed = mayImport[layer];
  const isOwn = findFeature(from) === findFeature(to);
  if (allowed?.any.includes(target) || (isOwn && allowed?.own?.includes(target))) return undefined;
  const candidates = [`${layer} > ${target}`, `${layer} > ${to}`, `${from} > ${to}`];
  const exception = candidates.find((name) => name in exceptions);
  if (exception === undefined) return `${from} (${layer}) imports ${to} (${target})`;
  usedExceptions.add(exception);
  return undefined;
}

/** Files whose code matches a pattern, but those that may. */
const findFiles = (pattern: RegExp, mayMatch: (file: string) => boolean): string[] =>
  [...sources].flatMap(([file, { code }]) => (pattern.test(code) && !mayMatch(file) ? [file] : []));

/** Tables after FROM, JOIN, INTO and UPDATE in the SQL of a file, without its WITH queries. */
function listTables(text: string): string[] {
  const named = [...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)\b(?!\s*\()/g)];
  const tables = new Set(named.map(([, table = '']) => table));
  return [...tables].filter(
    (table) => !new RegExp(`\\b${table} AS (MATERIALIZED )?\\(`).test(text),
  );
}

describe('the house', () => {
  it('[house.imports] every file imports only what its layer may', () => {
    expect(files.length).toBeGreaterThan(150);
    expect(imports.length).toBeGreaterThan(files.length);
    expect(files.filter((file) => findLayer(file) === 'nowhere')).toEqual([]);
    expect(imports.filter(({ to }) => !sources.has(to) && findLayer(to) !== 'client')).toEqual([]);
    expect(imports.flatMap((one) => findFault(one) ?? [])).toEqual([]);
    expect(Object.keys(exceptions).filter((name) => !usedExceptions.has(name))).toEqual([]);
  });

  it.each([
    ['features/rooms/get-room.ts', 'http/response-headers.ts'],
    ['features/rooms/get-room.ts', 'config.ts'],
    ['features/rooms/get-room.ts', 'features/threads/get-thread.ts'],
    ['features/rooms/store.ts', 'features/threads/store.ts'],
    ['kernel/pipeline/execute.ts', 'operations.ts'],
    ['kernel/html/page.ts', 'db/database.ts'],
    ['kernel/html/page.ts', 'kernel/operation/spec.ts'],
    ['kernel/callers/callers.ts', 'kernel/operation/any-operation.ts'],
    ['outgoing/dial.ts', 'db/database.ts'],
    ['db/database.ts', 'kernel/clock.ts'],
  ])('[house.imports] %s may not import %s', (from, to) => {
    expect(findFault({ from, to })).toBeDefined();
  });

  it('[house.imports] imports are found, of values and of types', () => {
    const from = 'features/rooms/store.ts';
    expect(imports).toContainEqual({ from, to: 'kernel/access.ts', isType: false });
    expect(imports).toContainEqual({ from, to: 'db/database.ts', isType: true });
  });

  it('[house.imports] no file imports itself over others, types included', () => {
    expect(findCircle(imports)).toBeUndefined();
  });

  it('[house.imports] only the kernel and config.ts read clock, chance and environment', () => {
    const readers = [
      /\bDate\.now\b/,
      /\bnew Date\(\s*\)/,
      /\bMath\.random\b/,
      /\bprocess\.(env|hrtime)\b/,
      /\bperformance\.now\b/,
      /\brandom(UUID|Bytes|Int)\(/,
      /\bgetRandomValues\b/,
    ];
    const direct = new RegExp(readers.map(({ source }) => source).join('|'));
    const mayRead = (file: string) =>
      ['kernel/clock.ts', 'kernel/ids.ts', 'config.ts'].includes(file) ||
      Object.values(clockReaders).some((reader) => reader.test(file));
    expect(findFiles(direct, mayRead)).toEqual([]);
    expect(findFiles(direct, () => false)).toEqual(
      expect.arrayContaining(['kernel/clock.ts', 'kernel/ids.ts']),
    );
  });

  it('[house.imports] rules are pure: nothing async, no clock, no chance', () => {
    const impure = /\basync\b|\bawait\b|\bPromise\b|\bDate\b|\brandom/;
    expect(findFiles(impure, (file) => findLayer(file) !== 'rules')).toEqual([]);
  });

  it('[house.imports] nobody calls URL.canParse (kernel/schema/url.ts says why)', () => {
    expect(findFiles(/\bURL\.canParse\(/, () => false)).toEqual([]);
  });

  it('[house.imports] SQL is in files named *.store.ts, *access.ts and in db', () => {
    const mayHaveSql = (file: string) =>
      /(^|[./])store\.ts$/.test(file) ||
      /^kernel\/(\w+-)?access\.ts$/.test(file) ||
      file.startsWith('db/');
    expect(findFiles(/\bsql`/, mayHaveSql)).toEqual([]);
    expect(findFiles(/\bsql`/, () => false)).toContain('kernel/access.ts');
  });

  it('[house.imports] no file of the kernel names a table of a feature but *access.ts', () => {
    const foreign = files
      .filter((file) => file.startsWith('kernel/') && file.endsWith('store.ts'))
      .flatMap((file) => {
        const own = kernelTables[file.split('/').slice(0, 2).join('/')] ?? [];
        const tables = listTables(sources.get(file)?.text ?? '');
        return tables.filter((table) => !own.includes(table)).map((table) => `${file}: ${table}`);
      });
    expect(foreign).toEqual([]);
  });

  it('[house.names] two files outside the role names do not share a name', () => {
    const roles = /^((subject|audit|deletion)\.)?(store|rules|schemas|index|transitions)\.ts$/;
    const names = shipped.map(({ path }) => path.split('/').at(-1) ?? '');
    const twins = names.filter((name, index) => !roles.test(name) && names.indexOf(name) !== index);
    expect(twins).toEqual([]);
  });
});
