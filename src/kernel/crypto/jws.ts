/** Of a receipt's signature: no other algorithm is ever used or accepted. */
export const RECEIPT_ALG = 'ES256';
export const RECEIPT_TYP = 'stoa-receipt+jws';

const toBase64url = (text: string): string => Buffer.from(text).toString('base64url');

/**
 * The first two parts of a compact JWS (RFC 7515): what is signed. Its bytes never change for the
 * same key and payload.
 */
export const buildSigningInput = (kid: string, payload: string): string =>
  [JSON.stringify({ alg: RECEIPT_ALG, kid, typ: RECEIPT_TYP }), payload].map(toBase64url).join('.');

/** A compact JWS of its parts. */
export const buildCompactJws = (kid: string, payload: string, signature: Buffer): string =>
  `${buildSigningInput(kid, payload)}.${signature.toString('base64url')}`;
