import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/**
 * Builds a commit of this repository, once, with the packages of today. Returns the path of the
 * program's entry. Errors: Error when there is no such commit, or it does not build.
 */
export async function buildPreviousRelease(commit: string): Promise<string> {
  const { stdout } = await run('git', ['rev-parse', '--short', `${commit}^{commit}`], {
    cwd: root,
  });
  const folder = join(root, 'data', `release-${stdout.trim()}`);
  const entry = join(folder, 'dist/src/main.js');
  const isBuilt = await access(entry).then(
    () => true,
    () => false,
  );
  if (isBuilt) return entry;
  // A build that breaks off leaves nothing that looks like one.
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await run('sh', ['-c', `git archive "$0" | tar -x -C "$1"`, commit, fresh], { cwd: root });
  await symlink(join(root, 'node_modules'), join(fresh, 'node_modules'));
  await run(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
    {
      cwd: fresh,
    },
  );
  await rename(fresh, folder);
  return entry;
}
