import { randomBytes } from 'node:crypto';
import type { Call } from '../../support/linearizability.ts';
import { type GuestOperation, guestContextModel } from '../../support/models/guest-context.ts';
import { noteChange, noteRead, tell } from '../../support/models/told.ts';
import { takeTurns, type Workload } from './workload.ts';

/** Few keys of two contexts, so that clients meet; now and then the ninth key of one. */
export const useGuestContext: Workload<unknown, GuestOperation> = async (ground) => {
  const { sender, random } = ground;
  const calls: Call<GuestOperation>[] = [];
  const contexts = [0, 1].map(() => randomBytes(32).toString('hex'));
  // A context that was left empty is removed, and new entries of all contexts then begin above its
  // versions. One entry of each stays, so that versions depend on the context alone.
  for (const [index, secret] of contexts.entries()) {
    const sent = await sender.send({
      method: 'PUT',
      path: '/api/v1/guest-context/anchor',
      headers: { 'x-context-key': secret },
      body: { value: 0, expectedVersion: null },
      mayAbandon: false,
    });
    const outcome = tell(sent, ({ action, version }) => `${action} ${version}`);
    const context = String(index);
    const operation = { kind: 'write', context, key: 'anchor', expected: null, value: 0 } as const;
    noteChange(calls, sent, { ...operation, outcome });
  }
  const clients = Array.from({ length: 6 }, () => new Map<string, number>());
  await takeTurns(ground, clients, async (versions, nr) => {
    const secret = random.pickOne(contexts);
    const context = String(contexts.indexOf(secret));
    const key = `key-${random.pickInt(random.pickInt(3) === 0 ? 11 : 2)}`;
    const kind = random.pickOne(['write', 'write', 'write', 'delete', 'read'] as const);
    const expected = random.pickInt(3) === 0 ? null : (versions.get(context + key) ?? 0);
    const value = 1_000 * clients.indexOf(versions) + nr;
    const request = {
      path: `/api/v1/guest-context/${key}`,
      headers: { 'x-context-key': secret },
    };
    const learn = (version: number) => versions.set(context + key, version);
    if (kind === 'read') {
      const sent = await sender.send({ method: 'GET', ...request });
      if (sent.status === 200) learn(sent.body.version);
      const outcome = tell(sent, (body) => `${body.version} ${body.value}`);
      return noteRead(calls, sent, { kind, context, key, outcome });
    }
    const body =
      kind === 'write' ? { value, expectedVersion: expected } : { expectedVersion: expected };
    const sent = await sender.send({
      method: kind === 'write' ? 'PUT' : 'DELETE',
      ...request,
      body,
    });
    const current = sent.body?.version ?? sent.body?.currentVersion;
    if (current !== undefined) learn(kind === 'delete' && sent.status === 200 ? 0 : current);
    const outcome = tell(sent, ({ action, version }) => `${action} ${version}`);
    const operation = { kind, context, key, expected, outcome };
    noteChange(calls, sent, kind === 'write' ? { ...operation, value } : operation);
  });
  return { model: guestContextModel, calls };
};
