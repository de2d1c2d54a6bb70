import { findViolations } from '../../claims/check-history.ts';
import { makeAs } from '../cast.ts';
import type { Json } from '../send.ts';
import type { Stage } from '../stage.ts';

/** For each request there is an order of all calls about it that explains their answers. */
export async function checkClaims({ memory, caller, cast }: Stage): Promise<string[]> {
  const faults: string[] = [];
  for (const [id, calls] of memory.claims) {
    faults.push(...findViolations(id, calls, memory.anyClaim));
    const isAnswered = calls.some(
      ({ operation }) => operation.kind === 'answer' && operation.outcome === 'done',
    );
    const { request } = await makeAs(caller, cast.lead)('GET', `/api/v1/messages/${id}`);
    if (isAnswered !== (request?.state === 'answered'))
      faults.push(`Request ${id} is ${request?.state}, and was answered: ${isAnswered}.`);
  }
  return faults;
}

/** Each interaction has the revisions that were acknowledged, in their order, and no other. */
export async function checkRevisions({ memory, caller, cast }: Stage): Promise<string[]> {
  const faults: string[] = [];
  for (const [id, words] of memory.revised) {
    const path = `/api/v1/interactions/${id}`;
    const { version, revisions } = await makeAs(caller, cast.lead)('GET', path);
    const stored = (revisions as Json[])
      .map((one) => `${one.version} ${one.content.summary}`)
      .toSorted();
    const promised = words.map((summary, index) => `${index + 1} ${summary}`).toSorted();
    if (version !== words.length || stored.join() !== promised.join())
      faults.push(`Interaction ${id} is at ${version}: ${stored}; promised was ${promised}.`);
  }
  return faults;
}

/** Who is a member and what guests keep is what was acknowledged last. */
export async function checkStates({ memory, caller, cast }: Stage): Promise<string[]> {
  const faults: string[] = [];
  for (const [pair, isMember] of memory.memberships) {
    const [room, agent] = pair.split(' ');
    const path = `/api/v1/rooms/${room}/members`;
    const members: Json[] = await makeAs(caller, cast.lead)('GET', path);
    const isThere = members.some((one) => (one.agentId ?? one.id) === agent);
    if (isThere !== isMember)
      faults.push(`${agent} is in room ${room}: ${isThere}, but ${isMember} was acknowledged.`);
  }
  for (const [key, entry] of memory.entries) {
    const who = { name: 'guest', headers: { 'x-context-key': key }, mayKnow: false };
    const path = '/api/v1/guest-context/note';
    const { status, answer } = await caller.call({ who, method: 'GET', path });
    const version = status === 200 ? answer.version : null;
    if (version !== (entry?.version ?? null))
      faults.push(`A guest's value has version ${version}, not ${entry?.version}.`);
  }
  return faults;
}

/** Wallets have what was earned and given away, to the unit. */
export async function checkWallets({ memory, caller, cast }: Stage): Promise<string[]> {
  const faults: string[] = [];
  for (const member of cast.members) {
    const promised = memory.earned.get(member.id) ?? 0;
    const { balances } = await makeAs(caller, member)('GET', '/api/v1/me/wallet');
    const { available, reserved } = balances.earned;
    if (available + reserved !== promised)
      faults.push(`${member.name} has ${available} and ${reserved} units, not ${promised}.`);
  }
  return faults;
}
