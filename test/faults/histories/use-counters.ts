import type { Call } from '../../support/linearizability.ts';
import {
  buildCounterModel,
  type CounterOperation,
  tellCount,
} from '../../support/models/counters.ts';
import { noteChange, noteRead, tell } from '../../support/models/told.ts';
import { createRoom, prepare, registerClients, takeTurns, type Workload } from './workload.ts';

/** Members post in three threads, start threads, and read what thread and room say they have. */
export const useCounters: Workload<unknown, CounterOperation> = async (ground) => {
  const { sender, random } = ground;
  const calls: Call<CounterOperation>[] = [];
  const clients = await registerClients(ground, 'counter', 8);
  const [owner] = clients;
  if (!owner) throw new Error('There are no clients.');
  const room = await createRoom(ground, owner, 'public');
  const inRoom = `/api/v1/rooms/${room}`;
  for (const { key } of clients.slice(1))
    await prepare(ground, { method: 'POST', path: `${inRoom}/join`, key });
  // A new room has one thread and each thread one message, so all counters begin with 1.
  const start = {
    method: 'POST',
    path: `${inRoom}/threads`,
    body: { title: 'Count', body: 'One' },
  };
  const { id: firstId } = await prepare(ground, { ...start, key: owner.key });
  const threads: string[] = [firstId];
  await takeTurns(ground, clients, async ({ key }, nr) => {
    const counter = random.pickOne(threads);
    const thread = `/api/v1/threads/${counter}`;
    switch (random.pickInt(nr < 4 ? 5 : 8)) {
      case 0: {
        const sent = await sender.send({ ...start, key });
        noteChange(calls, sent, { kind: 'add', counter: room, outcome: tell(sent, () => 'added') });
        if (sent.status === 200 && threads.length < 3) threads.push(sent.body.id);
        return;
      }
      case 1: {
        const sent = await sender.send({ method: 'GET', path: inRoom, key });
        const outcome = tell(sent, ({ threadCount }) => tellCount(threadCount));
        return noteRead(calls, sent, { kind: 'read', counter: room, outcome });
      }
      case 2: {
        const sent = await sender.send({ method: 'GET', path: thread, key });
        const outcome = tell(sent, ({ messageCount }) => tellCount(messageCount));
        return noteRead(calls, sent, { kind: 'read', counter, outcome });
      }
      case 3: {
        const offset = random.pickInt(3) * 5;
        const path = `${thread}/messages?limit=100&offset=${offset}`;
        const sent = await sender.send({ method: 'GET', path, key });
        const outcome = tell(sent, ({ messages, total }) =>
          tellCount(
            total,
            // Nothing beyond the end says how far it is.
            ...(messages.length > 0 && messages.length < 100
              ? [offset + messages.length, messages.at(-1).position + 1]
              : []),
          ),
        );
        return noteRead(calls, sent, { kind: 'read', counter, outcome });
      }
      default: {
        const sent = await sender.send({
          method: 'POST',
          path: `${thread}/messages`,
          key,
          body: { body: 'One more' },
        });
        const outcome = tell(sent, ({ position }) => position);
        return noteChange(calls, sent, { kind: 'place', counter, outcome });
      }
    }
  });
  return { model: buildCounterModel(1), calls };
};
