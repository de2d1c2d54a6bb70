import canonicalize from 'canonicalize';
import { calculateJwkThumbprint, compactVerify, importJWK, type JWK } from 'jose';
import { equalBytes, fromBase64, sha256, utf8 } from './bytes.ts';
import { CheckpointError, openCheckpoint } from './checkpoint.ts';
import { entryOf, verifyInclusion } from './verify-merkle.ts';
import { ReceiptError, type ReceiptFault } from './receipt-fault.ts';
import { type CheckedView, readView } from './receipt-form.ts';
import { parseUrl } from './parse-url.ts';

export { ReceiptError, type ReceiptFault } from './receipt-fault.ts';
export type { CheckedView } from './receipt-form.ts';

/** What a receipt is checked against: never taken from the receipt itself. */
export interface Trust {
  /** Address of the installation that must have issued it. */
  readonly issuer: string;
  /** The key set that the manifest of that installation names. */
  readonly jwks: unknown;
  /** The verifier key of its log, `<name>+<id>+<base64>`. */
  readonly logKey: string;
}

export const checkNames = [
  'form',
  'canonical',
  'issuer',
  'header',
  'key',
  'signature',
  'facts',
  'log',
  'state',
] as const;
export type CheckName = (typeof checkNames)[number];

/** One step of the list, in words. Those behind the first that fails are not made. */
export interface Check {
  readonly name: CheckName;
  readonly fault: ReceiptFault | null;
  readonly text: string;
}

export interface Verdict {
  readonly holds: boolean;
  readonly checks: readonly Check[];
  /** Null when it has not even the form of a receipt. */
  readonly view: CheckedView | null;
}

const fail = (code: ReceiptFault, message: string, cause?: unknown): ReceiptError =>
  new ReceiptError(code, message, cause === undefined ? {} : { cause });

const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(
    /[+/=]/g,
    (one) => ({ '+': '-', '/': '_' })[one] ?? '',
  );

/** Bytes of base64url without padding; null for anything else, also for a text that decodes to the same bytes as another one. */
const fromBase64url = (text: string): Uint8Array<ArrayBuffer> | null =>
  fromBase64(
    text.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (text.length % 4)) % 4),
  );

/** The header of a compact JWS. Errors: ReceiptError `jws_malformed`. */
function headerOf(jws: string): Record<string, unknown> {
  const parts = jws.split('.').map(fromBase64url);
  const [bytes] = parts;
  // The last character of a part has bits that stand for nothing: one text for one signature, or a copy could differ.
  if (parts.length !== 3 || !bytes || parts.includes(null))
    throw fail('jws_malformed', 'The signed receipt is no compact JWS of three parts.');
  try {
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof header === 'object' && header !== null && !Array.isArray(header))
      return header as Record<string, unknown>;
  } catch {
    // Told below, like a header that is no object.
  }
  throw fail('jws_malformed', 'The header of the signed receipt is no JSON object.');
}

async function checkCanonical({
  receipt: { payload, canonical, sha256: digest },
}: CheckedView): Promise<string> {
  if (canonicalize(payload) !== canonical)
    throw fail('not_canonical', 'The canonical text is not the RFC 8785 form of the payload.');
  if (toHex(await sha256(utf8(canonical))) !== digest)
    throw fail('digest_differs', 'The SHA-256 is not that of the canonical text.');
  return 'The canonical text is the RFC 8785 form of the payload, and the SHA-256 is its own.';
}

function checkIssuer({ receipt: { payload } }: CheckedView, { issuer }: Trust): string {
  if (new URL(payload.iss).origin !== parseUrl(issuer)?.origin)
    throw fail(
      'other_issuer',
      `The receipt names ${payload.iss} as its issuer, and not ${issuer}.`,
    );
  return `It names ${issuer} as its issuer.`;
}

/** Only the one form that receipts have: nothing in it can choose an algorithm, bring a key along or ask for an extension. */
function checkHeader({ receipt: { canonical, jws, kid } }: CheckedView): string {
  const header = headerOf(jws);
  const allowed = { alg: 'ES256', kid, typ: 'stoa-receipt+jws' };
  for (const name of Object.keys(header))
    if (!Object.hasOwn(allowed, name))
      throw fail(
        'header_not_allowed',
        `Its header has a member that is not allowed: ${JSON.stringify(name).slice(0, 80)}.`,
      );
  for (const [name, value] of Object.entries(allowed))
    if (header[name] !== value)
      throw fail('header_not_allowed', `The "${name}" of its header is not ${value}.`);
  const signed = `${toBase64url(utf8(JSON.stringify(allowed)))}.${toBase64url(utf8(canonical))}`;
  if (!jws.startsWith(`${signed}.`))
    throw fail('jws_differs', 'What is signed is not exactly the canonical text.');
  return 'Exactly the canonical text is signed, with ES256 and nothing else.';
}

/** The key of that name, and no other. Errors: ReceiptError. */
async function findKey(jwks: unknown, kid: string): Promise<JWK> {
  const keys = (jwks as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys)) throw fail('key_set_malformed', 'The key set is none.');
  const found = keys.filter((key: JWK | null) => key?.kid === kid) as JWK[];
  const [key] = found;
  if (!key || found.length > 1)
    throw fail('unknown_signing_key', `The installation has no key ${kid}.`);
  const fits = key.kty === 'EC' && key.crv === 'P-256' && key.alg === 'ES256' && key.use === 'sig';
  if (!fits || (await calculateJwkThumbprint(key).catch(() => '')) !== kid)
    throw fail(
      'signing_key_malformed',
      `The key ${kid} is not what its name says: it was changed.`,
    );
  return { kty: 'EC', crv: 'P-256', x: key.x as string, y: key.y as string };
}

async function checkKey({ receipt: { kid } }: CheckedView, { jwks }: Trust): Promise<string> {
  await findKey(jwks, kid);
  return `The key ${kid} is in the key set of the installation.`;
}

/** Whether a compact JWS is signed with ES256 by this key, whatever its header says of keys and algorithms. */
export const isSignedBy = (jws: string, key: JWK): Promise<boolean> =>
  importJWK(key, 'ES256')
    .then((imported) => compactVerify(jws, imported, { algorithms: ['ES256'] }))
    .then(
      () => true,
      () => false,
    );

async function checkSignature(
  { receipt: { jws, kid } }: CheckedView,
  { jwks }: Trust,
): Promise<string> {
  if (!(await isSignedBy(jws, await findKey(jwks, kid))))
    throw fail('signature_wrong', 'The signature is not one of this key over this text.');
  return 'The signature is right.';
}

function checkFacts({ receipt: { payload }, ...view }: CheckedView): string {
  const shown = {
    id: view.id,
    kind: view.kind,
    occurredAt: view.occurredAt,
    actor: view.actor,
    subject: { type: view.subject.type, id: view.subject.id },
  };
  const { id, kind, occurredAt, actor, subject } = payload;
  if (canonicalize(shown) !== canonicalize({ id, kind, occurredAt, actor, subject }))
    throw fail('facts_differ', 'What the view says beside the receipt is not what was signed.');
  return 'What stands beside the receipt is what was signed.';
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => fromBase64(base64) ?? new Uint8Array();

async function checkLog(
  { visibility, receipt, log }: CheckedView,
  { logKey }: Trust,
): Promise<string> {
  if (!log)
    throw fail(
      'not_in_log',
      'It has no place in the log yet. That takes about a second: fetch it again.',
    );
  const { origin, size, root } = await openCheckpoint(log.checkpoint, logKey).catch(
    (error: unknown) => {
      throw error instanceof CheckpointError
        ? fail(error.code, `Of the checkpoint: ${error.message}`, error)
        : error;
    },
  );
  if (size !== log.size || !equalBytes(root, bytesOf(log.root)))
    throw fail('inclusion_wrong', 'Size and root of the proof are not those of the checkpoint.');
  if ((log.salt === null) !== (visibility === 'public'))
    throw fail(
      'facts_differ',
      'A private receipt is in the log with a salt, a public one without.',
    );
  const entry = await entryOf(
    await sha256(utf8(receipt.canonical)),
    log.salt === null ? null : bytesOf(log.salt),
  );
  const included = await verifyInclusion({
    entry,
    index: log.index,
    size,
    root,
    proof: log.proof.map(bytesOf),
  });
  if (!included)
    throw fail(
      'inclusion_wrong',
      'The proof does not lead from this receipt to the root of the checkpoint.',
    );
  return `It is entry ${log.index} of the log ${origin}, which signed its tree of ${size}.`;
}

/** What is checked, one after the other, without any look at the world: a function over data. */
const list: readonly (readonly [
  CheckName,
  (view: CheckedView, trust: Trust) => string | Promise<string>,
])[] = [
  ['canonical', checkCanonical],
  ['issuer', checkIssuer],
  ['header', checkHeader],
  ['key', checkKey],
  ['signature', checkSignature],
  ['facts', checkFacts],
  ['log', checkLog],
];

/** Makes one step, and tells how it went. */
async function step(name: CheckName, work: () => string | Promise<string>): Promise<Check> {
  try {
    return { name, fault: null, text: await work() };
  } catch (error) {
    if (!(error instanceof ReceiptError)) throw error;
    return { name, fault: error.code, text: error.message };
  }
}

/**
 * Checks the view of a receipt (what `/e/{id}.json` answers, or a file of it) against what is trusted. Nothing is fetched; what became
 * of the act since is not looked at: see `checkCurrent`. A wrong receipt is a verdict, not an error.
 */
export async function verifyReceipt(value: unknown, trust: Trust): Promise<Verdict> {
  let view: CheckedView | null = null;
  const form = await step('form', () => {
    view = readView(value);
    return 'It has the form of a receipt.';
  });
  const checks = [form];
  for (const [name, check] of list) {
    if (view === null || checks.some(({ fault }) => fault !== null)) break;
    checks.push(await step(name, () => check(view as CheckedView, trust)));
  }
  return { holds: checks.every(({ fault }) => fault === null), checks, view };
}

const became = {
  current: 'stands as it was',
  superseded: 'was superseded',
  withdrawn: 'was withdrawn by its author',
  deleted: 'was deleted by an administrator',
};

/** The last step: the same receipt as the installation shows it now, and what became of what it is about. */
export const checkCurrent = (view: CheckedView, now: unknown): Promise<Check> =>
  step('state', () => {
    const fresh = readView(now);
    if (fresh.id !== view.id || fresh.receipt.jws !== view.receipt.jws)
      throw fail(
        'receipt_changed',
        'The installation shows another receipt of this act now than the one that was checked: keep both.',
      );
    return `Asked now, the installation says that what it is about ${became[fresh.current.state]}. That is not signed.`;
  });
