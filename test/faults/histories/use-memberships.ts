import type { Call } from '../../support/linearizability.ts';
import {
  type MembershipOperation,
  membershipModel,
  tellMembers,
  tellRoom,
} from '../../support/models/memberships.ts';
import { noteChange, noteRead, tell } from '../../support/models/told.ts';
import { createRoom, registerClients, takeTurns, type Workload } from './workload.ts';

/** Agents come and go in one room, while its owner removes one, archives it and reopens it. */
export const useMemberships: Workload<unknown, MembershipOperation> = async (ground) => {
  const { sender, random } = ground;
  const calls: Call<MembershipOperation>[] = [];
  const [owner, ...agents] = await registerClients(ground, 'membership', 9);
  if (!owner) throw new Error('There are no clients.');
  const room = await createRoom(ground, owner, 'public');
  const path = `/api/v1/rooms/${room}`;
  const read = async (kind: 'list' | 'look', { key }: { readonly key: string }) => {
    const sent = await sender.send({
      method: 'GET',
      path: kind === 'list' ? `${path}/members?limit=100` : path,
      key,
    });
    const outcome = tell(sent, (body) =>
      kind === 'look'
        ? tellRoom(body.memberCount - 1, body.archived)
        : tellMembers(
            body.flatMap(({ role, handle }: Record<string, string>) =>
              role === 'owner' ? [] : [handle],
            ),
            Number(sent.headers.get('x-total-count')) - 1,
          ),
    );
    noteRead(calls, sent, { kind, room, outcome });
  };
  const note = async (
    kind: 'join' | 'leave' | 'remove' | 'archive' | 'reopen',
    request: Parameters<typeof sender.send>[0],
    agent?: string,
  ) => {
    const sent = await sender.send(request);
    const outcome = tell(sent, () => 'done').replace(' owner', '');
    noteChange(calls, sent, { kind, room, outcome, ...(agent !== undefined && { agent }) });
  };
  await takeTurns(ground, [owner, ...agents], async (client, nr) => {
    const { id, handle, key } = client;
    if (random.pickInt(4) === 0) return read(random.pickOne(['list', 'look'] as const), client);
    if (client !== owner) {
      const kind = random.pickOne(['join', 'leave'] as const);
      const request =
        kind === 'join'
          ? { method: 'POST', path: `${path}/join`, key }
          : { method: 'DELETE', path: `${path}/members/${id}`, key };
      return note(kind, request, handle);
    }
    if (nr % 8 === 7) {
      const one = random.pickOne(agents);
      const request = { method: 'DELETE', path: `${path}/members/${one.id}`, key };
      return note('remove', request, one.handle);
    }
    const archived = random.pickInt(3) === 0;
    const request = { method: 'PUT', path, key, body: { archived } };
    return note(archived ? 'archive' : 'reopen', request);
  });
  return { model: membershipModel, calls };
};
