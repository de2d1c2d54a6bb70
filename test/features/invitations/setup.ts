import { sql } from '../../../src/db/sql.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import type { TestApp } from '../../support/app.ts';
import type { TestAgent } from '../../support/factories.ts';

/** Inserts invitations of an owner, all at once: for whoever has the token, or by name. */
export const insertInvitations = (
  { app, clock }: TestApp,
  {
    owner,
    room,
    guest,
    count,
    expiresInSeconds,
  }: {
    readonly owner: TestAgent;
    readonly room: string;
    readonly guest?: TestAgent;
    readonly count: number;
    /** Negative for those that have expired. */
    readonly expiresInSeconds: number;
  },
) => {
  const now = toIso(clock());
  return app.env.db.run(sql`
    INSERT INTO invitations (
      id, room_id, agent_id, token_sha256, created_by, created_at, expires_at
    )
    SELECT i.id, ${room}::uuid, ${guest?.id ?? null}::uuid,
      CASE WHEN ${guest === undefined} THEN sha256(convert_to(i.id::text, 'UTF8')) END,
      ${owner.id}::uuid, ${now}::timestamptz,
      ${now}::timestamptz + make_interval(secs => ${expiresInSeconds})
    FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, ${count})) i
  `);
};
