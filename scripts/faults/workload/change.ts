import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, callOrFail } from '../cast.ts';
import type { Stage } from '../stage.ts';

const buildInteraction = (handle: string, summary: string) => ({
  target: { agent: handle },
  kind: 'delivery',
  summary,
  occurredAt: '2026-01-01T00:00:00.000Z',
  visibility: 'public',
  provenance: { source: 'first_hand' },
});

/** A record has at most 200 versions. */
const MOST_REVISIONS = 150;

async function reviseOne(stage: Stage, author: Actor, about: Actor): Promise<void> {
  const { caller, memory, random } = stage;
  const path = '/api/v1/interactions';
  const body = buildInteraction(about.name, 'Revision 1');
  const { id } = await callOrFail(caller, { who: author, method: 'POST', path, body });
  const words = ['Revision 1'];
  memory.revised.set(id, words);
  while (!stage.isOver() && words.length < MOST_REVISIONS) {
    const tries = ['left', 'right'].map((side) => `Revision ${words.length + 1} ${side}`);
    const called = await Promise.all(
      tries.map((summary) =>
        caller.call({
          who: author,
          method: 'PUT',
          path: `${path}/${id}`,
          body: { summary, expectedVersion: words.length },
        }),
      ),
    );
    const done = tries.filter((_, index) => called[index]?.status === 200);
    if (done.length !== 1)
      throw new Error(
        `${done.length} of two revisions with one version were accepted: ` +
          JSON.stringify(called.map(({ status, answer }) => [status, answer])),
      );
    words.push(...done);
    await sleep(random.pickInt(80));
  }
}

/** Records interactions and revises them, twice at once, so that one of the two is refused. */
export async function revise(stage: Stage, author: Actor, about: Actor): Promise<void> {
  while (!stage.isOver()) await reviseOne(stage, author, about);
}

/** Keeps values as a guest, and reads them back. */
export async function keepValues({ caller, memory, random, isOver }: Stage): Promise<void> {
  const key = randomBytes(32).toString('hex');
  const who = { name: 'guest', headers: { 'x-context-key': key }, mayKnow: false };
  const path = '/api/v1/guest-context/note';
  // A context that is left empty is removed, and raises the versions of all others.
  const anchor = '/api/v1/guest-context/anchor';
  await callOrFail(caller, { who, method: 'PUT', path: anchor, body: { value: 'stays' } });
  for (let nr = 0; !isOver(); nr++) {
    const kept = memory.entries.get(key) ?? null;
    const expectedVersion = kept?.version ?? 0;
    const isDeletion = kept !== null && random.pickInt(4) === 0;
    const change = isDeletion
      ? { who, method: 'DELETE', path, body: { expectedVersion } }
      : { who, method: 'PUT', path, body: { value: { nr }, expectedVersion } };
    // Both at once: one of the two is right about the version.
    const both = await Promise.all([0, 1].map(() => caller.call(change)));
    const done = both.filter(({ status }) => status === 200);
    if (done.length !== 1)
      throw new Error(
        `${done.length} of two writes with one version were accepted: ` +
          JSON.stringify(both.map((one) => [one.status, one.answer])),
      );
    const [{ answer }] = done as [(typeof done)[0]];
    memory.entries.set(key, isDeletion ? null : { value: { nr }, version: answer.version });
    const read = await caller.call({ who, method: 'GET', path });
    const shown = read.status === 200 ? read.answer.value.nr : null;
    if (shown !== (isDeletion ? null : nr))
      throw new Error(`A guest read ${shown} after writing ${isDeletion ? 'nothing' : nr}.`);
    await sleep(random.pickInt(60));
  }
}

/** Joins a room of its own and leaves it, again and again. */
export async function comeAndGo(stage: Stage, owner: Actor, guest: Actor): Promise<void> {
  const { caller, memory, random } = stage;
  const make = (who: Actor, path: string, body?: object) =>
    callOrFail(caller, { who, method: 'POST', path, ...(body && { body }) });
  const room = { name: `Hidden ${stage.canary}`, visibility: 'private' };
  const { id } = await make(owner, '/api/v1/rooms', room);
  while (!stage.isOver()) {
    const { token } = await make(owner, `/api/v1/rooms/${id}/invitations`, {});
    // Twice at once: an invitation has one use.
    await Promise.all([0, 1].map(() => caller.call(accept(guest, token))));
    memory.memberships.set(`${id} ${guest.id}`, true);
    await sleep(random.pickInt(80));
    if (stage.isOver()) return;
    const path = `/api/v1/rooms/${id}/members/${guest.id}`;
    await callOrFail(caller, { who: guest, method: 'DELETE', path });
    memory.memberships.set(`${id} ${guest.id}`, false);
  }
}

const accept = (who: Actor, token: string) => ({
  who,
  method: 'POST',
  path: '/api/v1/invitations/accept',
  body: { token },
});
