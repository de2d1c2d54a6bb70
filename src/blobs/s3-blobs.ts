import { createReadStream } from 'node:fs';
import { AwsV4Signer } from 'aws4fetch';
import { BlobMissing, type Blobs, BlobsUnavailable, placeOf, reading } from './blobs.ts';

export interface S3Options {
  readonly bucket: string;
  /** What stands before every key; '' for nothing. */
  readonly prefix: string;
  readonly region: string;
  /** Address of a store that is not Amazon's, such as http://127.0.0.1:9000; null for Amazon's. */
  readonly endpoint: string | null;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

interface Request {
  readonly headers?: Readonly<Record<string, string>>;
  /** Made anew for each try. */
  readonly body?: () => ReadableStream | AsyncIterable<Uint8Array>;
  readonly seconds?: number;
}

const TRIES = 2;
const HEAD_SECONDS = 20;
/** The slowest upload that is waited for. */
const BYTES_PER_SECOND = 256 * 1024;

/** Where a bucket is: by its path at an endpoint of one's own, or when its name has a dot, which no certificate covers; else by its host. */
export function addressOf({
  bucket,
  prefix,
  region,
  endpoint,
}: Pick<S3Options, 'bucket' | 'prefix' | 'region' | 'endpoint'>): string {
  const host = endpoint?.replace(/\/+$/, '') ?? `https://s3.${region}.amazonaws.com`;
  const base =
    endpoint !== null || bucket.includes('.')
      ? `${host}/${bucket}`
      : host.replace('//', `//${bucket}.`);
  return prefix === '' ? base : `${base}/${prefix}`;
}

/** Bytes as objects of an S3-compatible store. */
export function s3Blobs(options: S3Options): Blobs {
  const { region, accessKeyId, secretAccessKey, sessionToken } = options;
  const base = addressOf(options);

  async function attempt(
    method: string,
    sha256: string,
    { headers = {}, body, seconds = HEAD_SECONDS }: Request,
  ): Promise<Response> {
    const signer = new AwsV4Signer({
      method,
      url: `${base}/${placeOf(sha256)}`,
      headers,
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== null && { sessionToken }),
    });
    const signed = await signer.sign();
    const abort = new AbortController();
    const timer = setTimeout(
      () => abort.abort(new Error(`no answer in ${seconds} s`)),
      seconds * 1000,
    );
    try {
      const payload = body && ({ body: body() as ReadableStream, duplex: 'half' } as const);
      return await fetch(signed.url, {
        method,
        headers: signed.headers,
        redirect: 'error',
        signal: abort.signal,
        ...payload,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** An answer that is no failure of the store: success or 404, whose body is still to be read. */
  async function ask(method: string, sha256: string, request: Request = {}): Promise<Response> {
    for (let tried = 1; ; tried++) {
      try {
        const response = await attempt(method, sha256, request);
        if (response.ok || response.status === 404) return response;
        throw new Error(
          `${method} was answered with ${response.status} ${/<Code>(\w+)/.exec(await response.text())?.[1] ?? ''}`.trim(),
        );
      } catch (error) {
        // What `fetch` throws says why only in its cause.
        if (tried === TRIES) throw new BlobsUnavailable((error as Error).cause ?? error);
      }
    }
  }

  /** The head of an answer; its body is let go, and with it the connection. */
  async function head(method: string, sha256: string, request?: Request): Promise<Response> {
    const response = await ask(method, sha256, request);
    await response.body?.cancel();
    return response;
  }

  return {
    async put(sha256, path, size) {
      const known = await head('HEAD', sha256);
      if (known.ok && known.headers.get('content-length') === String(size)) return;
      // The store itself compares the bytes with their hash.
      const headers = { 'content-length': String(size), 'x-amz-content-sha256': sha256 };
      const { ok, status } = await head('PUT', sha256, {
        headers,
        body: () => createReadStream(path),
        seconds: HEAD_SECONDS + size / BYTES_PER_SECOND,
      });
      if (!ok)
        throw new BlobsUnavailable(
          new Error(`PUT was answered with ${status}: is there such a bucket?`),
        );
    },
    has: async (sha256) => (await head('HEAD', sha256)).ok,
    async *read(sha256, range) {
      const response = await ask(
        'GET',
        sha256,
        range && { headers: { range: `bytes=${range.start}-${range.end}` } },
      );
      if (!response.ok || response.body === null) throw new BlobMissing(sha256);
      if (range && response.status !== 206)
        throw new BlobsUnavailable(new Error('GET of a part was answered with everything'));
      yield* reading(response.body);
    },
    delete: async (sha256) => void (await head('DELETE', sha256)),
  };
}
