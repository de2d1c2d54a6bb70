import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { expectSettings } from './expect-settings.ts';
import { readExample } from './read-example.ts';

const folder = new URL('../../../deploy/', import.meta.url);
const SECRET = 'ab'.repeat(32);
const text = readExample('compose.yaml');
const compose = parse(text, { merge: true });
const filled = parse(text.replace(/\$\{\w+:\?\}/g, SECRET), { merge: true }).services;

describe('deploy/compose.yaml', () => {
  it('[deploy.schemas] has the form of the Compose Specification', () => {
    // From github.com/compose-spec/compose-spec (Apache-2.0), as of October 2025.
    const url = new URL('../../vectors/compose-spec.json', import.meta.url);
    const { $schema: _, ...schema } = JSON.parse(readFileSync(url, 'utf8'));
    const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    expect(isValid(compose), JSON.stringify(isValid.errors)).toBe(true);
    expect(isValid({ ...compose, services: { stoa: { imagine: 'stoa' } } })).toBe(false);
  });

  it('[deploy.settings] gives both nodes the same settings, all of which exist', () => {
    expect(filled['stoa-1'].environment).toEqual(filled['stoa-2'].environment);
    const settings = expectSettings(filled['stoa-1'].environment);
    const { s3, postgres, caddy } = filled;
    expect(settings).toMatchObject({
      TRUST_PROXY: 1,
      S3_ENDPOINT: `http://s3${s3.command[1]}`,
      AWS_ACCESS_KEY_ID: s3.environment.ROOT_ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: s3.environment.ROOT_SECRET_KEY,
      AWS_REGION: s3.command[3],
    });
    const owner = new URL(settings.DATABASE_OWNER_URL ?? '');
    expect(owner).toMatchObject({
      username: postgres.environment.POSTGRES_USER,
      password: postgres.environment.POSTGRES_PASSWORD,
      pathname: `/${postgres.environment.POSTGRES_DB}`,
    });
    const [, port] = /\bPORT=(\d+)/.exec(readExample('Containerfile')) ?? [];
    expect(caddy.environment.STOA_NODES).toBe(`stoa-1:${port} stoa-2:${port}`);
  });

  it('[deploy.settings] has no secret in it, and says how to make each', () => {
    const wanted = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    const [, made = ''] = /for name in ([\w ]+)$/m.exec(text) ?? [];
    expect([...wanted].sort()).toEqual(made.trim().split(' ').sort());
    expect(text.match(/\$\{\w+\}/g)).toBeNull();
  });

  it('[deploy.settings] keeps what must be kept in volumes, and finds its files', () => {
    const mounts: string[] = Object.values<{ volumes?: string[] }>(filled).flatMap(
      ({ volumes = [] }) => volumes.map((one) => one.split(':')[0] ?? ''),
    );
    const isThere = (name: string) =>
      name.startsWith('.') ? existsSync(new URL(name, folder)) : name in compose.volumes;
    expect(mounts.filter((name) => !isThere(name))).toEqual([]);
    expect(existsSync(new URL(`../${filled['stoa-1'].build.dockerfile}`, folder))).toBe(true);
  });

  it('[deploy.settings] pins each image that it does not build', () => {
    for (const { image, build } of Object.values<{ image: string; build?: object }>(filled))
      if (!build) expect(image).toMatch(/:v?\d+\.\d+/);
  });
});
