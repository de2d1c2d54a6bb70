import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * The table of docs: which file may import which. A layer is what a file is for; the first pattern that fits names it.
 * Roots put things together and may import everything.
 */
const layers: readonly (readonly [layer: string, pattern: RegExp])[] = [
  ['root', /^(app|main|outside|describe-installation|cli\/.+)\.ts$/],
  ['registry', /^operations\.ts$/],
  ['config', /^(config|version)\.ts$/],
  ['kernel', /^kernel\//],
  ['blobs', /^blobs\//],
  ['db', /^db\//],
  ['http', /^http\//],
  ['mcp', /^mcp\//],
  ['jobs', /^jobs\//],
  ['import', /^import\//],
  ['client', /^\.\.\/client\//],
  ['index', /^features\/[^/]+\/index\.ts$/],
  ['store', /^features\/[^/]+\/([^/]+\.)?store\.ts$/],
  ['rules', /^features\/[^/]+\/(([^/]+\.)?rules|transitions)\.ts$/],
  ['schemas', /^features\/[^/]+\/([^/]+\.)?schemas\.ts$/],
  ['job', /^features\/[^/]+\/[^/]+\.job\.ts$/],
  ['rows', /^features\/[^/]+\/[^/]+-rows\.page\.ts$/],
  ['page', /^features\/[^/]+\/[^/]+\.page\.ts$/],
  ['operation', /^features\/[^/]+\/[^/]+\.ts$/],
];

/** What each layer may import: from anywhere, and (`own`) only from its own feature. */
const table: Readonly<
  Record<string, { readonly any: readonly string[]; readonly own?: readonly string[] }>
> = {
  registry: { any: ['index'] },
  config: { any: ['kernel', 'config'] },
  kernel: { any: ['kernel', 'blobs', 'db'] },
  blobs: { any: ['blobs'] },
  db: { any: ['db'] },
  http: { any: ['http', 'kernel', 'registry'] },
  mcp: { any: ['mcp', 'kernel', 'registry'] },
  // It knows the work of features, and nothing of their operations.
  jobs: { any: ['jobs', 'kernel', 'job', 'store'] },
  // An ordinary client: it knows the service over HTTP only.
  import: { any: ['import', 'client'] },
  index: { any: [], own: ['operation'] },
  store: { any: ['db', 'kernel'], own: ['schemas', 'store'] },
  rules: { any: ['rules', 'kernel'] },
  schemas: { any: ['schemas', 'kernel'] },
  // One that answers with a page.
  operation: { any: ['kernel', 'store', 'rules', 'schemas'], own: ['operation', 'page'] },
  job: { any: ['kernel', 'store', 'rules', 'schemas'], own: ['operation', 'job'] },
  page: { any: ['kernel', 'store', 'rules', 'schemas', 'rows'], own: ['operation', 'page'] },
  // Things of one kind as a list: they look alike on every page.
  rows: { any: ['kernel', 'schemas'] },
};

/** Imports beyond the table, and why each is right. One that is not needed any more fails the test. */
const exceptions: Readonly<Record<string, string>> = {
  'store > rules': 'the bits and names of a column are pure facts of the rules',
  'schemas > rules': 'enums on the wire are the names that the rules know',
  'rules > schemas': 'types and constants of records, nothing that runs',
  'http > db/errors.ts': 'an unreachable store is told from a defect',
  'http > blobs/blobs.ts': 'the same, and what a range is',
  'import > kernel/clock.ts': 'clock and chance come from the one place that has them',
  'import > kernel/ids.ts': 'the same',
  'import > kernel/text.ts': 'it cuts names by the rules by which they are checked',
  'import > features/export/schemas.ts': 'the format of an export is written down once',
  'import > kernel/validate.ts': 'its records are held to that schema',
  'job > db/database.ts': 'a type: a job opens its own transactions',
  'features/log/integrate.job.ts > features/receipts/payload.ts':
    'pure, like rules, but a file of its own',
  'operation > db/database.ts':
    'types: parts of handlers say what they read from, and what the command line runs has no handler',
  'features/receipts/store.ts > features/receipts/payload.ts':
    'a type: what a payload is made from',
  'features/interactions/references.ts > features/receipts/subjects.ts':
    'what a receipt is about is known there alone, and decides who may refer to it',
  'operation > features/interactions/references.ts':
    'who may refer to what is decided once, for all evidence',
  'operation > features/interactions/submit.ts':
    'evidence is submitted in one way, whatever it is about',
  'features/campaigns/dispatch-campaign.ts > features/threads/start-thread.ts':
    'a notice goes the way of every other first message',
  'features/research/read-export-data.ts > features/export/open-exports.ts':
    'one limit on all exports that an agent reads at once',
  'features/threads/create-thread.ts > features/messages/mentions.ts':
    'pure, like rules, but a file of its own',
};

/** Readers of clock, chance and environment beside the kernel and config.ts. */
const readers: Readonly<Record<string, RegExp>> = {
  'it starts the process': /^(main\.ts$|cli\/)/,
  'it waits for processes of the machine and names temporary files; nothing of it reaches a record':
    /^db\/embedded\//,
};

const root = fileURLToPath(new URL('../src/', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test|testbed)\.ts$/.test(file),
);
const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
const sources = new Map(
  files.map((file) => [file, withoutComments(readFileSync(join(root, file), 'utf8'))]),
);

const layerOf = (file: string): string =>
  layers.find(([, pattern]) => pattern.test(file))?.[0] ?? 'nowhere';
const featureOf = (file: string) => /^features\/([^/]+)\//.exec(file)?.[1];

/** Imports of files of our own; `type` ones are gone when the code runs. */
const imports = [...sources].flatMap(([from, text]) =>
  [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/g,
    ),
  ].map(([, type, path, lazy]) => ({
    from,
    to: normalize(join(dirname(from), path ?? lazy ?? '')),
    type: type !== undefined,
  })),
);

const used = new Set<string>();

/** What is wrong with an import, or undefined. */
function fault({ from, to }: { readonly from: string; readonly to: string }): string | undefined {
  const [layer, target] = [layerOf(from), layerOf(to)];
  if (layer === 'root') return undefined;
  const may = table[layer];
  if (
    may?.any.includes(target) ||
    (featureOf(from) === featureOf(to) && may?.own?.includes(target))
  )
    return undefined;
  const exception = [`${layer} > ${target}`, `${layer} > ${to}`, `${from} > ${to}`].find(
    (name) => name in exceptions,
  );
  if (exception === undefined) return `${from} (${layer}) imports ${to} (${target})`;
  used.add(exception);
  return undefined;
}

/** A circle of imports that are there when the code runs, or undefined. */
function circle(): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const { to } of imports.filter(({ from, type }) => from === file && !type)) {
      const found = visit(to, [...path, file]);
      if (found) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of files) {
    const found = visit(file, []);
    if (found) return found;
  }
  return undefined;
}

const filesWith = (pattern: RegExp, allowed: (file: string) => boolean) =>
  [...sources].flatMap(([file, text]) => (pattern.test(text) && !allowed(file) ? [file] : []));

describe('the house', () => {
  it('[house.imports] every file imports only what its layer may', () => {
    expect(files.length).toBeGreaterThan(150);
    expect(imports.length).toBeGreaterThan(files.length);
    expect(files.filter((file) => layerOf(file) === 'nowhere')).toEqual([]);
    expect(imports.filter(({ to }) => !sources.has(to) && layerOf(to) !== 'client')).toEqual([]);
    expect(imports.flatMap((one) => fault(one) ?? [])).toEqual([]);
    expect(Object.keys(exceptions).filter((name) => !used.has(name))).toEqual([]);
  });

  it('[house.imports] the check finds what it looks for', () => {
    expect(fault({ from: 'features/rooms/get-room.ts', to: 'http/headers.ts' })).toBeDefined();
    expect(fault({ from: 'features/rooms/get-room.ts', to: 'config.ts' })).toBeDefined();
    expect(
      fault({ from: 'features/rooms/get-room.ts', to: 'features/threads/get-thread.ts' }),
    ).toBeDefined();
    expect(
      fault({ from: 'features/rooms/store.ts', to: 'features/threads/store.ts' }),
    ).toBeDefined();
    expect(fault({ from: 'kernel/execute.ts', to: 'operations.ts' })).toBeDefined();
    expect(fault({ from: 'db/database.ts', to: 'kernel/clock.ts' })).toBeDefined();
    expect(imports).toContainEqual({
      from: 'features/rooms/store.ts',
      to: 'kernel/access.ts',
      type: false,
    });
    expect(imports).toContainEqual({
      from: 'features/rooms/store.ts',
      to: 'features/rooms/schemas.ts',
      type: true,
    });
  });

  it('[house.imports] nothing imports itself in a circle', () => {
    expect(circle()).toBeUndefined();
  });

  it('[house.imports] only the kernel and config.ts read clock, chance and environment', () => {
    const direct =
      /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bprocess\.(env|hrtime)\b|\bperformance\.now\b|\brandom(UUID|Bytes|Int)\(|\bgetRandomValues\b/;
    const allowed = (file: string) =>
      ['kernel/clock.ts', 'kernel/ids.ts', 'config.ts'].includes(file) ||
      Object.values(readers).some((reader) => reader.test(file));
    expect(filesWith(direct, allowed)).toEqual([]);
    expect(filesWith(direct, () => false)).toEqual(
      expect.arrayContaining(['kernel/clock.ts', 'kernel/ids.ts']),
    );
  });

  it('[house.imports] rules are pure: nothing async, no clock, no chance', () => {
    const impure = /\basync\b|\bawait\b|\bPromise\b|\bDate\b|\brandom/;
    expect(filesWith(impure, (file) => layerOf(file) !== 'rules')).toEqual([]);
  });

  it('[house.imports] nobody asks URL.canParse, which forgets itself (kernel/url.ts says how)', () => {
    expect(filesWith(/\bURL\.canParse\(/, () => false)).toEqual([]);
  });

  it('[house.imports] SQL stands in stores, in the kernel and in db', () => {
    expect(
      filesWith(/\bsql`/, (file) => ['store', 'kernel', 'db'].includes(layerOf(file))),
    ).toEqual([]);
  });
});
