import type { Queryable } from '../../db/database.ts';
import { type Credentials, credentialsOf } from './caller.ts';
import type { Clock } from '../clock.ts';
import type { Random } from '../ids.ts';
import type { Visitor } from '../html/page.ts';
import { deriveKey, seal, unseal } from '../crypto/sealing.ts';
import * as store from './sessions.store.ts';

/** So long a person stays signed in, in seconds. */
export const SESSION_SECONDS = 8 * 3600;

const ABOUT = 'stoa page session';
/** What is longer is none of ours. */
const MAX_COOKIE = 2_000;

/** A person who reads pages with a key: all of it is in the cookie, sealed, and nothing of it is kept here. */
export interface Session {
  readonly key: string;
  readonly visitor: Visitor;
  /** When it ends, in milliseconds. */
  readonly until: number;
}

/** Makes sessions and reads them. Whether a key still works the pipeline decides, with each call, as for any other. */
export interface Sessions {
  /** The value of the cookie for somebody who has just shown this key. */
  begin(key: string, visitor: Omit<Visitor, 'token'>): Promise<string>;
  /** Null for a cookie that is none of ours, was changed, or ended. Errors: DatabaseUnavailable. */
  read(cookie: string): Promise<Session | null>;
}

export const credentialsOfSession = ({ key }: Session): Credentials => credentialsOf(key);

/** Cookies of any node open on every other one; with a DATA_KEY, only for who has that too. */
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
  let made: Buffer | undefined;
  const sealing = async (): Promise<Buffer> =>
    (made ??= deriveKey(
      Buffer.concat([await store.secret(db), Buffer.from(dataKey ?? '', 'hex')]),
      '',
      ABOUT,
    ));
  return {
    async begin(key, visitor) {
      const session: Session = {
        key,
        visitor: { ...visitor, token: random(16).toString('base64url') },
        until: clock() + SESSION_SECONDS * 1000,
      };
      return seal(await sealing(), Buffer.from(JSON.stringify(session)), ABOUT, random).toString(
        'base64url',
      );
    },
    async read(cookie) {
      if (cookie.length > MAX_COOKIE) return null;
      const key = await sealing();
      try {
        const session = JSON.parse(
          unseal(key, Buffer.from(cookie, 'base64url'), ABOUT).toString(),
        ) as Session;
        return session.until > clock() ? session : null;
      } catch {
        return null;
      }
    },
  };
}
