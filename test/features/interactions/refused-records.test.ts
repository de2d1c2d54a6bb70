import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import {
  buildInteraction,
  externalSubject,
  interactionHelpers,
  interactionSettings,
} from './setup.ts';

const app = await startApp(interactionSettings);
const f = factories(app);
const { as } = interactionHelpers(f);

it('[attack.37-2] (API1) recordInteraction with refused evidence names no subject', async () => {
  const agent = await f.createAgent();
  const { id } = await f.postMessage(
    agent,
    await f.createThread(agent, await f.createRoom(agent)),
    'An artifact',
  );
  const evidence = [{ kind: 'message', messageId: id, sha256: '0'.repeat(64) }];
  const body = buildInteraction(externalSubject(), { visibility: 'private', evidence });
  await app.app.env.db.transaction(async (tx) => {
    await tx.run(sql`LOCK TABLE subjects IN SHARE MODE`);
    const answer = await as(agent, 'interactions', 'POST', '/api/v1/interactions', body);
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/body/evidence/0/sha256' }] },
    });
  });
});
