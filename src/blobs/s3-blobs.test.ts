import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { BlobMissing, BlobsUnavailable } from './blobs.ts';
import { buildBucketUrl, createS3Blobs } from './s3-blobs.ts';

type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => void;

/** The responses of the store below, one after the other. After the last one it answers 404. */
const answers: AnswerRequest[] = [];
const seen: { method: string; path: string; headers: IncomingMessage['headers']; bytes: number }[] =
  [];

const server = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  request.on('end', () => {
    seen.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      bytes,
    });
    const answer = answers.shift();
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const folder = mkdtempSync(join(tmpdir(), 'stoa-s3-'));
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const SECRET = 'a secret of nobody';
const blobs = createS3Blobs({
  bucket: 'bucket',
  prefix: 'pre/fix',
  region: 'eu-central-1',
  endpoint: `http://127.0.0.1:${port}`,
  accessKeyId: 'KEYID',
  secretAccessKey: SECRET,
  sessionToken: 'token',
});
const answerWith = (code: number, body = ''): AnswerRequest => {
  return (_, response) => response.writeHead(code).end(body);
};

const bytes = Buffer.from('some bytes');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const path = join(folder, 'bytes');
writeFileSync(path, bytes);
const readAll = async (range?: { start: number; end: number }) => {
  let text = '';
  for await (const piece of blobs.read(sha256, range)) text += Buffer.from(piece).toString();
  return text;
};

/** Computes the expected signature of a request (AWS Signature Version 4). */
function computeSignature({ method, path: address, headers }: (typeof seen)[number]): string {
  const hmac = (key: string | Buffer, text: string) =>
    createHmac('sha256', key).update(text).digest();
  const [, scope = '', signed = ''] =
    /Credential=KEYID\/(\S+), SignedHeaders=(\S+), /.exec(headers.authorization ?? '') ?? [];
  const [date = '', region = '', service = '', end = ''] = scope.split('/');
  expect({ region, service, end }).toEqual({
    region: 'eu-central-1',
    service: 's3',
    end: 'aws4_request',
  });
  const lines = signed.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = [
    method,
    address,
    '',
    lines.join(''),
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  const key = [date, region, service, end].reduce<string | Buffer>(
    (before, part) => hmac(before, part),
    `AWS4${SECRET}`,
  );
  return hmac(key, text).toString('hex');
}

it('[attack.38-3] asks for bytes as they are, in a header that is not signed', async () => {
  answers.push(answerWith(200, 'x'));
  await readAll();
  const [request] = seen.splice(0);
  expect(request?.headers['accept-encoding']).toBe('identity');
  expect(request?.headers.authorization).not.toContain('accept-encoding');
});

it('[attack.38-6] (API10) reads no error without an end', async () => {
  let isOpen = true;
  const stream: AnswerRequest = (_, response) => {
    response.writeHead(500);
    response.on('close', () => {
      isOpen = false;
    });
    const go = () => {
      while (isOpen && response.write('x'.repeat(64 * 1024)));
      if (isOpen) response.once('drain', go);
    };
    go();
  };
  answers.push(stream, stream);
  await expect(readAll()).rejects.toThrow(BlobsUnavailable);
  answers.length = 0;
  seen.length = 0;
});

describe('requests to an S3-compatible store', () => {
  it('[file.stores] are signed and have the hash and length of their body', async () => {
    seen.length = 0;
    answers.push(answerWith(200), answerWith(200), answerWith(204));
    await blobs.put(sha256, path, bytes.length);
    expect(await blobs.has(sha256)).toBe(true);
    await blobs.delete(sha256);
    expect(seen.map(({ method }) => method)).toEqual(['PUT', 'HEAD', 'DELETE']);
    for (const request of seen) {
      expect(request.path).toBe(
        `/bucket/pre/fix/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`,
      );
      expect(request.headers['x-amz-security-token']).toBe('token');
      expect(request.headers.authorization).toContain(`Signature=${computeSignature(request)}`);
    }
    expect(seen[0]).toMatchObject({
      bytes: bytes.length,
      headers: { 'content-length': '10', 'x-amz-content-sha256': sha256 },
    });
  });

  it('[file.stores] are sent at most twice', async () => {
    answers.push((request) => request.socket.destroy(), answerWith(200));
    await blobs.put(sha256, path, bytes.length);
    answers.push(answerWith(500, '<Error><Code>SlowDown</Code></Error>'), answerWith(503));
    await expect(blobs.has(sha256)).rejects.toThrow(BlobsUnavailable);
    expect(answers).toEqual([]);
  });

  it('[attack.17-4] send bytes that the store has like others', async () => {
    seen.length = 0;
    answers.push(answerWith(200), answerWith(200));
    for (let nr = 0; nr < 2; nr++) await blobs.put(sha256, path, bytes.length);
    expect(seen.map(({ method }) => method)).toEqual(['PUT', 'PUT']);
  });

  it('[file.stores] fail with the reason of the store', async () => {
    const refusal = answerWith(
      403,
      '<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code><Secret>x</Secret></Error>',
    );
    answers.push(refusal, refusal);
    const failure = await readAll().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BlobsUnavailable);
    expect((failure as Error).cause).toMatchObject({
      message: 'GET was answered with 403 SignatureDoesNotMatch',
    });
  });

  it('[file.stores] [attack.27-2] (API4) wait for no error without an end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const failure = readAll().catch((error: unknown) => error);
      for (let attempt = 0; attempt < 2; attempt++) {
        await new Promise<void>((begun) => {
          answers.push((_, response) => {
            response.writeHead(500).write('<Error>');
            begun();
          });
        });
        // The head of the response arrives meanwhile.
        await sleep(50);
        vi.advanceTimersByTime(20_000);
      }
      expect(await failure).toBeInstanceOf(BlobsUnavailable);
    } finally {
      vi.useRealTimers();
      server.closeAllConnections();
    }
  });

  it('[file.stores] [attack.27-3] (API4) end with their reader when the store stalls', async () => {
    for (const begin of ['', 'some']) {
      const stop = new AbortController();
      const closed = new Promise<void>((resolve) => {
        answers.push((_, response) => {
          response.once('close', resolve);
          if (begin !== '') response.writeHead(200, { 'content-length': '10' }).write(begin);
          setTimeout(() => stop.abort(), 50);
        });
      });
      const reading = (async () => {
        for await (const _ of blobs.read(sha256, undefined, stop.signal));
      })();
      await expect(reading).rejects.toThrow(BlobsUnavailable);
      await closed;
    }
    expect(answers).toEqual([]);
  });

  it('[file.stores] accept no redirect, no wrong range and no truncated response', async () => {
    const redirect: AnswerRequest = (_, response) =>
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
    answers.push(redirect, redirect);
    await expect(blobs.has(sha256)).rejects.toThrow(BlobsUnavailable);
    answers.push(answerWith(200, 'some bytes'));
    await expect(readAll({ start: 2, end: 3 })).rejects.toThrow(BlobsUnavailable);
    answers.push((request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('some');
      setImmediate(() => request.socket.destroy());
    });
    await expect(readAll()).rejects.toThrow(BlobsUnavailable);
    await expect(readAll()).rejects.toThrow(BlobMissing);
  });
});

describe('the address of a bucket', () => {
  const amazon = { bucket: 'files', prefix: '', region: 'eu-central-1', endpoint: null };

  it.for([
    [amazon, 'https://files.s3.eu-central-1.amazonaws.com'],
    [{ ...amazon, prefix: 'a/b' }, 'https://files.s3.eu-central-1.amazonaws.com/a/b'],
    [{ ...amazon, bucket: 'my.files' }, 'https://s3.eu-central-1.amazonaws.com/my.files'],
    [
      { ...amazon, endpoint: 'http://127.0.0.1:9000', prefix: 'a' },
      'http://127.0.0.1:9000/files/a',
    ],
  ] as const)('[file.store-setting] is $1', ([options, address]) => {
    expect(buildBucketUrl(options)).toBe(address);
  });
});
