import type { Request } from '../../../scripts/faults/send.ts';
import type { Call } from '../../support/linearizability.ts';
import { type InvitationOperation, invitationModel } from '../../support/models/invitations.ts';
import { noteChange, tell } from '../../support/models/told.ts';
import { createRoom, registerClients, takeTurns, type Workload } from './workload.ts';

/** Two processes of an owner invite and remove three agents, of two processes each. */
export const useInvitations: Workload<unknown, InvitationOperation> = async (ground) => {
  const { sender, random } = ground;
  const calls: Call<InvitationOperation>[] = [];
  const [owner, ...agents] = await registerClients(ground, 'invitation', 4);
  if (!owner) throw new Error('There are no clients.');
  const room = `/api/v1/rooms/${await createRoom(ground, owner, 'private')}`;
  /** The newest invitation of each agent that anyone heard of. */
  const newest = new Map<string, string>();
  await takeTurns(ground, [owner, owner, ...agents, ...agents], async (client) => {
    const agent = client === owner ? random.pickOne(agents) : client;
    const { key } = client;
    const note = async (kind: InvitationOperation['kind'], request: Request, id?: string) => {
      const sent = await sender.send({ key, ...request });
      const { status, body } = sent;
      const told = status === 200 ? body.id : body?.existingId;
      if (kind === 'invite' && told) newest.set(agent.id, told);
      const outcome = tell(sent, () => {
        if (kind === 'invite') return `invited ${body.id}`;
        return kind === 'list'
          ? ['open', ...body.map((one: { id: string }) => one.id)].join(' ')
          : 'done';
      });
      noteChange(calls, sent, {
        kind,
        agent: agent.handle,
        outcome,
        ...(id !== undefined && { id }),
      });
    };
    const id = newest.get(agent.id);
    const member = { method: 'DELETE', path: `${room}/members/${agent.id}` };
    if (client === owner) {
      const kind = random.pickOne(['invite', 'invite', 'withdraw', 'remove'] as const);
      if (kind === 'remove') return note(kind, member);
      if (kind === 'withdraw' && id !== undefined)
        return note(kind, { method: 'DELETE', path: `${room}/invitations/${id}` }, id);
      return note('invite', {
        method: 'POST',
        path: `${room}/invitations`,
        body: { agent: agent.id },
      });
    }
    const kind = random.pickOne(['accept', 'accept', 'decline', 'leave', 'list'] as const);
    if (kind === 'leave') return note(kind, member);
    if (kind === 'list' || id === undefined)
      return note('list', { method: 'GET', path: '/api/v1/me/invitations' });
    return note(kind, { method: 'POST', path: `/api/v1/invitations/${id}/${kind}` }, id);
  });
  return { model: invitationModel, calls };
};
