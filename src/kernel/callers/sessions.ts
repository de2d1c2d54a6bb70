import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Queryable } from '../../db/database.ts';
import type { Clock } from '../clock.ts';
import { deriveKey } from '../crypto/sealing.ts';
import type { Visitor } from '../html/page.ts';
import type { Random } from '../ids.ts';
import { type Credentials, toCredentials } from './caller.ts';
import * as store from './sessions.store.ts';

/** How long a person stays signed in, in seconds. */
export const SESSION_SECONDS = 8 * 3600;

const KEY_PURPOSE = 'stoa page session';
/**
 * The length of the longest cookie that is decrypted, in characters. The service's own have about
 * 300.
 */
const MAX_COOKIE = 2_000;

/**
 * The session of a person who reads pages with a key. The cookie contains all of it, and the
 * database nothing.
 */
export interface PageSession {
  readonly key: string;
  readonly visitor: Visitor;
}

/** Begins and reads sessions. The pipeline checks for each call whether the key is still valid. */
export interface Sessions {
  /** Returns the value of the cookie for a person whose key was just verified. */
  begin(key: string, visitor: Omit<Visitor, 'token'>): Promise<string>;
  /**
   * Returns null for a cookie that was not made by this service, was changed, or has expired.
   * Errors: DatabaseUnavailable.
   */
  read(cookie: string): Promise<PageSession | null>;
}

/** Returns the credentials of a session, as if its key had come in a header. */
export const toSessionCredentials = ({ key }: PageSession): Credentials => toCredentials(key);

/** Converts milliseconds to seconds, the unit of times in a JWT (RFC 7519, section 2). */
const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/**
 * Creates the sessions of an installation. A session is an encrypted JWT (RFC 7519; RFC 7516 with
 * `dir` and `A256GCM`). Every node can read the cookies of every other node. With a DATA_KEY, only
 * nodes that have the same one can.
 */
export function createSessions({
  db,
  clock,
  random,
  dataKey,
}: {
  db: Queryable;
  clock: Clock;
  random: Random;
  dataKey: string | null;
}): Sessions {
  let encryptionKey: Buffer | undefined;
  const getEncryptionKey = async (): Promise<Buffer> =>
    (encryptionKey ??= deriveKey(
      Buffer.concat([await store.getSecret(db), Buffer.from(dataKey ?? '', 'hex')]),
      '',
      KEY_PURPOSE,
    ));
  return {
    async begin(key, visitor) {
      const session: PageSession = {
        key,
        visitor: { ...visitor, token: random(16).toString('base64url') },
      };
      return new EncryptJWT({ ...session })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(toSeconds(clock()) + SESSION_SECONDS)
        .encrypt(await getEncryptionKey());
    },
    async read(cookie) {
      if (cookie.length > MAX_COOKIE) return null;
      const encryptionKey = await getEncryptionKey();
      try {
        const { payload } = await jwtDecrypt<PageSession>(cookie, encryptionKey, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          currentDate: new Date(clock()),
          requiredClaims: ['exp'],
        });
        return { key: payload.key, visitor: payload.visitor };
      } catch {
        // Whatever is wrong with the cookie, there is no session.
        return null;
      }
    },
  };
}
