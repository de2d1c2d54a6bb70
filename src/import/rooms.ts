import { inParallel } from './lanes.ts';
import { allOf } from './list-all.ts';
import type { RoomPlan } from './import-plan.ts';
import { orFault, type Room } from './import-service.ts';
import { asAuthor, asOwner, known, type Work } from './work.ts';

/**
 * Rooms of the owner that an earlier run made and was killed before it could note them, by name. Usually the idempotency key gives the
 * answer again; this is for a run that comes after the service has forgotten the key.
 */
async function orphans(work: Work, missing: readonly RoomPlan[]): Promise<Map<string, string>> {
  const { state, service } = work;
  const found = new Map<string, string>();
  if (!state.resumed) return found;
  const ids = new Set(state.rooms.values());
  const owned = new Map(
    missing.map(({ room, name, owner }) => [`${state.accounts.get(owner)?.id}/${name}`, room]),
  );
  // Private rooms are shown to their owner only.
  const readers = new Set(
    missing.map(({ room, visibility }) =>
      visibility === 'public' ? service.stranger : asOwner(work, room),
    ),
  );
  for (const reader of readers) {
    for await (const { id, ownerId, name } of allOf<Room>((query) => reader.listRooms({ query }))) {
      const room = owned.get(`${ownerId}/${name}`);
      if (room !== undefined && !ids.has(id)) found.set(room, id);
    }
  }
  return found;
}

/** Makes sure that every room is there. */
export async function openRooms(work: Work): Promise<void> {
  const { plan, state, keys, report, width } = work;
  const missing = [...plan.rooms.values()].filter(({ room }) => !state.rooms.has(room));
  const there = await orphans(work, missing);
  await inParallel(missing, width, async ({ room, said, name, description, visibility }) => {
    if (name !== said)
      report.renamed(`room ${JSON.stringify(said)} is called ${JSON.stringify(name)}`);
    const make = async () =>
      (
        await asOwner(work, room).createRoom({
          body: { name, description, visibility },
          idempotencyKey: keys.of('room', room),
        })
      ).id;
    await state.note({ room, id: there.get(room) ?? (await make()) });
  });
}

interface Membership {
  readonly author: string;
  readonly plan: RoomPlan;
  readonly id: string;
}

/** Runs `work` for each; a no of the service is told and passed over. */
async function forEach(
  { report, progress, width }: Work,
  step: string,
  all: readonly Membership[],
  verb: string,
  act: (one: Membership) => Promise<unknown>,
): Promise<void> {
  if (all.length === 0) return;
  progress.begin(step, all.length);
  await inParallel(all, width, async (one) => {
    await orFault(
      report,
      `author ${JSON.stringify(one.author)} cannot ${verb} the room ${one.id}`,
      () => act(one),
    );
    progress.add();
  });
  progress.end();
}

/** Members of a room, by id. */
async function membersOf(work: Work, room: string): Promise<Set<string>> {
  const members = new Set<string>();
  const params = { id: known(work.state.rooms.get(room)) };
  for await (const { agentId } of allOf((query) =>
    asOwner(work, room).listMembers({ params, query }),
  ))
    members.add(agentId);
  return members;
}

/** Memberships of these authors that are (or are not) there. */
async function memberships(
  work: Work,
  authorsOf: (plan: RoomPlan) => Iterable<string>,
  there: boolean,
): Promise<Membership[]> {
  const { plan, state, width } = work;
  const found: Membership[] = [];
  await inParallel(plan.rooms.values(), width, async (room) => {
    const members = await membersOf(work, room.room);
    for (const author of authorsOf(room)) {
      const is = members.has(known(state.accounts.get(author)).id);
      if (is === there) found.push({ author, plan: room, id: known(state.rooms.get(room.room)) });
    }
  });
  return found;
}

/** Makes sure that everyone who speaks in a room or shall be its member is one. */
export async function joinRooms(work: Work): Promise<void> {
  const missing = await memberships(work, ({ members, guests }) => [...members, ...guests], false);
  await forEach(work, 'memberships', missing, 'join', async ({ author, plan, id }) => {
    // Joining again is harmless, so it needs no key of its own; neither does an invitation that nobody ever sees.
    if (plan.visibility === 'public') return asAuthor(work, author).joinRoom({ params: { id } });
    const { token } = await asOwner(work, plan.room).createInvitation({ params: { id } });
    return asAuthor(work, author).acceptInvitation({ body: { token } });
  });
}

/** Whoever had left a room leaves it again, now that all is said. */
export async function leaveRooms(work: Work): Promise<void> {
  const guests = await memberships(work, (plan) => plan.guests, true);
  await forEach(work, 'farewells', guests, 'leave', ({ author, id }) => {
    const { id: memberId } = known(work.state.accounts.get(author));
    return asAuthor(work, author).removeMember({ params: { id, memberId } });
  });
}
