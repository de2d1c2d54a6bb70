import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { checkReceipt } from '../../../client/src/receipts/check-receipt.ts';
import { ReceiptError } from '../../../client/src/receipts/verify-receipt.ts';
import { CommandError } from '../../../src/cli/describe-error.ts';
import { verifyReceiptCommand } from '../../../src/cli/verify/verify-receipt-command.ts';
import { parseBody } from '../../../src/kernel/schema/json.ts';
import { afterFile } from '../../support/each-file.ts';
import type { Json } from '../../support/factories.ts';
import { createFolder } from '../../support/service.ts';
import { createIssuer, type Issuer, issueReceipt, signJws } from './receipt-maker.ts';

/*
 * Compares three verifiers: the client, which takes a value, and the command line and the program
 * in Python, which take a file.
 */

const work = createFolder();

/**
 * A receipt as a file, and the answers of the installation that it names. Everything is text,
 * because a case may change any character.
 */
interface Exhibit {
  file: string | Buffer;
  jwks: string;
  vkey: string;
  manifest: string;
  now: string;
}
type ChangeExhibit = (one: Exhibit, made: { readonly view: Json; readonly ours: Issuer }) => void;

let cases = 0;
/** Puts a case at an address of its own and its receipt into a file. */
async function stageExhibit(
  change: ChangeExhibit,
  salt: Buffer | null = null,
): Promise<{ path: string; text: string | Buffer }> {
  const server = createServer(({ url = '' }, response) => {
    const [, body] = Object.entries(answers).find(([end]) => url.endsWith(end)) ?? [];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  afterFile(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ours = await createIssuer(url);
  const view = issueReceipt(ours, {}, salt) as Json;
  const text = JSON.stringify(view);
  const manifest = JSON.stringify({ links: { jwks: `${url}/jwks`, log: `${url}/log` } });
  const one: Exhibit = {
    file: text,
    jwks: JSON.stringify(ours.trust.jwks),
    vkey: ours.trust.logKey,
    manifest,
    now: text,
  };
  change(one, { view, ours });
  const answers: Readonly<Record<string, string>> = {
    '/jwks': one.jwks,
    '/log/vkey': one.vkey,
    '/service.json': one.manifest,
    '.json': one.now,
  };
  const path = join(work, `case-${++cases}.json`);
  writeFileSync(path, one.file);
  return { path, text: one.file };
}

/** Extracts the fault that a sentence names at its end. */
const findFailedCheck = (text: string): string | null =>
  /\((\w+)\)\s*(?:$|\n\nNOT PROVEN)/.exec(text)?.[1] ?? null;

const verifyByClient = (value: unknown): Promise<string | null> =>
  checkReceipt(value).then(
    ({ holds, checks }) => {
      const fault = checks.at(-1)?.fault ?? null;
      expect(holds).toBe(fault === null);
      return fault;
    },
    (error: unknown) => {
      if (!(error instanceof ReceiptError)) throw error;
      return error.code;
    },
  );

async function verifyByCommand(path: string): Promise<string | null> {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await verifyReceiptCommand(path, {}, {});
    const fault = findFailedCheck(out.mock.calls.map(([text]) => text).join(''));
    expect(process.exitCode === 1).toBe(fault !== null);
    return fault;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return findFailedCheck(error.message);
  } finally {
    process.exitCode = undefined;
    out.mockRestore();
  }
}

const program = fileURLToPath(new URL('../../../examples/reproduce.py', import.meta.url));
const runPython = async (script: string, ...args: string[]) =>
  (
    await promisify(execFile)('python3', ['-I', '-B', '-c', script, ...args], {
      maxBuffer: 1 << 26,
    })
  ).stdout;
const hasPython = await runPython('import sys; sys.exit(sys.version_info < (3, 8))').then(
  () => true,
  () => false,
);

/** Returns the verdicts of the Python program on files, all in one process. */
async function verifyByPython(paths: readonly string[]): Promise<(string | null)[]> {
  const list = join(work, `cases-${cases}.json`);
  writeFileSync(list, JSON.stringify(paths));
  const script = `import contextlib, importlib.util, io, json, sys
spec = importlib.util.spec_from_file_location("reproduce", sys.argv[1])
r = importlib.util.module_from_spec(spec)
spec.loader.exec_module(r)
def told(path):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = r.check_receipt(path, None, None)
    return [code, out.getvalue()]
print(json.dumps([told(path) for path in json.load(open(sys.argv[2]))]))`;
  const told: [code: number, text: string][] = JSON.parse(await runPython(script, program, list));
  return told.map(([code, text]) => {
    expect(code === 0).toBe(findFailedCheck(text) === null);
    return findFailedCheck(text);
  });
}

const parseReadable = (text: string | Buffer): unknown => {
  try {
    return parseBody(Buffer.from(text));
  } catch {
    return undefined;
  }
};

/** Collects each verifier's verdict. The client only judges what the other two could read. */
async function listVerdicts(
  staged: readonly { readonly path: string; readonly text: string | Buffer }[],
): Promise<(string | null)[][]> {
  const all = await verifyByPython(staged.map(({ path }) => path));
  const found: (string | null)[][] = [];
  for (const [nr, { path, text }] of staged.entries()) {
    const value = parseReadable(text);
    found.push([
      await verifyByCommand(path),
      all[nr] ?? null,
      ...(value === undefined ? [] : [await verifyByClient(value)]),
    ]);
  }
  return found;
}

/** Builds a case that changes the receipt as a value. */
const changeView =
  (change: (view: Json, ours: Issuer) => void): ChangeExhibit =>
  (one, { view, ours }) => {
    const copy = JSON.parse(JSON.stringify(view));
    change(copy, ours);
    one.file = JSON.stringify(copy);
  };
const changeText =
  (from: string | RegExp, to: string): ChangeExhibit =>
  (one) => {
    const file = String(one.file).replace(from, to);
    expect(file).not.toBe(one.file);
    one.file = file;
  };
const changeHeader = (of: (header: Json) => Json | string): ChangeExhibit =>
  changeView(({ receipt }, { key, kid }) => {
    const made = of({ alg: 'ES256', kid, typ: 'stoa-receipt+jws' });
    receipt.jws = signJws(
      key,
      typeof made === 'string' ? made : JSON.stringify(made),
      receipt.canonical,
    );
  });
const changeParts = (of: (parts: string[]) => string[]): ChangeExhibit =>
  changeView(({ receipt }) => {
    receipt.jws = of(receipt.jws.split('.')).join('.');
  });
const changeLog = (change: (log: Json) => void): ChangeExhibit =>
  changeView(({ log }) => change(log));
const changeKeys =
  (change: (keys: Json[]) => void): ChangeExhibit =>
  (one) => {
    const set = JSON.parse(one.jwks);
    change(set.keys);
    one.jwks = JSON.stringify(set);
  };
const witnessSignature = Buffer.alloc(68, 1).toString('base64');
const nestArrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const N = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

const table: readonly (readonly [what: string, fault: string | null, change: ChangeExhibit])[] = [
  ['nothing', null, () => {}],
  // Some readers take these names for addresses of a host, and others do not.
  ...[
    'http://127.0n0.1:80',
    'http://127.1',
    'http://0x7f.0.0.0x1',
    'https://09.9.9.9',
    'https://[::g]',
    'https://a:99999',
    'https://b\u00fccher.example',
  ].map((iss): [string, string, ChangeExhibit] => [
    `the issuer ${iss}`,
    'not_a_receipt',
    changeView((view) => Object.assign(view.receipt.payload, { iss })),
  ]),
  // Two readers could read this JSON in two ways.
  ['a byte order mark', null, (one) => Object.assign(one, { file: `\ufeff${one.file}` })],
  [
    'two byte order marks',
    'not_a_receipt',
    (one) => Object.assign(one, { file: `\ufeff\ufeff${one.file}` }),
  ],
  ['a file that is empty', 'not_a_receipt', (one) => Object.assign(one, { file: '' })],
  [
    'bytes that are no UTF-8',
    'not_a_receipt',
    (one) =>
      Object.assign(one, { file: Buffer.concat([Buffer.from(String(one.file)), Buffer.of(0xff)]) }),
  ],
  ['a version with a fraction that is none', null, changeText('"v":1}', '"v":1.0}')],
  ['a version with an exponent', null, changeText('"v":1}', '"v":10e-1}')],
  ['a place with a fraction that is none', null, changeText('"index":2', '"index":2.0')],
  [
    'a place below zero by its sign alone',
    'inclusion_wrong',
    changeText('"index":2', '"index":-0'),
  ],
  ['a place between two', 'not_a_receipt', changeText('"index":2', '"index":2.5')],
  [
    'a place beyond what JSON can carry',
    'not_a_receipt',
    changeText('"index":2', '"index":9007199254740993'),
  ],
  ['a place that is true', 'not_a_receipt', changeText('"index":2', '"index":true')],
  ['a version that is true', 'not_a_receipt', changeText('"v":1}', '"v":true}')],
  ['a huge number', 'not_a_receipt', changeText('"v":1}', '"v":1e999}')],
  ['a huge number where nobody looks', 'not_a_receipt', changeText(/\}$/, ',"more":-1e999}')],
  [
    'any other number where nobody looks',
    null,
    changeText(/\}$/, ',"more":[0.5,123456789012345678901234567890]}'),
  ],
  ['NaN', 'not_a_receipt', changeText(/\}$/, ',"more":NaN}')],
  ['a member twice', 'not_a_receipt', changeText('"v":1}', '"v":1,"v":1}')],
  [
    'a member twice, once in other letters',
    'not_a_receipt',
    changeText('"v":1}', '"v":1,"\\u0076":2}'),
  ],
  [
    'a member twice where nobody looks',
    'not_a_receipt',
    changeText(/\}$/, ',"more":{"a":1,"a":2}}'),
  ],
  ['an unpaired surrogate', 'not_a_receipt', changeText('"realm":"local"', '"realm":"\\udc00"')],
  [
    'an unpaired surrogate where nobody looks',
    'not_a_receipt',
    changeText(/\}$/, ',"more":"\\ud800"}'),
  ],
  ['a NUL where nobody looks', 'not_a_receipt', changeText(/\}$/, ',"more":"\\u0000"}')],
  ['32 levels', null, changeText(/\}$/, `,"more":${nestArrays(31)}}`)],
  ['33 levels', 'not_a_receipt', changeText(/\}$/, `,"more":${nestArrays(32)}}`)],
  ['100,000 levels', 'not_a_receipt', changeText(/\}$/, `,"more":${nestArrays(100_000)}}`)],
  ['a prototype', 'not_a_receipt', changeText('"v":1}', '"v":1,"__proto__":{"admin":true}}')],
  [
    'something else than an object',
    'not_a_receipt',
    (one) => Object.assign(one, { file: '"receipt"' }),
  ],
  // These cases change the form.
  ['no current state', 'not_a_receipt', changeView((view) => delete view.current)],
  [
    'a state that there is not',
    'not_a_receipt',
    changeView((view) => Object.assign(view.current, { state: 'valid' })),
  ],
  ['no place in the log, not even null', 'not_a_receipt', changeView((view) => delete view.log)],
  [
    'no place in the log yet',
    'not_in_log',
    changeView((view) => Object.assign(view, { log: null })),
  ],
  ['no visibility', 'not_a_receipt', changeView((view) => delete view.visibility)],
  ['no kind beside it', 'not_a_receipt', changeView((view) => delete view.kind)],
  [
    'more in the place of the log',
    'not_a_receipt',
    changeLog((log) => Object.assign(log, { more: 1 })),
  ],
  [
    'a proof without end',
    'not_a_receipt',
    changeLog((log) => Object.assign(log, { proof: Array(65).fill(log.root) })),
  ],
  [
    'letters beyond ASCII in its signature',
    'not_a_receipt',
    changeView(({ receipt }) => Object.assign(receipt, { jws: `${receipt.jws}é` })),
  ],
  [
    'a kid beyond ASCII',
    'not_a_receipt',
    changeView(({ receipt }) => Object.assign(receipt, { kid: `é${receipt.kid.slice(1)}` })),
  ],
  [
    'another algorithm beside it',
    'not_a_receipt',
    changeView(({ receipt }) => Object.assign(receipt, { alg: 'none' })),
  ],
  [
    'another realm',
    'not_canonical',
    changeView(({ receipt }) => Object.assign(receipt.payload, { realm: 'other' })),
  ],
  [
    'a realm that there cannot be',
    'not_a_receipt',
    changeView(({ receipt }) => Object.assign(receipt.payload, { realm: 'Local Host' })),
  ],
  [
    'a time in another form',
    'not_a_receipt',
    changeView(({ receipt }) =>
      Object.assign(receipt.payload, { occurredAt: '2026-03-01T12:00:00Z' }),
    ),
  ],
  [
    'a line end behind its id',
    'not_a_receipt',
    changeView((view) => Object.assign(view, { id: `${view.id}\n` })),
  ],
  [
    'another digest',
    'digest_differs',
    changeView(({ receipt }) => Object.assign(receipt, { sha256: 'b'.repeat(64) })),
  ],
  [
    'other facts beside it',
    'facts_differ',
    changeView((view) => Object.assign(view.actor, { handle: 'eve' })),
  ],
  [
    'a subject of another type',
    'facts_differ',
    changeView((view) => Object.assign(view.subject, { type: 'thread' })),
  ],
  // These cases change the signature.
  ['two parts', 'jws_malformed', changeParts(([a = '', b = '']) => [a, b])],
  ['four parts', 'jws_malformed', changeParts((all) => [...all, ''])],
  ['no signature', 'signature_wrong', changeParts(([a = '', b = '']) => [a, b, ''])],
  [
    'a signature of zeros',
    'signature_wrong',
    changeParts(([a = '', b = '']) => [a, b, 'A'.repeat(86)]),
  ],
  [
    'a signature of other letters for the same bytes',
    'jws_malformed',
    changeParts(([a = '', b = '', c = '']) => [
      a,
      b,
      c.slice(0, -1) + ({ A: 'B', Q: 'R', g: 'h', w: 'x' }[c.slice(-1)] ?? ''),
    ]),
  ],
  [
    'the other signature that follows from one',
    'receipt_changed',
    changeParts(([a = '', b = '', c = '']) => {
      const bytes = Buffer.from(c, 'base64url');
      const s = N - BigInt(`0x${bytes.toString('hex', 32)}`);
      return [
        a,
        b,
        Buffer.concat([
          bytes.subarray(0, 32),
          Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
        ]).toString('base64url'),
      ];
    }),
  ],
  ['a header that is no JSON', 'jws_malformed', changeHeader(() => '{alg}')],
  ['a header that is a list', 'jws_malformed', changeHeader(() => '[]')],
  [
    'a header with a byte order mark',
    'jws_differs',
    changeHeader((good) => `\ufeff${JSON.stringify(good)}`),
  ],
  [
    'a header with a member twice',
    'jws_differs',
    changeHeader((good) => JSON.stringify(good).replace('{', '{"alg":"none",')),
  ],
  ['a header with spaces', 'jws_differs', changeHeader((good) => JSON.stringify(good, null, 1))],
  ['alg "none"', 'header_not_allowed', changeHeader((good) => ({ ...good, alg: 'none' }))],
  ['alg HS256', 'header_not_allowed', changeHeader((good) => ({ ...good, alg: 'HS256' }))],
  [
    'an extension',
    'header_not_allowed',
    changeHeader((good) => ({ ...good, crit: ['b64'], b64: false })),
  ],
  [
    'an address of keys',
    'header_not_allowed',
    changeHeader((good) => ({ ...good, jku: 'https://evil.example' })),
  ],
  // These cases change the keys.
  ['a key set that is none', 'key_set_malformed', (one) => Object.assign(one, { jwks: '[]' })],
  ['a key set that is no JSON', 'not_reachable', (one) => Object.assign(one, { jwks: '{"keys":' })],
  [
    'a key set with a member twice',
    null,
    (one) => Object.assign(one, { jwks: one.jwks.replace('{', '{"keys":[],') }),
  ],
  [
    'a key set with other things in it',
    null,
    changeKeys((keys) => keys.unshift(null, 5, 'key', {})),
  ],
  ['no key', 'unknown_signing_key', changeKeys((keys) => keys.pop())],
  ['the key twice', 'unknown_signing_key', changeKeys((keys) => keys.push(keys[0]))],
  [
    'another coordinate',
    'signing_key_malformed',
    changeKeys(([key]) => Object.assign(key, { x: key.y })),
  ],
  [
    'a key for something else',
    'signing_key_malformed',
    changeKeys(([key]) => Object.assign(key, { use: 'enc' })),
  ],
  ['a key without a coordinate', 'signing_key_malformed', changeKeys(([key]) => delete key.y)],
  [
    'a manifest that names keys of others',
    'other_issuer',
    (one) => Object.assign(one, { manifest: one.manifest.replace(/:\d+\/jwks/, ':1/jwks') }),
  ],
  [
    'a manifest that names nothing',
    'other_issuer',
    (one) => Object.assign(one, { manifest: '{}' }),
  ],
  ['a manifest that is null', 'other_issuer', (one) => Object.assign(one, { manifest: 'null' })],
  // These cases change the log.
  ['a log key that is none', 'key_malformed', (one) => Object.assign(one, { vkey: 'nothing' })],
  [
    'a log key with another id',
    'key_malformed',
    (one) =>
      Object.assign(one, {
        vkey: one.vkey.replace(/\+[0-9a-f]/, (id) => (id === '+0' ? '+1' : '+0')),
      }),
  ],
  [
    'a log key with line ends around it',
    null,
    (one) => Object.assign(one, { vkey: `\n${one.vkey}\n` }),
  ],
  [
    'a checkpoint that is none',
    'checkpoint_malformed',
    changeLog((log) => Object.assign(log, { checkpoint: 'nothing' })),
  ],
  [
    'a checkpoint without its last line end',
    'checkpoint_malformed',
    changeLog((log) => Object.assign(log, { checkpoint: log.checkpoint.slice(0, -1) })),
  ],
  [
    'a checkpoint of another size',
    'bad_signature',
    changeLog((log) =>
      Object.assign(log, { checkpoint: log.checkpoint.replace('\n5\n', '\n6\n') }),
    ),
  ],
  [
    'a checkpoint with the signature of a witness',
    null,
    changeLog((log) =>
      Object.assign(log, {
        checkpoint: `${log.checkpoint}\u2014 witness.example ${witnessSignature}\n`,
      }),
    ),
  ],
  [
    'a witness with a control character',
    'checkpoint_malformed',
    changeLog((log) =>
      Object.assign(log, {
        checkpoint: `${log.checkpoint}\u2014 wit\u0007ness ${witnessSignature}\n`,
      }),
    ),
  ],
  [
    'a witness whose signature is none',
    'checkpoint_malformed',
    changeLog((log) =>
      Object.assign(log, { checkpoint: `${log.checkpoint}\u2014 witness.example AAAA\n` }),
    ),
  ],
  [
    'a witness whose signature is no base64',
    'checkpoint_malformed',
    changeLog((log) =>
      Object.assign(log, { checkpoint: `${log.checkpoint}\u2014 witness.example A=AAAAAAA\n` }),
    ),
  ],
  [
    'a checkpoint with the lines of Windows',
    'checkpoint_malformed',
    changeLog((log) => Object.assign(log, { checkpoint: log.checkpoint.replaceAll('\n', '\r\n') })),
  ],
  ['another size', 'inclusion_wrong', changeLog((log) => Object.assign(log, { size: 6 }))],
  [
    'a root of other letters for the same bytes',
    'inclusion_wrong',
    changeLog((log) =>
      Object.assign(log, {
        root: log.root.replace(
          /(.)=$/,
          (_: string, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}=`,
        ),
      }),
    ),
  ],
  [
    'a root that is no hash',
    'not_a_receipt',
    changeLog((log) => Object.assign(log, { root: 'AAAA' })),
  ],
  ['a proof too short', 'inclusion_wrong', changeLog((log) => log.proof.pop())],
  ['a proof too long', 'inclusion_wrong', changeLog((log) => log.proof.push(log.root))],
  [
    'a salt that there is not',
    'facts_differ',
    changeLog((log) => Object.assign(log, { salt: log.root })),
  ],
  [
    'another visibility',
    'facts_differ',
    changeView((view) => Object.assign(view, { visibility: 'private' })),
  ],
  // These cases change what the installation shows now.
  [
    'another receipt there now',
    'receipt_changed',
    (one, { ours }) => Object.assign(one, { now: JSON.stringify(issueReceipt(ours)) }),
  ],
  ['something else there now', 'not_a_receipt', (one) => Object.assign(one, { now: '{}' })],
  ['no JSON there now', 'not_reachable', (one) => Object.assign(one, { now: '<html>' })],
];

describe.runIf(hasPython)('the three verifiers', () => {
  it('[receipt.verifiers-agree] give the same verdict on every known fault', async () => {
    const staged = await Promise.all(table.map(([, , change]) => stageExhibit(change)));
    const found = await listVerdicts(staged);
    const told = table.map(([what], nr) => [what, ...new Set(found[nr])]);
    expect(told).toEqual(table.map(([what, fault]) => [what, fault]));
  });

  it('[receipt.verifiers-agree] give the same verdict on every flipped bit', async () => {
    const wheres = ['file', 'file', 'jwks', 'vkey'] as const;
    const flips = Array.from({ length: 300 }, (_, nr) => ({
      where: wheres[nr % wheres.length] as (typeof wheres)[number],
      at: Math.random(),
      bit: 1 << (nr % 7),
    }));
    const staged = await Promise.all(
      flips.map(({ where, at, bit }, nr) =>
        stageExhibit(
          (one) => {
            const bytes = Buffer.from(String(one[where]));
            const place = Math.floor(at * bytes.length);
            bytes[place] = (bytes[place] as number) ^ bit;
            one[where] = String(bytes);
          },
          nr % 2 ? Buffer.alloc(32, 9) : null,
        ),
      ),
    );
    for (const [nr, said] of (await listVerdicts(staged)).entries())
      expect(
        new Set(said).size,
        `${JSON.stringify(flips[nr])} in ${staged[nr]?.text}: ${said}`,
      ).toBe(1);
  });
});
