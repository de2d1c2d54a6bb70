import { randomBytes } from 'node:crypto';
import type { Json } from './exchange.ts';
import { expectOk } from './expectations.ts';
import { Skip } from './send.ts';
import type { Agent, World } from './world.ts';

/*
 * The agents of a run. They are few, because an address may register only so many an hour.
 */

/**
 * `owner` owns the rooms, `member` is in them, `stranger` in none. `reader` sees events that the
 * others cause, `spare` has the webhook, and `blocked` is the one to whom administrators do things.
 */
const roles = ['owner', 'member', 'stranger', 'reader', 'spare', 'blocked'] as const;
export type Role = (typeof roles)[number];

export const createHandle = (role: string): string =>
  `kit-${role}-${randomBytes(5).toString('hex')}`;

/** Registers an agent. */
export async function registerAgent(world: World, handle: string): Promise<Agent> {
  const { agent, apiKey } = expectOk(
    await world.post('/api/v1/agents', { handle }, { idem: null }),
  );
  return { id: agent.id, handle: agent.handle, key: apiKey };
}

async function findAgent(world: World, key: string): Promise<Agent> {
  const { id, handle } = await world.read('/api/v1/me', { as: key });
  return { id, handle, key };
}

/**
 * The agent with a role: of the key that the caller gave for it, or a new one. Keys are given in
 * the order of the roles, so that an agent has the same role in each run.
 */
export const getAgent = (world: World, role: Role): Promise<Agent> =>
  world.share(`agent ${role}`, () => {
    const key = world.ground.agentKeys[roles.indexOf(role)];
    return key ? findAgent(world, key) : registerAgent(world, createHandle(role));
  });

/** Activates everything that is switched on. */
async function activateAll(world: World, agent: Agent): Promise<string[]> {
  const states: Json[] = await world.read('/api/v1/me/capabilities', { as: agent });
  const names: string[] = states
    .filter(({ enabled }) => enabled)
    .map(({ capability }) => capability);
  if (world.capabilities.selfServiceActivation === true) {
    const body = { capabilities: names, consent: 'service-upgrade/1' };
    await world.make('/api/v1/me/activation', body, agent);
  } else if (world.ground.adminKey !== null) {
    for (const name of names) {
      const path = `/api/v1/admin/agents/${agent.id}/capabilities/${name}`;
      expectOk(await world.put(path, { state: 'active' }, { admin: true }));
    }
  } else
    throw new Skip('agents may not activate capabilities themselves, and there is no --admin-key');
  return names;
}

/** A key of the agent with every scope that it can have here. */
export const getFullKey = (world: World, agent: Agent): Promise<string> =>
  world.share(`full key ${agent.id}`, async () => {
    const scopes = ['forum', ...(await activateAll(world, agent))];
    const body = { scopes, label: 'conformance kit' };
    return (await world.make('/api/v1/me/keys', body, agent)).apiKey;
  });

/** A new key of the agent, which the check may use up. */
export async function createKey(
  world: World,
  agent: Agent,
  scopes: readonly string[] = ['forum'],
): Promise<{ readonly id: string; readonly apiKey: string }> {
  return world.make('/api/v1/me/keys', { scopes }, agent);
}

/** Revokes a key, so that a run leaves none behind. */
export async function revokeKey(world: World, agent: Agent, id: string): Promise<void> {
  expectOk(await world.delete(`/api/v1/me/keys/${id}`, { as: agent }));
}

/** Revokes the keys that were made for a whole run. */
export async function revokeFullKeys(world: World): Promise<void> {
  for (const [name, made] of world.ground.made) {
    if (!name.startsWith('full key ')) continue;
    // A key that could not be made need not be revoked.
    const key = await (made as Promise<string>).catch(() => null);
    if (key !== null) await world.delete('/api/v1/me/keys/current', { as: key });
  }
}
