import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { SettingError } from '../../../src/setting-parsers.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { createFolderLists } from './files-on-disk.ts';
import { buildS3Settings, startS3 } from './s3.ts';

const store = await startS3();
afterAll(() => store[Symbol.asyncDispose]());
const kinds = [
  ['a folder', {}],
  ['an S3-compatible store', buildS3Settings(store)],
] as const;

describe.for(kinds)('the file store %s', async ([kind, settings]) => {
  const app = await startApp(settings);
  const f = factories(app);
  const { env, jobs } = app.app;
  const { listArriving, listStored } = createFolderLists(app);
  const owner = await f.createAgent();
  const thread = await f.createThread(owner, await f.createRoom(owner));
  const post = async (): Promise<string> => (await f.postMessage(owner, thread, 'See the file')).id;

  it('[file.stores] returns files whole and in part', async () => {
    const bytes = Uint8Array.from(randomBytes(1_000_000));
    const { url } = await f.attachFile(owner, await post(), { name: 'random', bytes });
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=999990-' } });
    expect({ status: part.status, bytes: Buffer.from(await part.arrayBuffer()) }).toEqual({
      status: 206,
      bytes: Buffer.from(bytes.subarray(999_990)),
    });
    expect(await listArriving()).toEqual([]);
    expect((await listStored()).length).toBe(kind === 'a folder' ? 1 : 0);
  });

  it('[file.stores] [file.once] [file.collected] stores the same bytes once', async () => {
    const one = await post();
    const two = await post();
    const file = { name: 'same', bytes: `the same in ${kind}` };
    const { sha256 } = await f.attachFile(owner, one, file);
    const { id } = await f.attachFile(owner, two, file);
    const isStoredLater = async () => {
      app.clock.advance(25 * 3_600_000);
      await jobs.runDue();
      return env.blobs.has(sha256);
    };
    await f.ok('DELETE', `/api/v1/admin/messages/${one}`, { admin: true });
    expect(await isStoredLater()).toBe(true);
    expect((await f.send('GET', `/api/v1/files/${id}`)).text).toBe(file.bytes);
    await f.ok('DELETE', `/api/v1/admin/messages/${two}`, { admin: true });
    expect(await isStoredLater()).toBe(false);
  });
});

describe('FILE_STORE', () => {
  const key = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'y' };
  const getRefusal = (settings: Record<string, string>) => {
    try {
      return readSettings(settings).FILE_STORE;
    } catch (error) {
      return error instanceof SettingError ? error.message : error;
    }
  };

  it('[file.store-setting] names a folder of DATA_DIR, or a bucket with a key prefix', () => {
    expect(getRefusal({})).toBeNull();
    expect(getRefusal({ FILE_STORE: 'DATA_DIR' })).toBeNull();
    expect(getRefusal({ ...key, FILE_STORE: 's3://files' })).toEqual({
      bucket: 'files',
      prefix: '',
    });
    expect(getRefusal({ ...key, FILE_STORE: 's3://my.files/a//b/' })).toEqual({
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
      expect(getRefusal({ ...key, [name]: '', FILE_STORE: 's3://files' })).toBe(
        `${name} is needed for the bucket of FILE_STORE.`,
      );
  });
});
