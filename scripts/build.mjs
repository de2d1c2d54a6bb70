// Builds dist when a source is newer than the last build. Usage: node scripts/build.mjs
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, 'dist', '.tsbuildinfo');
const inputs = ['src', 'client', 'examples', 'bench', 'scripts'];
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** When a file was changed, in milliseconds; 0 when there is none. */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Folders count too: their time tells when a file was added or removed. */
const newestIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).reduce(
    (newest, name) => Math.max(newest, changedAt(join(root, folder, name))),
    changedAt(join(root, folder)),
  );

const isCurrent = () => {
  const builtAt = Math.min(changedAt(output), changedAt(join(root, 'dist/src/main.js')));
  const newest = Math.max(
    ...inputs.map(newestIn),
    ...files.map((file) => changedAt(join(root, file))),
  );
  return builtAt > newest;
};

/** Builds when that is needed, and says so before, since it takes a while. */
export function buildIfStale() {
  if (isCurrent()) return;
  process.stderr.write('Building Stoa, which takes a few seconds ...\n');
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = join(root, 'tsconfig.build.json');
  try {
    execFileSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' });
  } catch {
    process.exit(1);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildIfStale();
