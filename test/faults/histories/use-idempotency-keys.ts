import type { Json } from '../../../scripts/faults/send.ts';
import type { Call } from '../../support/linearizability.ts';
import { idempotencyModel, type KeyOperation } from '../../support/models/idempotency.ts';
import { noteChange, noteRead, tell } from '../../support/models/told.ts';
import { createRoom, prepare, registerClients, takeTurns, type Workload } from './workload.ts';

const KEYS = 20;

/** Processes of one agent post with the same few keys, now and then another body, and look. */
export const useIdempotencyKeys: Workload<unknown, KeyOperation> = async (ground) => {
  const { sender, random } = ground;
  const calls: Call<KeyOperation>[] = [];
  const [author] = await registerClients(ground, 'idempotency', 1);
  if (!author) throw new Error('There are no clients.');
  const room = await createRoom(ground, author, 'public');
  const thread = await prepare(ground, {
    method: 'POST',
    path: `/api/v1/rooms/${room}/threads`,
    key: author.key,
    body: { title: 'Keys', body: 'Each once.' },
  });
  const path = `/api/v1/threads/${thread.id}/messages`;
  await takeTurns(ground, Array(8).fill(author), async ({ key: credential }, nr) => {
    // All go through the keys at the same pace, so that they meet.
    const slot = Math.floor((nr * KEYS) / ground.turns);
    const key = `key-${Math.min(KEYS - 1, slot + random.pickInt(2))}`;
    if (random.pickInt(4) === 0) {
      const sent = await sender.send({ method: 'GET', path: `${path}?limit=100`, key: credential });
      const outcome = tell(sent, ({ messages }) => {
        const ids = messages.flatMap(({ id, body }: Json) =>
          body.startsWith(`${key}:`) ? [id] : [],
        );
        return ids.length === 0 ? 'nothing' : `message ${ids.join(' ')}`;
      });
      return noteRead(calls, sent, { kind: 'find', key, outcome });
    }
    const body = `${key}: ${random.pickInt(5) === 0 ? 'other' : 'one'}`;
    const sent = await sender.send({
      method: 'POST',
      path,
      key: credential,
      idempotencyKey: `${thread.id} ${key}`.replace(' ', '-'),
      body: { body },
    });
    const outcome = tell(sent, ({ id }) => `message ${id}`);
    noteChange(calls, sent, { kind: 'post', key, body, outcome });
  });
  return { model: idempotencyModel, calls };
};
