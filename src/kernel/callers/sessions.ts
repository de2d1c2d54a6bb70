import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Queryable } from '../../db/database.ts';
import { type Clock, toIso } from '../clock.ts';
import { deriveKey } from '../crypto/sealing.ts';
import type { Visitor } from '../html/page.ts';
import type { NewId, Random } from '../ids.ts';
import { type Credentials, toCredentials } from './caller.ts';
import * as store from './sessions.store.ts';

/** How long a person stays signed in, in seconds. */
export const SESSION_SECONDS = 8 * 3600;
/** Seconds without a page after which an administrator is signed out. */
const ADMINISTRATOR_IDLE_SECONDS = 3600;
/** The use of a session is noted at most once in this many seconds. */
const USE_SECONDS = 60;

const KEY_PURPOSE = 'stoa page session';
/**
 * The length of the longest cookie that is decrypted, in characters. The service's own have about
 * 300.
 */
const MAX_COOKIE = 2_000;

/**
 * The session of a person who reads pages with a key. The cookie contains all of it. The database
 * knows its id and when it was used, so that it can end before the cookie expires.
 */
export interface PageSession {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly begunAt: number;
  readonly key: string;
  readonly visitor: Visitor;
}

/** Begins and reads sessions. The pipeline checks for each call whether the key is still valid. */
export interface Sessions {
  /** Returns the value of the cookie for a person whose key was just verified. */
  begin(key: string, visitor: Omit<Visitor, 'token'>): Promise<string>;
  /**
   * Returns null for a cookie that was not made by this service, was changed, or has expired, and
   * for a session that was ended or, of an administrator, not used for an hour. A page that loads
   * itself is no use of it. Errors: DatabaseUnavailable.
   */
  read(cookie: string, isUse: boolean): Promise<PageSession | null>;
  /** Ends a session, on every node and for every copy of its cookie. */
  end(session: PageSession): Promise<void>;
  /**
   * Writes the uses that were noted since the last flush. Nobody waits for that: a session is used
   * before any limit is asked. Errors: DatabaseUnavailable; they are written by the next one.
   */
  flush(): Promise<void>;
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
  newId,
  random,
  dataKey,
}: {
  db: Queryable;
  clock: Clock;
  newId: NewId;
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

  async function decrypt(cookie: string): Promise<PageSession | null> {
    const encryptionKey = await getEncryptionKey();
    try {
      const { payload } = await jwtDecrypt<PageSession>(cookie, encryptionKey, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        currentDate: new Date(clock()),
        requiredClaims: ['exp', 'iat', 'id'],
      });
      return {
        id: payload.id,
        key: payload.key,
        visitor: payload.visitor,
        begunAt: Number(payload.iat) * 1000,
      };
    } catch {
      // Whatever is wrong with the cookie, there is no session.
      return null;
    }
  }

  /** Uses that are not written yet. */
  const noted = new Map<string, store.NotedUse>();

  const buildUse = ({ id, begunAt }: PageSession, ended: boolean): store.NotedUse => ({
    id,
    usedAt: toIso(clock()),
    ended,
    expiresAt: toIso(begunAt + SESSION_SECONDS * 1000),
  });

  /** Whether a session goes on. Its use is noted. */
  async function continues(session: PageSession, isUse: boolean): Promise<boolean> {
    const use = await store.findUse(db, session.id);
    if (use?.ended) return false;
    const usedAt = [use?.usedAt, noted.get(session.id)?.usedAt].map((at) => Date.parse(at ?? ''));
    const last = Math.max(session.begunAt, ...usedAt.filter((at) => !Number.isNaN(at)));
    const idle = toSeconds(clock() - last);
    if (session.visitor.administrator && idle >= ADMINISTRATOR_IDLE_SECONDS) return false;
    if (isUse && idle >= USE_SECONDS) noted.set(session.id, buildUse(session, false));
    return true;
  }

  return {
    async begin(key, visitor) {
      const now = clock();
      const token = random(16).toString('base64url');
      return new EncryptJWT({ id: newId(), key, visitor: { ...visitor, token } })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setIssuedAt(toSeconds(now))
        .setExpirationTime(toSeconds(now) + SESSION_SECONDS)
        .encrypt(await getEncryptionKey());
    },
    async read(cookie, isUse) {
      if (cookie.length > MAX_COOKIE) return null;
      const session = await decrypt(cookie);
      return session && (await continues(session, isUse)) ? session : null;
    },
    end: async (session) => void (await store.saveUses(db, [buildUse(session, true)])),
    async flush() {
      if (noted.size === 0) return;
      const some = new Map(noted);
      await store.saveUses(db, [...some.values()]);
      for (const [id, use] of some) if (noted.get(id) === use) noted.delete(id);
    },
  };
}
