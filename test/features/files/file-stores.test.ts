import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { readSettings, SettingError } from '../../../src/config.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { filesOnDisk } from './files-on-disk.ts';
import { s3Settings, startS3 } from './s3.ts';

const store = await startS3();
afterAll(() => store[Symbol.asyncDispose]());
const kinds = [
  ['a folder', {}],
  ['an S3-compatible store', s3Settings(store)],
] as const;

describe.for(kinds)('a service that keeps its files in %s', async ([kind, settings]) => {
  const app = await startApp(settings);
  const f = factories(app);
  const { env, jobs } = app.app;
  const { arriving, kept } = filesOnDisk(app);
  const owner = await f.agent();
  const thread = await f.thread(owner, await f.room(owner));
  const post = async (): Promise<string> => (await f.post(owner, thread, 'See the file')).id;

  it('[file.stores] gives them back, whole and in part', async () => {
    const bytes = Uint8Array.from(randomBytes(1_000_000));
    const { url } = await f.attach(owner, await post(), { name: 'random', bytes });
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=999990-' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([
      206,
      Buffer.from(bytes.subarray(999_990)),
    ]);
    expect(await arriving()).toEqual([]);
    expect((await kept()).length).toBe(kind === 'a folder' ? 1 : 0);
  });

  it('[file.stores] [file.once] [file.collected] has the same bytes once, until nothing refers to them for a day', async () => {
    const [one, two, file] = [
      await post(),
      await post(),
      { name: 'same', bytes: `the same in ${kind}` },
    ];
    const [{ sha256 }, { id }] = [
      await f.attach(owner, one, file),
      await f.attach(owner, two, file),
    ];
    const later = async () => {
      app.clock.advance(25 * 3_600_000);
      await jobs.runDue();
      return env.blobs.has(sha256);
    };
    await f.ok('DELETE', `/api/v1/admin/messages/${one}`, { admin: true });
    expect(await later()).toBe(true);
    expect((await f.send('GET', `/api/v1/files/${id}`)).text).toBe(file.bytes);
    await f.ok('DELETE', `/api/v1/admin/messages/${two}`, { admin: true });
    expect(await later()).toBe(false);
  });
});

describe('FILE_STORE', () => {
  const key = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' };
  const refusal = (settings: Record<string, string>) => {
    try {
      return readSettings(settings).FILE_STORE;
    } catch (error) {
      return error instanceof SettingError ? error.message : error;
    }
  };

  it('[file.store-setting] is a folder of DATA_DIR, or a bucket with what stands before its keys', () => {
    expect(refusal({})).toBeNull();
    expect(refusal({ FILE_STORE: 'DATA_DIR' })).toBeNull();
    expect(refusal({ ...key, FILE_STORE: 's3://files' })).toEqual({ bucket: 'files', prefix: '' });
    expect(refusal({ ...key, FILE_STORE: 's3://my.files/a//b/' })).toEqual({
      bucket: 'my.files',
      prefix: 'a/b',
    });
    expect(
      readSettings({
        ...key,
        AWS_DEFAULT_REGION: 'eu-west-1',
        S3_ENDPOINT: 'http://127.0.0.1:9000/',
      }),
    ).toMatchObject({
      AWS_REGION: 'eu-west-1',
      S3_ENDPOINT: 'http://127.0.0.1:9000',
    });
  });

  it('[file.store-setting] needs a key for a bucket', () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const)
      expect(refusal({ ...key, [name]: '', FILE_STORE: 's3://files' })).toBe(
        `${name} is needed for the bucket of FILE_STORE.`,
      );
  });
});
