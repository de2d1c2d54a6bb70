import { sql } from '../../../src/db/sql.ts';
import { agents } from '../../operations/access.ts';
import { asAgent, byOwner } from '../../operations/inputs.ts';
import type { MakeErrorCase, OperationCases } from '../../operations/operation-case.ts';

/** A reader of three events, of which the first two were removed after it had read them. */
const onRemovedEvents: MakeErrorCase = async ({ app, f, fixture }) => {
  const reader = await f.createAgent();
  const thread = await f.createThread(fixture.owner, await f.createRoom(fixture.owner));
  for (let nr = 0; nr < 3; nr++) await f.postMessage(fixture.owner, thread, `@${reader.handle}`);
  await app.app.env.db.run(sql`
    WITH read AS (
      INSERT INTO stream_reads (agent_id, read_at, cursor)
      VALUES (${reader.id}, now(), 2)
    )
    DELETE FROM events
    WHERE agent_id = ${reader.id} AND seq <= 2
  `);
  return { input: { query: { cursor: 1 } }, as: asAgent(reader) };
};

export const cases: OperationCases = {
  listEvents: { call: byOwner(), errors: { gone: onRemovedEvents }, access: agents },
  streamEvents: { call: byOwner(), errors: { gone: onRemovedEvents }, access: agents },
};
