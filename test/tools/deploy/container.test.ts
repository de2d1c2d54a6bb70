import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { waitUntil } from '../../support/factories.ts';
import { createFolder, findFreePort, listDatabaseProcesses } from '../../support/service.ts';
import { expectSettings } from './expect-settings.ts';
import { readExample } from './read-example.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Instruction {
  readonly name: string;
  readonly words: string;
}

/** The instructions of each stage; the first of each is its FROM. */
function parseStages(text: string): { base: string; stages: Instruction[][] } {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  const all = lines.flatMap((line) => {
    const [, name = '', words = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, words }];
  });
  const stages: Instruction[][] = [];
  for (const one of all)
    if (one.name === 'FROM') stages.push([one]);
    else stages.at(-1)?.push(one);
  return { base: all.find(({ name }) => name === 'ARG')?.words ?? '', stages };
}

const { base, stages } = parseStages(readExample('Containerfile'));
const [build = [], final = []] = stages;
const readAll = (stage: Instruction[], wanted: string) =>
  stage.filter(({ name }) => name === wanted).map(({ words }) => words);
const environment = Object.fromEntries(
  (readAll(final, 'ENV')[0] ?? '').split(' ').map((pair) => pair.split('=', 2) as [string, string]),
);
const [, healthCommand = '[]'] = /CMD (\[.*\])$/.exec(readAll(final, 'HEALTHCHECK')[0] ?? '') ?? [];

/**
 * The folder /app of an image, read-only: the package as npm packs it, with the libraries that it
 * needs when it runs. They are copied from here instead of the registry.
 */
function installPackage(): string {
  const folder = createFolder();
  const npm = (...words: string[]) =>
    execFileSync('npm', words, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  npm('pack', '--silent', '--pack-destination', folder);
  execFileSync('sh', ['-c', 'tar -xzf stoa-*.tgz'], { cwd: folder });
  const app = join(folder, 'package');
  const libraries = npm('ls', '--omit=dev', '--all', '--parseable').trim().split('\n');
  for (const path of libraries.filter((one) => relative(root, one).startsWith('node_modules/')))
    if (!existsSync(join(app, relative(root, path))))
      cpSync(path, join(app, relative(root, path)), { recursive: true, verbatimSymlinks: true });
  chmodSync(join(app, 'dist/src/main.js'), 0o755);
  symlinkSync(join(app, 'dist/src/main.js'), join(folder, 'stoa'));
  execFileSync('chmod', ['-R', 'a-w,a+rX', app]);
  return folder;
}

describe('deploy/Containerfile', () => {
  it('[deploy.container] has two stages from one pinned base', () => {
    expect(base).toMatch(/^NODE_IMAGE=docker\.io\/library\/node:\d+\.\d+\.\d+-\w+-slim$/);
    expect(stages).toHaveLength(2);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a placeholder of the file.
    for (const [from] of stages) expect(from?.words).toMatch('${NODE_IMAGE}');
    expect(readAll(final, 'COPY')).toEqual(['--from=build /packed/package /app']);
    expect(readAll(build, 'RUN').join('\n')).toContain('npm ci --omit=dev');
  });

  it('[deploy.container] copies what exists, and nothing that is private', () => {
    const sources = readAll(build, 'COPY').flatMap((words) => words.split(' ').slice(0, -1));
    expect(sources).toEqual(expect.arrayContaining(['package-lock.json', 'src', 'docs']));
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const ignored = ['.', 'data', 'dist', 'node_modules', '.git'];
    expect(sources.filter((path) => ignored.includes(path))).toEqual([]);
  });

  it('[deploy.container] [deploy.settings] runs as no root, with settings that exist', () => {
    expect(readAll(final, 'USER')).toEqual(['1000:1000']);
    const { HOST, PORT, DATA_DIR } = expectSettings(environment);
    expect({ HOST, DATA_DIR }).toEqual({ HOST: '0.0.0.0', DATA_DIR: '/data' });
    expect(readAll(final, 'EXPOSE')).toEqual([String(PORT)]);
    expect(readAll(final, 'VOLUME')).toEqual([DATA_DIR]);
    expect([readAll(final, 'ENTRYPOINT'), readAll(final, 'CMD')]).toEqual([
      ['["stoa"]'],
      ['["serve"]'],
    ]);
  });

  it('[deploy.container] installs what starts read-only, is healthy, and stops', async () => {
    const folder = installPackage();
    const dataDir = createFolder();
    const tmp = createFolder();
    for (const one of [dataDir, tmp]) chmodSync(one, 0o777);
    const PATH = [folder, dirname(process.execPath), process.env.PATH].join(':');
    const PORT = String(await findFreePort());
    const env = { ...environment, PATH, PORT, HOST: '127.0.0.1', DATA_DIR: dataDir, TMPDIR: tmp };
    // A user of most systems who owns nothing, as the image's user owns only its data.
    const account = process.getuid?.() === 0 ? { uid: 1, gid: 1 } : {};
    const check = async () => {
      const [program = '', ...words] = JSON.parse(healthCommand);
      const probe = spawn(program, words, { env, stdio: 'ignore', ...account });
      return (await once(probe, 'exit'))[0];
    };
    expect(await check()).not.toBe(0);

    const cwd = join(folder, 'package');
    const program = join(folder, 'stoa');
    const service = spawn(program, ['serve'], { cwd, env, stdio: 'ignore', ...account });
    const exit = once(service, 'exit');
    await waitUntil('the container is healthy', async () => {
      expect(service.exitCode).toBeNull();
      return (await check()) === 0;
    });
    const url = `http://127.0.0.1:${PORT}`;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/start`, { headers: { accept: 'text/html' } })).status).toBe(200);
    expect(await listDatabaseProcesses()).not.toEqual([]);

    service.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(await listDatabaseProcesses()).toEqual([]);
    // Most of the time goes into copying a hundred libraries.
  });
});
