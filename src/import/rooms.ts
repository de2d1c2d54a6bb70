import {
  assertKnown,
  getAuthorClient,
  getOwnerClient,
  type ImportContext,
} from './import-context.ts';
import type { RoomPlan } from './import-plan.ts';
import { type ImportedRoom, reportFault } from './import-service.ts';
import { runParallel } from './keyed-queue.ts';
import { listAll } from './list-all.ts';

/**
 * Finds rooms that an earlier run created before it was killed, and that are missing in the state.
 * Returns their ids by key. Usually the service replays its response by the idempotency key. This
 * is for a run after the service has deleted the idempotency record.
 */
async function listOrphans(
  work: ImportContext,
  missing: readonly RoomPlan[],
): Promise<Map<string, string>> {
  const { state, service } = work;
  const found = new Map<string, string>();
  if (!state.resumed) return found;
  const ids = new Set(state.rooms.values());
  const owned = new Map(
    missing.map(({ room, name, owner }) => [`${state.accounts.get(owner)?.id}/${name}`, room]),
  );
  // Private rooms are listed only for their members.
  const readers = new Set(
    missing.map(({ room, visibility }) =>
      visibility === 'public' ? service.anonymous : getOwnerClient(work, room),
    ),
  );
  for (const reader of readers) {
    for await (const { id, ownerId, name } of listAll<ImportedRoom>((query) =>
      reader.listRooms({ query }),
    )) {
      const room = owned.get(`${ownerId}/${name}`);
      if (room !== undefined && !ids.has(id)) found.set(room, id);
    }
  }
  return found;
}

/** Makes sure that every room exists. */
export async function openRooms(work: ImportContext): Promise<void> {
  const { plan, state, keys, report, width } = work;
  const missing = [...plan.rooms.values()].filter(({ room }) => !state.rooms.has(room));
  const existing = await listOrphans(work, missing);
  await runParallel(
    missing,
    width,
    async ({ room, originalName, name, description, visibility }) => {
      if (name !== originalName)
        report.addRename(`room ${JSON.stringify(originalName)} is called ${JSON.stringify(name)}`);
      const createRoom = async () =>
        (
          await getOwnerClient(work, room).createRoom({
            body: { name, description, visibility },
            idempotencyKey: keys.toKey('room', room),
          })
        ).id;
      await state.note({ room, id: existing.get(room) ?? (await createRoom()) });
    },
  );
}

interface Membership {
  readonly author: string;
  readonly plan: RoomPlan;
  readonly id: string;
}

/**
 * Runs `change` for each membership. A refusal of the service is reported, and the rest continues.
 */
async function runForEach(
  { report, progress, width }: ImportContext,
  step: string,
  all: readonly Membership[],
  verb: string,
  change: (one: Membership) => Promise<unknown>,
): Promise<void> {
  if (all.length === 0) return;
  progress.begin(step, all.length);
  await runParallel(all, width, async (one) => {
    await reportFault(
      report,
      `author ${JSON.stringify(one.author)} cannot ${verb} the room ${one.id}`,
      () => change(one),
    );
    progress.add();
  });
  progress.end();
}

/** Lists the agents' ids of a room's members. */
async function listMemberIds(work: ImportContext, room: string): Promise<Set<string>> {
  const members = new Set<string>();
  const params = { id: assertKnown(work.state.rooms.get(room)) };
  for await (const { agentId } of listAll((query) =>
    getOwnerClient(work, room).listMembers({ params, query }),
  ))
    members.add(agentId);
  return members;
}

/** Lists the memberships of these authors that exist on the service, or that are missing. */
async function listMemberships(
  work: ImportContext,
  getAuthors: (plan: RoomPlan) => Iterable<string>,
  exists: boolean,
): Promise<Membership[]> {
  const { plan, state, width } = work;
  const found: Membership[] = [];
  await runParallel(plan.rooms.values(), width, async (room) => {
    const members = await listMemberIds(work, room.room);
    for (const author of getAuthors(room)) {
      const isMember = members.has(assertKnown(state.accounts.get(author)).id);
      if (isMember === exists)
        found.push({ author, plan: room, id: assertKnown(state.rooms.get(room.room)) });
    }
  });
  return found;
}

/** Makes sure that all authors of a room, and all of its members in the file, are members. */
export async function joinRooms(work: ImportContext): Promise<void> {
  const missing = await listMemberships(
    work,
    ({ members, guests }) => [...members, ...guests],
    false,
  );
  await runForEach(work, 'memberships', missing, 'join', async ({ author, plan, id }) => {
    // Joining again is harmless, and so is an unused invitation, so neither needs an idempotency
    // key from the seed.
    if (plan.visibility === 'public')
      return getAuthorClient(work, author).joinRoom({ params: { id } });
    const invitation = await getOwnerClient(work, plan.room).createInvitation({ params: { id } });
    const token = assertKnown(invitation.token ?? undefined);
    return getAuthorClient(work, author).acceptInvitation({ body: { token } });
  });
}

/** Makes authors who had left a room leave it again, after everything is posted. */
export async function leaveRooms(work: ImportContext): Promise<void> {
  const guests = await listMemberships(work, (plan) => plan.guests, true);
  await runForEach(work, 'farewells', guests, 'leave', ({ author, id }) => {
    const { id: memberId } = assertKnown(work.state.accounts.get(author));
    return getAuthorClient(work, author).removeMember({ params: { id, memberId } });
  });
}
