import { inParallel } from './lanes.ts';
import { allOf } from './pages.ts';
import type { RoomPlan } from './plan.ts';
import { isForbidden, type Room, reasonOf } from './service.ts';
import { known, type Work } from './work.ts';

/**
 * Rooms of the owner that an earlier run made and was killed before it could note them, by name. Usually the idempotency key gives the
 * answer again; this is for a run that comes after the service has forgotten the key.
 */
async function orphans(work: Work, missing: readonly RoomPlan[]): Promise<Map<string, string>> {
  const { state, service } = work;
  const found = new Map<string, string>();
  if (!state.resumed || missing.length === 0) return found;
  const owners = new Map(missing.map(({ room, name, owner }) => [`${state.accounts.get(owner)?.id}/${name}`, room]));
  const ids = new Set(state.rooms.values());
  for await (const { id, ownerId, name } of allOf<Room>((query) => service.stranger.listRooms({ query }))) {
    const room = owners.get(`${ownerId}/${name}`);
    if (room !== undefined && !ids.has(id)) found.set(room, id);
  }
  return found;
}

/** Makes sure that every meeting is a public room, owned by who speaks in it first. */
export async function openRooms(work: Work): Promise<void> {
  const { plan, state, service, keys, report, width } = work;
  const missing = [...plan.rooms.values()].filter(({ room }) => !state.rooms.has(room));
  const there = await orphans(work, missing);
  await inParallel(missing, width, async ({ room, name, owner }) => {
    if (name !== room) report.renamed(`room ${JSON.stringify(room)} is called ${JSON.stringify(name)}`);
    const make = async () => {
      const made = await service
        .as(known(state.accounts.get(owner)))
        .createRoom({ body: { name, visibility: 'public' }, idempotencyKey: keys.of('room', room) });
      return made.id;
    };
    await state.note({ room, id: there.get(room) ?? (await make()) });
  });
}

/** Makes sure that every author is a member of the rooms that it speaks in. Joining again is harmless, so it needs no key of its own. */
export async function joinRooms(work: Work): Promise<void> {
  const { plan, state, service, report, progress, width } = work;
  const joins: { author: string; id: string }[] = [];
  await inParallel(plan.rooms.values(), width, async ({ room, owner, authors }) => {
    const id = known(state.rooms.get(room));
    const members = new Set<string>();
    const asOwner = service.as(known(state.accounts.get(owner)));
    for await (const { agentId } of allOf((query) => asOwner.listMembers({ params: { id }, query }))) members.add(agentId);
    for (const author of authors) if (!members.has(known(state.accounts.get(author)).id)) joins.push({ author, id });
  });
  if (joins.length === 0) return;
  progress.begin('memberships', joins.length);
  await inParallel(joins, width, async ({ author, id }) => {
    try {
      await service.as(known(state.accounts.get(author))).joinRoom({ params: { id } });
    } catch (error) {
      if (!isForbidden(error)) throw error;
      const { code, detail } = reasonOf(error);
      report.fault(`author ${JSON.stringify(author)} cannot join the room ${id} (${code}): ${detail}`);
    }
    progress.add();
  });
  progress.end();
}
