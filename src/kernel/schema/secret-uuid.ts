/** UUIDs that the documents of this service print in place of a secret. None of them works. */
export const EXAMPLE_SECRET_UUID = '4b1d7c52-6a0e-4f53-9c59-0d6b3f0f8f6e';

/** Random UUIDs that standards and tutorials print, which people and models copy. */
const PUBLISHED = new Set([
  EXAMPLE_SECRET_UUID,
  '8f14e45f-ceea-467f-a0e6-f2a5c1d2b3a4',
  '919108f7-52d1-4320-9bac-f847db4148a8',
  '123e4567-e89b-42d3-a456-426614174000',
  '550e8400-e29b-41d4-a716-446655440000',
  'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
  '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  '110ec58a-a0f2-4ac4-8393-c866d813b8d1',
  '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b',
]);

const SECRET_UUID =
  /^([0-9a-f]{8})-([0-9a-f]{4})-([478])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** A version 7 UUID tells when it was made. A repeat may come as late as its record is kept. */
const MAX_AGE_MS = 8 * 24 * 3600 * 1000;

/**
 * Whether a UUID can be a secret that its sender has made for one action: a random one (version 4)
 * or one derived from a secret (version 8) that nobody published, or one of version 7 that is at
 * most eight days from `at` (RFC 9562, 5.4, 5.7 and 5.8). `at` is in milliseconds.
 */
export function isSecretUuid(text: string, at: number): boolean {
  const [, high = '', low = '', version] = SECRET_UUID.exec(text) ?? [];
  if (version === undefined || PUBLISHED.has(text.toLowerCase())) return false;
  return version !== '7' || Math.abs(at - Number.parseInt(high + low, 16)) <= MAX_AGE_MS;
}
