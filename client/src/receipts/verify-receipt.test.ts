import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createIssuer,
  issueReceipt,
  signJws,
} from '../../../test/features/receipts/receipt-maker.ts';
import type { Json } from '../../../test/support/factories.ts';
import { wycheproofJws, wycheproofKey } from '../../../test/vectors/wycheproof-jws.ts';
import {
  checkCurrent,
  isSignedBy,
  type ReceiptFault,
  type Trust,
  verifyReceipt,
} from './verify-receipt.ts';

const ours = await createIssuer();
const other = await createIssuer('https://other.example.org');
const receipt = issueReceipt(ours);
const secret = issueReceipt(ours, {}, Buffer.alloc(32, 9));

const copyView = (view: Json): Json => structuredClone(view);
const findFault = async (
  view: unknown,
  trust: Trust = ours.trust,
): Promise<ReceiptFault | null> => {
  const { holds, checks } = await verifyReceipt(view, trust);
  const fault = checks.at(-1)?.fault ?? null;
  expect(holds).toBe(fault === null);
  return fault;
};

/** Returns a changed copy of a receipt. */
const changeView = (change: (view: Json) => void, of: Json = receipt): Json => {
  const view = copyView(of);
  change(view);
  return view;
};

/** Returns a copy with another payload or header, signed with the right key. */
const signAgain = (
  payload: Json,
  header: string = JSON.stringify({ alg: 'ES256', kid: ours.kid, typ: 'stoa-receipt+jws' }),
): Json =>
  changeView((view) => {
    const canonical = canonicalize(payload) as string;
    view.receipt = {
      ...view.receipt,
      payload,
      canonical,
      sha256: createHash('sha256').update(canonical).digest('hex'),
      jws: signJws(ours.key, header, canonical),
    };
  });

const withHeader = (header: Json): Json =>
  changeView((view) => {
    view.receipt.jws = signJws(
      ours.key,
      typeof header === 'string' ? header : JSON.stringify(header),
      receipt.receipt.canonical,
    );
  });
/** Changes the last of 86 characters, which has four unused bits. */
const changePadding = (jws: string) =>
  jws.slice(0, -1) + ({ A: 'B', Q: 'R', g: 'h', w: 'x' }[jws.slice(-1)] ?? '');

const good = { alg: 'ES256', kid: ours.kid, typ: 'stoa-receipt+jws' };
const key = ours.trust.jwks.keys[0];
const withKey = (change: Json): Trust => ({
  ...ours.trust,
  jwks: { keys: [{ ...key, ...change }] },
});

describe('a receipt that is right', () => {
  it('[receipt.verify] holds, step by step, public or private', async () => {
    for (const view of [receipt, secret]) {
      const { holds, checks } = await verifyReceipt(view, ours.trust);
      expect(checks.map(({ name, fault }) => [name, fault])).toEqual(
        ['form', 'canonical', 'issuer', 'header', 'key', 'signature', 'facts', 'log'].map(
          (name) => [name, null],
        ),
      );
      expect(holds).toBe(true);
    }
    const further = {
      ...ours.trust,
      jwks: { keys: [...other.trust.jwks.keys, ...ours.trust.jwks.keys] },
    };
    expect(await findFault(receipt, further)).toBeNull();
    expect(
      await findFault(receipt, { ...ours.trust, issuer: 'https://Stoa.Example.org:443/' }),
    ).toBeNull();
  });

  it('[receipt.verify] is compared with what the installation shows now', async () => {
    expect(await checkCurrent(receipt, receipt)).toMatchObject({
      name: 'state',
      fault: null,
      text: expect.stringContaining('is unchanged'),
    });
    const deleted = changeView((view) => {
      view.current.state = 'deleted';
    });
    expect((await checkCurrent(receipt, deleted)).text).toContain('was deleted');
    expect(await checkCurrent(receipt, issueReceipt(ours))).toMatchObject({
      fault: 'receipt_changed',
    });
    expect(await checkCurrent(receipt, {})).toMatchObject({ fault: 'not_a_receipt' });
  });
});

describe('a receipt that is wrong', () => {
  const cases: readonly (readonly [
    what: string,
    fault: ReceiptFault,
    view: unknown,
    trust?: Trust,
  ])[] = [
    ['nothing', 'not_a_receipt', null],
    ['a list', 'not_a_receipt', []],
    [
      'whose issuer has credentials',
      'not_a_receipt',
      signAgain({ ...receipt.receipt.payload, iss: 'https://stoa.example.org@evil.example' }),
    ],
    [
      'whose issuer is no address',
      'not_a_receipt',
      signAgain({ ...receipt.receipt.payload, iss: 'https://[::1' }),
    ],
    ['without a receipt', 'not_a_receipt', { ...receipt, receipt: undefined }],
    [
      'with a further member in what is signed',
      'not_a_receipt',
      signAgain({ ...receipt.receipt.payload, admin: true }),
    ],
    [
      'with a further member in its actor',
      'not_a_receipt',
      signAgain({ ...receipt.receipt.payload, actor: { ...receipt.actor, admin: true } }),
    ],
    [
      'with a further member beside what is signed',
      'not_a_receipt',
      changeView((view) => Object.assign(view.receipt, { x5u: 'https://evil.example' })),
    ],
    ['of another version', 'not_a_receipt', signAgain({ ...receipt.receipt.payload, v: 2 })],
    [
      'with a huge number',
      'not_a_receipt',
      changeView((view) => Object.assign(view.receipt.payload, { v: Number.POSITIVE_INFINITY })),
    ],
    [
      'with a text for its version',
      'not_a_receipt',
      signAgain({ ...receipt.receipt.payload, v: '1' }),
    ],
    [
      'with an unpaired surrogate',
      'not_a_receipt',
      changeView((view) => Object.assign(view.receipt.payload, { realm: '\ud800' })),
    ],
    [
      'with an unpaired surrogate in its text',
      'not_a_receipt',
      changeView((view) => Object.assign(view.receipt, { canonical: '{"a":"\ud800"}' })),
    ],
    [
      'with a place in the log that is no number',
      'not_a_receipt',
      changeView((view) => Object.assign(view.log, { index: 2.5 })),
    ],
    [
      'with a place beyond what JSON can carry',
      'not_a_receipt',
      changeView((view) => Object.assign(view.log, { index: 2 ** 53 })),
    ],
    [
      'with another algorithm beside it',
      'not_a_receipt',
      changeView((view) => Object.assign(view.receipt, { alg: 'none' })),
    ],
    [
      'not canonical',
      'not_canonical',
      changeView((view) =>
        Object.assign(view.receipt, { canonical: `{ ${view.receipt.canonical.slice(1)}` }),
      ),
    ],
    [
      'with another payload',
      'not_canonical',
      changeView((view) => Object.assign(view.receipt.payload, { contentSha256: 'b'.repeat(64) })),
    ],
    [
      'with another digest',
      'digest_differs',
      changeView((view) => Object.assign(view.receipt, { sha256: 'b'.repeat(64) })),
    ],
    ['of another installation', 'other_issuer', issueReceipt(other)],
    [
      'that names another installation',
      'other_issuer',
      signAgain({ ...receipt.receipt.payload, iss: 'https://other.example.org' }),
    ],
    [
      'with two parts',
      'jws_malformed',
      changeView((view) => Object.assign(view.receipt, { jws: view.receipt.jws.slice(0, -87) })),
    ],
    [
      'with padding in its header',
      'jws_malformed',
      changeView((view) => Object.assign(view.receipt, { jws: `A${view.receipt.jws}` })),
    ],
    [
      'with a signature of other letters for the same bytes',
      'jws_malformed',
      changeView((view) => Object.assign(view.receipt, { jws: changePadding(view.receipt.jws) })),
    ],
    ['with a header that is no JSON', 'jws_malformed', withHeader('{alg}')],
    ['with a header that is no object', 'jws_malformed', withHeader('[]')],
    ['without an algorithm', 'header_not_allowed', withHeader({ kid: good.kid, typ: good.typ })],
    ['with alg "none"', 'header_not_allowed', withHeader({ ...good, alg: 'none' })],
    ['with alg "es256"', 'header_not_allowed', withHeader({ ...good, alg: 'es256' })],
    ['with alg HS256', 'header_not_allowed', withHeader({ ...good, alg: 'HS256' })],
    ['with alg ES384', 'header_not_allowed', withHeader({ ...good, alg: 'ES384' })],
    ['with another typ', 'header_not_allowed', withHeader({ ...good, typ: 'JWT' })],
    ['with another kid', 'header_not_allowed', withHeader({ ...good, kid: other.kid })],
    [
      'with an embedded key',
      'header_not_allowed',
      withHeader({ ...good, jwk: other.trust.jwks.keys[0] }),
    ],
    [
      'with an address of keys',
      'header_not_allowed',
      withHeader({ ...good, jku: 'https://evil.example/jwks' }),
    ],
    [
      'with a certificate',
      'header_not_allowed',
      withHeader({ ...good, x5u: 'https://evil.example' }),
    ],
    ['with an extension', 'header_not_allowed', withHeader({ ...good, crit: ['b64'], b64: false })],
    [
      'with a prototype',
      'header_not_allowed',
      withHeader(`{"alg":"ES256","kid":"${good.kid}","typ":"${good.typ}","__proto__":{}}`),
    ],
    [
      'with a header in another order',
      'jws_differs',
      withHeader({ typ: good.typ, kid: good.kid, alg: good.alg }),
    ],
    [
      'with a member that stands twice',
      'jws_differs',
      withHeader(`{"alg":"none","alg":"ES256","kid":"${good.kid}","typ":"${good.typ}"}`),
    ],
    [
      'that signs something else',
      'jws_differs',
      changeView((view) =>
        Object.assign(view.receipt, {
          jws: signJws(ours.key, JSON.stringify(good), `${view.receipt.canonical} `),
        }),
      ),
    ],
    ['without a key set', 'key_set_malformed', receipt, { ...ours.trust, jwks: null }],
    [
      'whose key is not in the set',
      'unknown_signing_key',
      receipt,
      { ...ours.trust, jwks: other.trust.jwks },
    ],
    [
      'whose key is there twice',
      'unknown_signing_key',
      receipt,
      { ...ours.trust, jwks: { keys: [key, key] } },
    ],
    [
      'whose key is another one of the same name',
      'signing_key_malformed',
      receipt,
      withKey({ x: other.trust.jwks.keys[0].x, y: other.trust.jwks.keys[0].y }),
    ],
    ['whose key is no signing key', 'signing_key_malformed', receipt, withKey({ use: 'enc' })],
    [
      'whose key is for another algorithm',
      'signing_key_malformed',
      receipt,
      withKey({ alg: 'ES384' }),
    ],
    ['whose key is no key', 'signing_key_malformed', receipt, withKey({ kty: 'oct' })],
    [
      'with the signature of another',
      'signature_wrong',
      changeView((view) =>
        Object.assign(view.receipt, {
          jws: issueReceipt(ours, { realm: 'x' }).receipt.jws.replace(
            /^[^.]*\.[^.]*/,
            view.receipt.jws.replace(/\.[^.]*$/, ''),
          ),
        }),
      ),
    ],
    [
      'without a signature',
      'signature_wrong',
      changeView((view) =>
        Object.assign(view.receipt, { jws: view.receipt.jws.replace(/[^.]*$/, '') }),
      ),
    ],
    [
      'with other facts beside it',
      'facts_differ',
      { ...receipt, actor: { ...receipt.actor, handle: 'eve' } },
    ],
    [
      'about something else',
      'facts_differ',
      changeView((view) => Object.assign(view.subject, { type: 'thread' })),
    ],
    ['that is not in the log yet', 'not_in_log', { ...receipt, log: null }],
    [
      'with the place of another',
      'inclusion_wrong',
      changeView((view) => Object.assign(view.log, { index: 1 })),
    ],
    [
      'with another size',
      'inclusion_wrong',
      changeView((view) => Object.assign(view.log, { size: 6 })),
    ],
    [
      'with a proof that is too short',
      'inclusion_wrong',
      changeView((view) => view.log.proof.pop()),
    ],
    [
      'with a proof that is too long',
      'inclusion_wrong',
      changeView((view) => view.log.proof.push(view.log.root)),
    ],
    [
      'with the checkpoint of another log',
      'unknown_key',
      changeView((view) =>
        Object.assign(view.log, { checkpoint: issueReceipt(other).log?.checkpoint }),
      ),
    ],
    [
      'with a checkpoint that is none',
      'checkpoint_malformed',
      changeView((view) => Object.assign(view.log, { checkpoint: 'nothing' })),
    ],
    ['with a log key that is none', 'key_malformed', receipt, { ...ours.trust, logKey: 'nothing' }],
    ['that says it is private', 'facts_differ', { ...receipt, visibility: 'private' }],
    [
      'with another salt',
      'inclusion_wrong',
      changeView(
        (view) => Object.assign(view.log, { salt: Buffer.alloc(32, 8).toString('base64') }),
        secret,
      ),
    ],
  ];

  it.for(cases.map(([what, fault, view, trust]) => ({ what, fault, view, trust })))(
    '[receipt.verify-faults] $what: $fault',
    async ({ fault, view, trust }) => {
      expect(await findFault(view, trust)).toBe(fault);
    },
  );

  it('[receipt.verify-faults] is detected whichever bit of it was flipped', async () => {
    const text = JSON.stringify({
      ...secret,
      summary: '',
      links: {},
      subject: { type: secret.subject.type, id: secret.subject.id },
      current: { state: 'current' },
    });
    const property = fc.asyncProperty(fc.nat(text.length - 1), fc.nat(6), async (at, bit) => {
      const flipped =
        text.slice(0, at) +
        String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) +
        text.slice(at + 1);
      const value = await Promise.resolve(flipped)
        .then(JSON.parse)
        .catch(() => null);
      // The present state and the names of ignored members are neither signed nor checked.
      if (
        canonicalize(value) === canonicalize(JSON.parse(text)) ||
        value?.current?.state !== 'current' ||
        !('summary' in value && 'links' in value)
      )
        return;
      expect(await findFault(value)).not.toBeNull();
    });
    await fc.assert(property, { numRuns: 1_000 });
  });

  it('[receipt.verify-faults] is detected whichever bit of the keys was flipped', async () => {
    const text = JSON.stringify(ours.trust);
    const property = fc.asyncProperty(fc.nat(text.length - 1), fc.nat(6), async (at, bit) => {
      const flipped =
        text.slice(0, at) +
        String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) +
        text.slice(at + 1);
      const trust = await Promise.resolve(flipped)
        .then(JSON.parse)
        .catch(() => null);
      // Host names are case-insensitive.
      if (
        trust === null ||
        canonicalize({ ...trust, issuer: String(trust.issuer).toLowerCase() }) ===
          canonicalize(ours.trust)
      )
        return;
      expect(
        await findFault(receipt, { jwks: null, issuer: '', logKey: '', ...trust }),
      ).not.toBeNull();
    });
    await fc.assert(property, { numRuns: 500 });
  });
});

describe("Wycheproof's JWS with ES256", () => {
  it.for(wycheproofJws)('[receipt.vectors-jws] %i %s', async ([, , jws, valid]) => {
    expect(await isSignedBy(jws, wycheproofKey)).toBe(valid);
    // None of them is a receipt, including those with a valid signature.
    expect(
      await findFault(changeView((view) => Object.assign(view.receipt, { jws }))),
    ).not.toBeNull();
  });
});
