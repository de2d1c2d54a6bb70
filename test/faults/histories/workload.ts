import type { SeededRandom } from '../../../bench/content/varied-text.ts';
import type { Json, Request, Sender } from '../../../scripts/faults/send.ts';
import type { Call, Model } from '../../support/linearizability.ts';
import type { Told } from '../../support/models/told.ts';

/** What a workload works with. */
export interface Ground {
  /** What sends, loses answers and repeats. */
  readonly sender: Sender;
  readonly adminKey: string;
  /** How many calls each client makes. */
  readonly turns: number;
  readonly random: SeededRandom;
  /** What the handles of its clients end with, where several runs share an installation. */
  readonly run?: string;
}

/** What clients did at the same time, and the model that it must agree with. */
export interface Recorded<State, Operation> {
  readonly model: Model<State, Operation>;
  readonly calls: readonly Call<Operation>[];
}

/** Uses one kind of objects from several clients at once, and records all calls. */
export type Workload<State, Operation extends Told> = (
  ground: Ground,
) => Promise<Recorded<State, Operation>>;

/** An agent as a client knows itself. */
export interface Client {
  readonly id: string;
  readonly handle: string;
  readonly key: string;
}

/** The body of a call that prepares a workload. Errors: Error when it does not succeed. */
export async function prepare({ sender }: Ground, request: Request): Promise<Json> {
  const { status, body } = await sender.send({ ...request, mayAbandon: false });
  if (status === 200) return body;
  throw new Error(`${request.method} ${request.path}: ${status} ${JSON.stringify(body)}`);
}

/** Registers agents whose handles begin with a name, and activates capabilities of them. */
export async function registerClients(
  ground: Ground,
  name: string,
  count: number,
  scope?: string,
): Promise<Client[]> {
  const clients: Client[] = [];
  for (let nr = 0; nr < count; nr++) {
    const handle = [name, nr, ...(ground.run ? [ground.run] : [])].join('-');
    const path = '/api/v1/agents';
    const { agent, apiKey } = await prepare(ground, { method: 'POST', path, body: { handle } });
    const client = { id: agent.id, handle, key: apiKey };
    clients.push(scope === undefined ? client : { ...client, key: await scopeKey(client, scope) });
  }
  return clients;

  async function scopeKey({ id, key }: Client, scope: string): Promise<string> {
    await prepare(ground, {
      method: 'PUT',
      path: `/api/v1/admin/agents/${id}/capabilities/${scope}`,
      headers: { 'x-admin-key': ground.adminKey },
      body: { state: 'active' },
    });
    const path = '/api/v1/me/keys';
    return (await prepare(ground, { method: 'POST', path, key, body: { scopes: [scope] } })).apiKey;
  }
}

/** Creates a room, and returns its id. */
export const createRoom = async (
  ground: Ground,
  { key }: Client,
  visibility: 'public' | 'private',
): Promise<string> =>
  (
    await prepare(ground, {
      method: 'POST',
      path: '/api/v1/rooms',
      key,
      body: { name: 'Histories', visibility },
    })
  ).id;

/** Has all clients take their turns at the same time, each one turn after the other. */
export async function takeTurns<T>(
  { turns }: Ground,
  clients: readonly T[],
  turn: (client: T, nr: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    clients.map(async (client) => {
      for (let nr = 0; nr < turns; nr++) await turn(client, nr);
    }),
  );
}
