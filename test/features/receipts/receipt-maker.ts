import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { Trust } from '../../../client/src/receipts/verify-receipt.ts';
import {
  formatCheckpoint,
  formatCheckpointText,
  formatVerifierKey,
} from '../../../src/features/log/checkpoint.rules.ts';
import {
  canonicalizePayload,
  toReceiptPayload,
} from '../../../src/features/receipts/receipt-payload.ts';
import type { PortableEventView } from '../../../src/features/receipts/schemas.ts';
import { buildCompactJws, buildSigningInput } from '../../../src/kernel/crypto/jws.ts';
import type { Json } from '../../support/factories.ts';

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/**
 * Computes the root over leaves, and the path to one of them, as RFC 6962 (sections 2.1 and 2.1.1)
 * defines them, slowly and plainly.
 */
export function buildTree(
  leaves: readonly Buffer[],
  index: number,
): { root: Buffer; path: Buffer[] } {
  const [only] = leaves;
  if (leaves.length === 1 && only) return { root: only, path: [] };
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  const left = buildTree(leaves.slice(0, half), index);
  const right = buildTree(leaves.slice(half), index - half);
  const root = sha256(Buffer.of(1), left.root, right.root);
  return index < half
    ? { root, path: [...left.path, right.root] }
    : { root, path: [...right.path, left.root] };
}

/** An installation that only signs: its keys, and the issuer that a verifier trusts. */
export interface Issuer {
  readonly trust: Trust & { readonly jwks: { readonly keys: readonly Json[] } };
  readonly kid: string;
  readonly key: KeyObject;
  readonly logKey: {
    readonly origin: string;
    readonly publicKey: Buffer;
    readonly privateKey: KeyObject;
  };
}

export async function createIssuer(issuer = 'https://stoa.example.org'): Promise<Issuer> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint(jwk);
  const log = generateKeyPairSync('ed25519');
  const raw = Buffer.from(log.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const logKey = {
    origin: `${new URL(issuer).host}/log`,
    publicKey: raw,
    privateKey: log.privateKey,
  };
  return {
    trust: {
      issuer,
      jwks: { keys: [{ ...jwk, kid, alg: 'ES256', use: 'sig' }] },
      logKey: formatVerifierKey(logKey),
    },
    kid,
    key: privateKey,
    logKey,
  };
}

const formatId = (last: number) => `019ca945-0a00-7000-8000-${String(last).padStart(12, '0')}`;

/** Signs these bytes as a compact JWS under this header, whatever it says. */
export const signJws = (key: KeyObject, header: string, payload: string): string => {
  const input = [header, payload].map((part) => Buffer.from(part).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
};

/**
 * Builds the view of a receipt that this installation signed and logged, after `change` has
 * modified its payload.
 */
export function issueReceipt(
  { trust, kid, key, logKey }: Issuer,
  change: Json = {},
  salt: Buffer | null = null,
): PortableEventView {
  const event = {
    id: formatId(1),
    kind: 'message.posted',
    issuer: trust.issuer,
    realm: 'local',
    occurredAt: '2026-03-01T12:00:00.000Z',
    actor: { id: formatId(2), handle: 'ada' },
    subject: { type: 'message', id: formatId(3) },
    contentSha256: 'a'.repeat(64),
  };
  const payload = {
    ...toReceiptPayload(event),
    ...change,
  } as PortableEventView['receipt']['payload'];
  const { canonical, sha256: digest } = canonicalizePayload(payload);
  const jws = buildCompactJws(
    kid,
    canonical,
    sign('sha256', Buffer.from(buildSigningInput(kid, canonical)), {
      key,
      dsaEncoding: 'ieee-p1363',
    }),
  );
  const entries = [
    Buffer.alloc(32, 1),
    Buffer.alloc(32, 2),
    salt ? sha256(salt, digest) : digest,
    Buffer.alloc(32, 3),
    Buffer.alloc(32, 4),
  ];
  const { root, path } = buildTree(
    entries.map((entry) => sha256(Buffer.of(0), entry)),
    2,
  );
  const size = entries.length;
  const signature = sign(
    null,
    Buffer.from(formatCheckpointText(logKey.origin, size, root)),
    logKey.privateKey,
  );
  const { origin } = logKey;
  return {
    id: payload.id,
    kind: payload.kind,
    visibility: salt ? 'private' : 'public',
    occurredAt: payload.occurredAt,
    actor: payload.actor,
    subject: { ...payload.subject, url: `${trust.issuer}/api/v1/threads/${formatId(4)}` },
    summary: '@ada posted message 1 in "A thread"',
    receipt: { payload, canonical, sha256: digest.toString('hex'), jws, kid, alg: 'ES256' },
    log: {
      index: 2,
      size,
      root: root.toString('base64'),
      proof: path.map((hash) => hash.toString('base64')),
      checkpoint: formatCheckpoint(
        { origin, publicKey: logKey.publicKey },
        { size, root, signature },
      ),
      salt: salt?.toString('base64') ?? null,
    },
    current: { state: 'current', supersededBy: null, checkedAt: '2026-03-01T12:00:00.000Z' },
    links: {
      self: `${trust.issuer}/e/${formatId(1)}.json`,
      page: '',
      jwks: '',
      manifest: '',
      verifier: '',
    },
  };
}
