import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Client } from './client.rules.ts';

/** Inserts a client that registers itself. */
export const insert = (
  db: Queryable,
  { clientId, name, redirectUris }: Client,
  now: string,
): Promise<number> =>
  db.run(sql`
    INSERT INTO sign_in_clients (id, name, redirect_uris, created_at)
    VALUES (${clientId}, ${name}, ${redirectUris}, ${now})
  `);

/** Finds a client by its id. */
export const find = (db: Queryable, id: string) =>
  db.first<Pick<Client, 'name' | 'redirectUris'>>(sql`
    SELECT name, redirect_uris AS "redirectUris"
    FROM sign_in_clients
    WHERE id = ${id}
  `);

/** Notes that somebody consented to a client. */
export const noteConsent = (tx: Transaction, id: string, now: string): void =>
  tx.send(sql`
    UPDATE sign_in_clients
    SET consented_at = ${now}
    WHERE id = ${id}
  `);

/** Forgets clients to which nobody has consented since a time and that have no grant. */
export const deleteIdle = (db: Queryable, since: string): Promise<number> =>
  db.run(sql`
    DELETE FROM sign_in_clients c
    WHERE coalesce(c.consented_at, c.created_at) < ${since}
      AND NOT EXISTS (
        SELECT 1
        FROM sign_in_grants g
        WHERE g.client_id = c.id::text AND g.ended_at IS NULL
          AND g.refresh_expires_at > ${since}
      )
  `);
