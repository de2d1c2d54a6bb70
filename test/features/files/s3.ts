import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

export const BUCKET = 'files';
/** s3rver accepts only this key. */
export const KEY = 'S3RVER';

export interface ObjectStore extends AsyncDisposable {
  readonly endpoint: string;
}

/**
 * Starts an S3-compatible store on loopback with one bucket. It recognizes the owner of a key, but
 * does not check signatures of version 4.
 */
export async function startS3(): Promise<ObjectStore> {
  const directory = mkdtempSync(join(tmpdir(), 'stoa-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Returns the settings of a service that stores its files there. */
export const buildS3Settings = ({ endpoint }: ObjectStore): Record<string, string> => ({
  FILE_STORE: `s3://${BUCKET}/some/where`,
  S3_ENDPOINT: endpoint,
  AWS_ACCESS_KEY_ID: KEY,
  AWS_SECRET_ACCESS_KEY: KEY,
});
