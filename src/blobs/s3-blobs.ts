import { createReadStream } from 'node:fs';
import { AwsV4Signer } from 'aws4fetch';
import {
  BlobMissing,
  BlobRefused,
  type Blobs,
  BlobsUnavailable,
  toBlobPath,
  wrapReadErrors,
} from './blobs.ts';

/** Where a bucket is, and the credentials for it. */
export interface S3Options {
  readonly bucket: string;
  /** The prefix of every key, without a slash at its end; '' for none. */
  readonly prefix: string;
  readonly region: string;
  /**
   * The address of another store than Amazon's, such as http://127.0.0.1:9000; null for Amazon's.
   */
  readonly endpoint: string | null;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

interface S3Request {
  readonly headers?: Readonly<Record<string, string>>;
  /** Creates the body anew for each attempt. */
  readonly body?: () => ReadableStream | AsyncIterable<Uint8Array>;
  /** How long to wait for the head of the response, and for all of an error. */
  readonly seconds?: number;
  /** Ends the request and its response. */
  readonly signal?: AbortSignal | undefined;
}

const MAX_ATTEMPTS = 2;
const HEAD_SECONDS = 20;
/** Uploads slower than this time out. */
const BYTES_PER_SECOND = 256 * 1024;

/**
 * Builds the address of a bucket. The bucket is in the path at a custom endpoint, and when its name
 * has a dot, which Amazon's certificate does not cover. Otherwise it is in the host name.
 */
export function buildBucketUrl({
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

/** What a store says that works, and keeps these bytes or gives no right to them. */
const REFUSALS = ['AccessDenied', 'InvalidObjectState', 'InvalidRequest', 'MethodNotAllowed'];

/** Bytes of an error that are read. */
const ERROR_BYTES = 64 * 1024;

/** Reads the beginning of a response, and ends it. */
async function readBeginning({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= ERROR_BYTES) break;
  }
  return Buffer.concat(pieces).toString();
}

/** Creates a store of objects in an S3-compatible bucket. */
export function createS3Blobs(options: S3Options): Blobs {
  const { region, accessKeyId, secretAccessKey, sessionToken } = options;
  const base = buildBucketUrl(options);

  /** Returns a response with a success status or 404. */
  async function sendOnce(
    method: string,
    sha256: string,
    { headers = {}, body, seconds = HEAD_SECONDS, signal }: S3Request,
  ): Promise<Response> {
    const signer = new AwsV4Signer({
      method,
      url: `${base}/${toBlobPath(sha256)}`,
      headers,
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== null && { sessionToken }),
    });
    const signed = await signer.sign();
    // Bytes are stored as they are, and so many are announced to whoever reads them. The header
    // is not signed, because some stores are behind proxies that change it.
    signed.headers.set('accept-encoding', 'identity');
    const abort = new AbortController();
    const timer = setTimeout(
      () => abort.abort(new Error(`no response within ${seconds} s`)),
      seconds * 1000,
    );
    try {
      const payload = body && ({ body: body() as ReadableStream, duplex: 'half' } as const);
      const response = await fetch(signed.url, {
        method,
        headers: signed.headers,
        redirect: 'error',
        signal: signal ? AbortSignal.any([abort.signal, signal]) : abort.signal,
        ...payload,
      });
      if (response.ok || response.status === 404) return response;
      const code = /<Code>(\w+)/.exec(await readBeginning(response))?.[1] ?? '';
      const answer = new Error(`${method} was answered with ${response.status} ${code}`.trim());
      throw REFUSALS.includes(code) ? new BlobRefused(answer) : answer;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Returns a response with a success status or 404, whose body the caller must read or cancel. */
  async function sendWithRetry(
    method: string,
    sha256: string,
    request: S3Request = {},
  ): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(method, sha256, request);
      } catch (error) {
        // Only the cause of an error of `fetch` says what went wrong.
        if (attempt === MAX_ATTEMPTS || request.signal?.aborted)
          throw error instanceof BlobRefused
            ? error
            : new BlobsUnavailable((error as Error).cause ?? error);
      }
    }
  }

  /** Returns the head of a response and cancels its body, which frees the connection. */
  async function sendForHead(
    method: string,
    sha256: string,
    request?: S3Request,
  ): Promise<Response> {
    const response = await sendWithRetry(method, sha256, request);
    await response.body?.cancel();
    return response;
  }

  return {
    async put(sha256, path, size) {
      // Also when it is there: the time must not tell whether somebody has stored the same bytes.
      // The store itself checks the bytes against this hash.
      const headers = { 'content-length': String(size), 'x-amz-content-sha256': sha256 };
      const { ok, status } = await sendForHead('PUT', sha256, {
        headers,
        body: () => createReadStream(path),
        seconds: HEAD_SECONDS + size / BYTES_PER_SECOND,
      });
      if (!ok)
        throw new BlobsUnavailable(
          new Error(`PUT was answered with ${status}: check that the bucket exists.`),
        );
    },
    has: async (sha256) => (await sendForHead('HEAD', sha256)).ok,
    async *read(sha256, range, signal) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` };
      const response = await sendWithRetry('GET', sha256, { ...(headers && { headers }), signal });
      if (!response.ok || response.body === null) throw new BlobMissing(sha256);
      if (range && response.status !== 206)
        throw new BlobsUnavailable(new Error('GET of a range was answered with the whole object'));
      yield* wrapReadErrors(response.body);
    },
    delete: async (sha256) => void (await sendForHead('DELETE', sha256)),
  };
}
