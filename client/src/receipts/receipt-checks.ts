import canonicalize from 'canonicalize';
import { calculateJwkThumbprint, compactVerify, importJWK, type JWK } from 'jose';
import {
  equalBytes,
  fromBase64,
  fromBase64url,
  sha256,
  toBase64url,
  toHex,
  utf8,
} from '../bytes.ts';
import { CheckpointError, openCheckpoint } from './checkpoint.ts';
import { parseUrl } from './parse-url.ts';
import { ReceiptError, type ReceiptFault } from './receipt-fault.ts';
import type { CheckedView } from './receipt-form.ts';
import { computeEntry, verifyInclusion } from './verify-merkle.ts';

/** The keys that a receipt is checked with. They never come from the receipt itself. */
export interface Trust {
  /** The address of the installation that must have issued the receipt. */
  readonly issuer: string;
  /** The key set that the manifest of that installation names. */
  readonly jwks: unknown;
  /** The verifier key of its log, `<name>+<id>+<base64>`. */
  readonly logKey: string;
}

/** Builds the error of a failed check. */
export const failCheck = (code: ReceiptFault, message: string, cause?: unknown): ReceiptError =>
  new ReceiptError(code, message, cause === undefined ? {} : { cause });

/** Parses the header of a compact JWS (RFC 7515). Errors: ReceiptError `jws_malformed`. */
function parseHeader(jws: string): Record<string, unknown> {
  const parts = jws.split('.').map(fromBase64url);
  const [bytes] = parts;
  // The last character of a part has unused bits. They must be zero, so that bytes have one text.
  if (parts.length !== 3 || !bytes || parts.includes(null))
    throw failCheck('jws_malformed', 'The signed receipt is not a compact JWS of three parts.');
  try {
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof header === 'object' && header !== null && !Array.isArray(header))
      return header as Record<string, unknown>;
  } catch {
    // The error below covers this case too.
  }
  throw failCheck('jws_malformed', 'The header of the signed receipt is not a JSON object.');
}

/** Checks the RFC 8785 form of the payload and its SHA-256. Errors: ReceiptError. */
export async function checkCanonical({
  receipt: { payload, canonical, sha256: digest },
}: CheckedView): Promise<string> {
  if (canonicalize(payload) !== canonical)
    throw failCheck('not_canonical', 'The canonical text is not the RFC 8785 form of the payload.');
  if (toHex(await sha256(utf8(canonical))) !== digest)
    throw failCheck('digest_differs', 'The SHA-256 does not match the canonical text.');
  return 'The canonical text is the RFC 8785 form of the payload, and the SHA-256 is its own.';
}

/** Checks that the trusted installation issued the receipt. Errors: ReceiptError. */
export function checkIssuer({ receipt: { payload } }: CheckedView, { issuer }: Trust): string {
  if (new URL(payload.iss).origin !== parseUrl(issuer)?.origin)
    throw failCheck(
      'other_issuer',
      `The receipt names ${payload.iss} as its issuer, not ${issuer}.`,
    );
  return `It names ${issuer} as its issuer.`;
}

/**
 * Checks that the header has the one form of receipts. It thus cannot choose an algorithm, contain
 * a key or require an extension.
 * Errors: ReceiptError.
 */
export function checkHeader({ receipt: { canonical, jws, kid } }: CheckedView): string {
  const header = parseHeader(jws);
  const allowed = { alg: 'ES256', kid, typ: 'stoa-receipt+jws' };
  for (const name of Object.keys(header))
    if (!Object.hasOwn(allowed, name))
      throw failCheck(
        'header_not_allowed',
        `Its header has a member that is not allowed: ${JSON.stringify(name).slice(0, 80)}.`,
      );
  for (const [name, value] of Object.entries(allowed))
    if (header[name] !== value)
      throw failCheck('header_not_allowed', `The "${name}" of its header is not ${value}.`);
  const signed = `${toBase64url(utf8(JSON.stringify(allowed)))}.${toBase64url(utf8(canonical))}`;
  if (!jws.startsWith(`${signed}.`))
    throw failCheck('jws_differs', 'The signed text is not exactly the canonical text.');
  return 'Exactly the canonical text is signed, with ES256 and nothing else.';
}

/**
 * Finds the key of that name in a key set (RFC 7517) and checks it against its thumbprint (RFC
 * 7638).
 * Errors: ReceiptError `key_set_malformed`, `unknown_signing_key`, `signing_key_malformed`.
 */
async function findKey(jwks: unknown, kid: string): Promise<JWK> {
  const keys = (jwks as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys)) throw failCheck('key_set_malformed', 'The key set is malformed.');
  const found = keys.filter((key: JWK | null) => key?.kid === kid) as JWK[];
  const [key] = found;
  if (!key || found.length > 1)
    throw failCheck('unknown_signing_key', `The installation has no key ${kid}.`);
  const fits = key.kty === 'EC' && key.crv === 'P-256' && key.alg === 'ES256' && key.use === 'sig';
  if (!fits || (await calculateJwkThumbprint(key).catch(() => '')) !== kid)
    throw failCheck(
      'signing_key_malformed',
      `The key ${kid} does not match its name: it was changed.`,
    );
  return { kty: 'EC', crv: 'P-256', x: String(key.x), y: String(key.y) };
}

/** Checks that the key set has the key of the receipt. Errors: ReceiptError. */
export async function checkKey(
  { receipt: { kid } }: CheckedView,
  { jwks }: Trust,
): Promise<string> {
  await findKey(jwks, kid);
  return `The key ${kid} is in the key set of the installation.`;
}

/**
 * Whether a compact JWS is signed with ES256 (RFC 7518, section 3.4) by this key, whatever its
 * header says about keys and algorithms.
 */
export const isSignedBy = (jws: string, key: JWK): Promise<boolean> =>
  importJWK(key, 'ES256')
    .then((imported) => compactVerify(jws, imported, { algorithms: ['ES256'] }))
    .then(
      () => true,
      () => false,
    );

/** Checks the signature. Errors: ReceiptError. */
export async function checkSignature(
  { receipt: { jws, kid } }: CheckedView,
  { jwks }: Trust,
): Promise<string> {
  if (!(await isSignedBy(jws, await findKey(jwks, kid))))
    throw failCheck('signature_wrong', 'The signature was not made by this key over this text.');
  return 'The signature is right.';
}

/** Checks that the view has the signed facts. Errors: ReceiptError. */
export function checkFacts({ receipt: { payload }, ...view }: CheckedView): string {
  const shown = {
    id: view.id,
    kind: view.kind,
    occurredAt: view.occurredAt,
    actor: view.actor,
    subject: { type: view.subject.type, id: view.subject.id },
  };
  const { id, kind, occurredAt, actor, subject } = payload;
  if (canonicalize(shown) !== canonicalize({ id, kind, occurredAt, actor, subject }))
    throw failCheck('facts_differ', 'The view differs from the signed facts.');
  return 'The view has the signed facts.';
}

const decodeBase64 = (base64: string): Uint8Array<ArrayBuffer> =>
  fromBase64(base64) ?? new Uint8Array();

/**
 * Checks that the receipt is in the log, by its checkpoint and inclusion proof. Errors:
 * ReceiptError.
 */
export async function checkLog(
  { visibility, receipt, log }: CheckedView,
  { logKey }: Trust,
): Promise<string> {
  if (!log)
    throw failCheck(
      'not_in_log',
      'It has no place in the log yet. That takes about a second: fetch it again.',
    );
  const { origin, size, root } = await openCheckpoint(log.checkpoint, logKey).catch(
    (error: unknown) => {
      throw error instanceof CheckpointError
        ? failCheck(error.code, `The checkpoint is not valid: ${error.message}`, error)
        : error;
    },
  );
  if (size !== log.size || !equalBytes(root, decodeBase64(log.root)))
    throw failCheck(
      'inclusion_wrong',
      'The size or root of the proof does not match the checkpoint.',
    );
  if ((log.salt === null) !== (visibility === 'public'))
    throw failCheck(
      'facts_differ',
      'A private receipt must have a salt in the log, and a public one must not.',
    );
  const entry = await computeEntry(
    await sha256(utf8(receipt.canonical)),
    log.salt === null ? null : decodeBase64(log.salt),
  );
  const included = await verifyInclusion({
    entry,
    index: log.index,
    size,
    root,
    proof: log.proof.map(decodeBase64),
  });
  if (!included)
    throw failCheck(
      'inclusion_wrong',
      'The proof does not lead from this receipt to the root of the checkpoint.',
    );
  return `It is entry ${log.index} of the log ${origin}, which signed its tree of ${size}.`;
}
