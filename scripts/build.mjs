// Builds client/dist and dist when a source is newer than the last build, or always.
// Usage: node scripts/build.mjs [--always]
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, 'dist', '.tsbuildinfo');
const inputs = ['src', 'client/src', 'examples', 'bench', 'scripts'];
const files = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'client/package.json',
  'client/tsconfig.json',
];
// The examples import the client's package, so that comes first.
const projects = ['client/tsconfig.json', 'tsconfig.build.json'];

/** When a file was changed, in milliseconds; 0 when there is none. */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Folders count too: their time tells when a file was added or removed. */
const newestIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).reduce(
    (newest, name) => Math.max(newest, changedAt(join(root, folder, name))),
    changedAt(join(root, folder)),
  );

/** Where each folder of sources is built to. */
const outputs = [
  ...['src', 'client/src', 'examples', 'bench', 'scripts'].map((folder) => [
    folder,
    `dist/${folder}`,
  ]),
  ['client/src', 'client/dist'],
];

/** Removes what was built from sources that are gone, so that no package has it. */
function removeOrphans() {
  for (const [sources, results] of outputs) {
    const folder = join(root, results);
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const source = name.replace(/\.(?:js|js\.map|d\.ts)$/, '.ts');
      if (source !== name && !existsSync(join(root, sources, source))) rmSync(join(folder, name));
    }
  }
}

/**
 * Whether nothing changed since the last build began. The compiler writes only what differs, so the
 * times of its results do not say when that was: the build sets the time of `output`.
 */
const isCurrent = () => {
  if (!['dist/src/main.js', 'client/dist/index.js'].every((name) => existsSync(join(root, name))))
    return false;
  const newest = Math.max(
    ...inputs.map(newestIn),
    ...files.map((file) => changedAt(join(root, file))),
  );
  return changedAt(output) > newest;
};

/** Builds when that is needed, and says so before, since it takes a while. */
export function buildIfStale({ always = false } = {}) {
  if (!always && isCurrent()) return;
  process.stderr.write('Building Stoa, which takes a few seconds ...\n');
  const beganAt = new Date();
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  try {
    for (const project of projects)
      execFileSync(process.execPath, [compiler, '-p', join(root, project)], { stdio: 'inherit' });
  } catch {
    process.exit(1);
  }
  removeOrphans();
  utimesSync(output, beganAt, beganAt);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  buildIfStale({ always: process.argv.includes('--always') });
