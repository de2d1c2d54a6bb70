import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

export const BUCKET = 'files';
/** What s3rver takes for anyone's key. */
export const KEY = 'S3RVER';

export interface ObjectStore extends AsyncDisposable {
  readonly endpoint: string;
}

/** An S3-compatible store on loopback, with one bucket. It knows whose key it is, but does not check signatures of version 4. */
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

/** Settings of a service that keeps its files there. */
export const s3Settings = ({ endpoint }: ObjectStore): Record<string, string> => ({
  FILE_STORE: `s3://${BUCKET}/some/where`,
  S3_ENDPOINT: endpoint,
  AWS_ACCESS_KEY_ID: KEY,
  AWS_SECRET_ACCESS_KEY: KEY,
});
