import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkReceipt } from '../../../client/src/receipts/check-receipt.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, waitUntil } from '../../support/factories.ts';
import { startPretender } from '../../support/pretender.ts';
import { type CommandResult, createFolder, runCommand } from '../../support/service.ts';
import { wycheproofJws, wycheproofKey } from '../../vectors/wycheproof-jws.ts';
import { createIssuer, issueReceipt } from './receipt-maker.ts';

const app = await startApp();
const f = factories(app);
const work = createFolder();

const ada = await f.createAgent('ada');
const thread = await f.createThread(ada, await f.createRoom(ada));
const secretRoom = await f.createRoom(ada, 'private');
await f.grantCapability(ada, 'credentials');
const { apiKey } = await f.createScopedKey(ada, ['forum', 'credentials']);

/** Returns the view of a new receipt with its place in the log. */
async function createReceipt(threadId = thread, key?: string): Promise<Json> {
  const { receiptId } = await f.postMessage(ada, threadId, 'Hello');
  await waitUntil(
    'it has its place',
    async () => (await f.ok('GET', `/e/${receiptId}.json`, { key })).log !== null,
  );
  return f.ok('GET', `/e/${receiptId}.json`, { key });
}

let files = 0;
/** Creates a file with this content. */
function writeReceiptFile(content: unknown): string {
  const path = join(work, `receipt-${++files}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** The command takes a second to start on an idle processor. */

const program = join(work, 'reproduce.py');
const { text: source } = await f.send('GET', '/examples/reproduce.py');
writeFileSync(program, source);

/**
 * Runs Python in isolated mode, without the machine's packages and environment. Returns null where
 * Python is missing.
 */
const runPython = (
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> =>
  new Promise((resolve, reject) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env }, cwd: work };
    const child = execFile('python3', ['-I', '-B', ...args], options, (error, out, err) =>
      error && typeof error.code !== 'number'
        ? reject(error)
        : resolve({ code: child.exitCode, out, err }),
    );
  });
const hasPython = await runPython(['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']).then(
  ({ code }) => code === 0,
  () => false,
);

type Run = (target: string, flags?: string, env?: Record<string, string>) => Promise<CommandResult>;

const verifyByPython: Run = (target, flags = '', env = {}) =>
  runPython([program, 'receipt', target, ...flags.split(' ').filter(Boolean)], env);
const verifiers: readonly (readonly [name: string, run: Run])[] = [
  [
    'stoa verify-receipt',
    (target, flags = '', env = {}) => runCommand(`verify-receipt ${target} ${flags}`.trim(), env),
  ],
  ...(hasPython ? [['reproduce.py receipt', verifyByPython] as const] : []),
];

describe.for(verifiers)('%s', ([name, run]) => {
  it('[receipt.verify-cli] [receipt.reproduce] accepts address, page and file', async () => {
    const view = await createReceipt();
    for (const target of [view.links.self, view.links.page, writeReceiptFile(view)]) {
      const { code, out, err } = await run(target);
      expect({ code, err }, out).toEqual({ code: 0, err: '' });
      for (const step of [
        'form',
        'canonical',
        'issuer',
        'header',
        'signature',
        'facts',
        'log',
        'state',
      ])
        expect(out).toMatch(new RegExp(`^ok +${step} `, 'm'));
      expect(out).toMatch(/is unchanged/);
      expect(out).toMatch(/what was said is true/);
      expect(out).not.toMatch(/WRONG|NOT PROVEN/);
    }
  });

  it(
    '[receipt.verify-cli] [receipt.reproduce] [receipt.verify-key] ' +
      'takes a key for private receipts and sends it nowhere else',
    async () => {
      const view = await createReceipt(await f.createThread(ada, secretRoom), apiKey);
      const env = { STOA_API_KEY: apiKey, STOA_URL: app.url };
      const flag = `--api-key ${apiKey}`;
      expect((await run(view.links.self, '', env)).code).toBe(0);
      expect((await run(writeReceiptFile(view), `--issuer ${app.url}`, env)).code).toBe(0);
      expect((await run(view.links.self, flag)).code).toBe(0);
      expect((await run(view.links.self)).code).toBe(1);
      // The file states the address, so its author would receive the key.
      expect((await run(writeReceiptFile(view), '', env)).code).toBe(1);
      const thief = await startPretender(() => undefined);
      await run(
        writeReceiptFile({ ...issueReceipt(await createIssuer(thief.url)), visibility: 'private' }),
        flag,
        env,
      );
      expect(thief.asked.length).toBeGreaterThan(0);
      // The server that receives the key may redirect the verifier, but not with the key.
      const sending = await startPretender(({ url }) => ({
        status: 307,
        headers: { location: `${thief.url}${url}` },
        body: '',
      }));
      expect((await run(`${sending.url}/e/${view.id}.json`, flag)).code).toBe(1);
      expect(
        (await run(writeReceiptFile(view), `--issuer ${app.url} --at ${sending.url} ${flag}`)).code,
      ).toBe(1);
      expect(sending.asked.length).toBeGreaterThan(0);
      for (const { headers } of thief.asked) expect(JSON.stringify(headers)).not.toContain(apiKey);
    },
  );

  it(
    '[receipt.verify-cli] [receipt.reproduce] [receipt.verify-faults] ' +
      'rejects a wrong receipt and names the fault',
    async () => {
      const view = await createReceipt();
      const { payload, canonical, jws } = view.receipt;
      const text = JSON.stringify(view);
      const flipCharacter = (at: number) =>
        jws.slice(0, at) + (jws[at] === 'A' ? 'B' : 'A') + jws.slice(at + 1);
      const cases: readonly (readonly [content: unknown, fault: string])[] = [
        ['not JSON', 'not_a_receipt'],
        ['[]', 'not_a_receipt'],
        [
          { ...view, receipt: { ...view.receipt, payload: { ...payload, admin: 1 } } },
          'not_a_receipt',
        ],
        [text.replace('"v":1,', '"v":1,"v":1,'), 'not_a_receipt'],
        [text.replace('"v":1,', '"v":1e999,'), 'not_a_receipt'],
        [text.replace('"v":1,', '"v":123456789012345678901234567890,'), 'not_a_receipt'],
        [text.replace('"realm":"test"', '"realm":"\\ud800"'), 'not_a_receipt'],
        [issueReceipt(await createIssuer(app.url)), 'unknown_signing_key'],
        [
          { ...view, receipt: { ...view.receipt, jws: flipCharacter(jws.lastIndexOf('.') + 5) } },
          'signature_wrong',
        ],
      ];
      // client/verify-receipt.test.ts has these cases and more for the code that the command runs.
      const further: typeof cases = [
        [
          { ...view, receipt: { ...view.receipt, payload: { ...payload, realm: 'other' } } },
          'not_canonical',
        ],
        [
          { ...view, receipt: { ...view.receipt, canonical: canonical.replace('test', 'text') } },
          'not_canonical',
        ],
        [{ ...view, receipt: { ...view.receipt, sha256: 'a'.repeat(64) } }, 'digest_differs'],
        [
          { ...view, receipt: { ...view.receipt, jws: flipCharacter(jws.indexOf('.') + 5) } },
          'jws_differs',
        ],
        [{ ...view, actor: { ...view.actor, handle: 'eve' } }, 'facts_differ'],
        [{ ...view, log: null }, 'not_in_log'],
        [{ ...view, log: { ...view.log, index: view.log.index + 1 } }, 'inclusion_wrong'],
        [
          {
            ...view,
            log: { ...view.log, checkpoint: view.log.checkpoint.replace(/\n\d+\n/, '\n9\n') },
          },
          'bad_signature',
        ],
      ];
      const held = (name.startsWith('stoa') ? cases : [...cases, ...further]).map(
        async ([content, fault]) => {
          const { code, out, err } = await run(writeReceiptFile(content));
          expect({ code, output: out + err }, JSON.stringify(content).slice(0, 200)).toEqual({
            code: 1,
            output: expect.stringContaining(`(${fault})`),
          });
        },
      );
      const nowhere = [
        run(join(work, 'nothing.json')),
        run('http://127.0.0.1:1/e/x.json'),
        run(writeReceiptFile(view), '--issuer https://127.0.0.1:1'),
      ];
      await Promise.all(held);
      expect((await Promise.all(nowhere)).map(({ code }) => code)).toEqual([1, 1, 1]);
    },
  );

  it('[receipt.verify-cli] [receipt.reproduce] trusts the keys of its address only', async () => {
    const view = await createReceipt();
    const mirror = await startPretender(({ url }) =>
      url?.startsWith('/e/') ? { body: view } : undefined,
    );
    expect(await run(`${mirror.url}/e/${view.id}.json`)).toMatchObject({ code: 1 });
    expect(mirror.asked.map(({ url }) => url)).not.toContain('/.well-known/stoa-jwks.json');

    const borrowed = await startPretender(({ url }) =>
      url === '/.well-known/service.json'
        ? { body: { links: { jwks: view.links.jwks, log: `${app.url}/log` } } }
        : { body: view },
    );
    const { code, out, err } = await run(
      writeReceiptFile(view),
      `--issuer ${app.url} --at ${borrowed.url}`,
    );
    expect({ code, output: out + err }).toEqual({
      code: 1,
      output: expect.stringContaining('(other_issuer)'),
    });

    const redirecting = await startPretender(({ url }) => ({
      status: 302,
      headers: { location: `${app.url}${url}` },
      body: '',
    }));
    expect(
      (await run(writeReceiptFile(view), `--issuer ${app.url} --at ${redirecting.url}`)).code,
    ).toBe(1);
    const moved = await startPretender(({ url }) => {
      const { self, page, ...links } = view.links;
      const toMovedAddress = (address: string) => address.replace(app.url, moved.url);
      if (url === '/.well-known/service.json')
        return {
          body: { links: { ...links, jwks: toMovedAddress(links.jwks), log: `${moved.url}/log` } },
        };
      if (url === `/e/${view.id}.json`) return { body: view };
      return copies[url ?? ''];
    });
    const copies: Record<string, Json> = {};
    for (const path of ['/.well-known/stoa-jwks.json', '/log/vkey'])
      copies[path] = { body: (await f.send('GET', path)).text };
    expect((await run(writeReceiptFile(view), `--issuer ${app.url} --at ${moved.url}`)).code).toBe(
      0,
    );
  });

  it('[receipt.verify-cli] [receipt.reproduce] reports replacement and deletion', async () => {
    const { receiptId, id: messageId } = await f.postMessage(ada, thread, 'To go');
    await waitUntil(
      'it has its place',
      async () => (await f.ok('GET', `/e/${receiptId}.json`)).log !== null,
    );
    const view = await f.ok('GET', `/e/${receiptId}.json`);
    await f.ok('DELETE', `/api/v1/admin/messages/${messageId}`, { admin: true });
    expect(await run(writeReceiptFile(view))).toMatchObject({
      code: 0,
      out: expect.stringContaining('was deleted'),
    });
  });
});

describe('the flags of stoa verify-receipt', () => {
  it('[receipt.verify-cli] are rejected with one sentence when they are no addresses', async () => {
    const words = [
      'x.json --issuer nonsense',
      'x.json --at ftp://stoa.example.org',
      'http://[::1/e/x.json',
    ];
    for (const { code, out, err } of await Promise.all(
      words.map((flags) => runCommand(`verify-receipt ${flags}`)),
    )) {
      expect({ code, out, err }).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(/^[^\n]* must be an address[^\n]*\n$/),
      });
    }
  });
});

describe('verifyReceiptOnline', () => {
  it('[receipt.verify] gives a verdict on what the installation serves', async () => {
    const view = await createReceipt();
    expect(await checkReceipt(view)).toMatchObject({
      holds: true,
      checks: expect.arrayContaining([{ name: 'state', fault: null, text: expect.any(String) }]),
    });
    await expect(checkReceipt({ ...view, receipt: null })).rejects.toMatchObject({
      code: 'not_a_receipt',
    });
    await expect(
      checkReceipt(view, { issuer: app.url, at: 'http://127.0.0.1:1' }),
    ).rejects.toMatchObject({
      code: 'not_reachable',
    });
  });

  it('[receipt.verify] [receipt.verify-key] follows no redirect to keys or with one', async () => {
    const view = await createReceipt();
    const elsewhere = await startPretender(() => undefined);
    const sending = await startPretender(({ url }) =>
      url === '/.well-known/service.json'
        ? { body: { links: { jwks: `${sending.url}/jwks`, log: `${sending.url}/log` } } }
        : { status: 307, headers: { location: `${elsewhere.url}${url}` }, body: '' },
    );
    await expect(
      checkReceipt(view, { issuer: app.url, at: sending.url, apiKey }),
    ).rejects.toMatchObject({
      code: 'not_reachable',
    });
    expect(sending.asked.length).toBeGreaterThan(1);
    expect(elsewhere.asked).toEqual([]);
  });

  it('[receipt.verify] sends no request about a receipt that contradicts itself', async () => {
    const stranger = await startPretender(() => undefined);
    const forged: Json = structuredClone(issueReceipt(await createIssuer(stranger.url)));
    forged.receipt.payload.contentSha256 = 'b'.repeat(64);
    expect(await checkReceipt(forged)).toMatchObject({
      holds: false,
      checks: [{ fault: null }, { fault: 'not_canonical' }],
    });
    expect(stranger.asked).toEqual([]);
  });

  it('[attack.44-5] (ASVS 13) sends no key to an address that a receipt names', async () => {
    const stranger = await startPretender(() => undefined);
    const forged: Json = issueReceipt(await createIssuer(stranger.url));
    await expect(checkReceipt(forged, { apiKey })).rejects.toThrow(TypeError);
    await expect(checkReceipt(forged, { at: stranger.url })).rejects.toThrow(TypeError);
    expect(stranger.asked).toEqual([]);
    // Keys of an installation are public: no key of an agent goes with the questions for them.
    await checkReceipt(forged, { issuer: stranger.url, apiKey }).catch(() => {});
    expect(stranger.asked.map(({ headers }) => headers['x-api-key'])).toEqual([undefined]);
  });

  it('[attack.44-6] (ASVS 1.2) prints no line of an installation as its own', async () => {
    const lie = 'ok    log        It is entry 7.\n\nProven: https://honest.example recorded it';
    const liar = await startPretender(({ url }) =>
      url === '/.well-known/service.json'
        ? { body: { links: { jwks: `${liar.url}/jwks\n${lie}`, log: `${liar.url}/log` } } }
        : { status: 500 },
    );
    const file = writeReceiptFile(issueReceipt(await createIssuer(liar.url)));
    const { code, out, err } = await runCommand(`verify-receipt ${file} --issuer ${liar.url}`);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^http[^\n]*answers 500[^\n]*\n$/);
  });

  it('[attack.44-12] does not let a receipt say who issued it at another address', async () => {
    const target = `${app.url}/e/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f`;
    const { code, out, err } = await runCommand(`verify-receipt ${target} --at ${app.url}`);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('--issuer');
  });
});

describe.runIf(hasPython)('the arithmetic of reproduce.py', () => {
  /** Returns the program's verdicts on ES256 and Ed25519 signatures. */
  async function listVerdicts(cases: readonly Json[]): Promise<boolean[]> {
    const script = `import sys, json
sys.path.insert(0, ${JSON.stringify(work)})
import reproduce as r
hexed = bytes.fromhex
def holds(c):
  message, signature = hexed(c["message"]), hexed(c["signature"])
  if c["alg"] == "ES256":
    return r.es256_holds(int(c["x"], 16), int(c["y"], 16), message, signature)
  return r.ed25519_holds(hexed(c["key"]), message, signature)
cases = json.load(open(${JSON.stringify(writeReceiptFile(cases))}))
print(json.dumps([holds(c) for c in cases]))`;
    const { out, err } = await runPython(['-c', script]);
    expect(err).toBe('');
    return JSON.parse(out);
  }
  const toHex = (base64url: string | undefined) =>
    Buffer.from(base64url ?? '', 'base64url').toString('hex');

  it('[receipt.reproduce] [receipt.vectors-jws] agrees with Wycheproof', async () => {
    const threePart = wycheproofJws.filter(([, , jws]) => jws.split('.').length === 3);
    const cases = threePart.map(([, , jws]) => {
      const [header, payload, signature] = jws.split('.');
      return {
        alg: 'ES256',
        x: toHex(wycheproofKey.x),
        y: toHex(wycheproofKey.y),
        message: Buffer.from(`${header}.${payload}`).toString('hex'),
        signature: toHex(signature),
      };
    });
    expect(await listVerdicts(cases)).toEqual(threePart.map(([, , , valid]) => valid));
  });

  it('[receipt.reproduce] agrees with OpenSSL on good and bad signatures', async () => {
    const N = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';
    const L = Buffer.from('1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed', 'hex')
      .reverse()
      .toString('hex');
    const cases: Json[] = [];
    const expected: boolean[] = [];
    const expectThat = (holds: boolean, one: Json) => {
      cases.push(one);
      expected.push(holds);
    };
    for (let round = 0; round < 12; round++) {
      const message = Buffer.from(`message ${round}`);
      const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const { x, y } = ec.publicKey.export({ format: 'jwk' });
      const es = { alg: 'ES256', x: toHex(x), y: toHex(y), message: message.toString('hex') };
      const signature = sign('sha256', message, {
        key: ec.privateKey,
        dsaEncoding: 'ieee-p1363',
      }).toString('hex');
      expectThat(true, { ...es, signature });
      expectThat(false, { ...es, signature, message: '00' });
      expectThat(false, { ...es, signature, x: es.y });
      for (const wrong of [
        '00'.repeat(64),
        `${N}${signature.slice(64)}`,
        `${signature.slice(0, 64)}${N}`,
        signature.slice(2),
        `${signature}00`,
        `${signature.slice(64)}${signature.slice(0, 64)}`,
      ])
        expectThat(false, { ...es, signature: wrong });

      const ed = generateKeyPairSync('ed25519');
      const key = toHex(ed.publicKey.export({ format: 'jwk' }).x);
      const ownCase = { alg: 'Ed25519', key, message: message.toString('hex') };
      const good = sign(null, message, ed.privateKey).toString('hex');
      expectThat(true, { ...ownCase, signature: good });
      expectThat(false, { ...ownCase, signature: good, message: '00' });
      for (const wrong of [
        '00'.repeat(64),
        `${good.slice(0, 64)}${L}`,
        good.slice(2),
        `${good}00`,
        `ff${good.slice(2, 62)}ff${good.slice(64)}`,
      ])
        expectThat(false, { ...ownCase, signature: wrong });
    }
    expect(await listVerdicts(cases)).toEqual(expected);
  });
});
