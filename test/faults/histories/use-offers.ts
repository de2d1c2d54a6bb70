import type { Request } from '../../../scripts/faults/send.ts';
import type { Call } from '../../support/linearizability.ts';
import {
  buildOfferModel,
  type OfferOperation,
  tellOffer,
  tellWallet,
} from '../../support/models/offers.ts';
import { noteChange, noteRead, tell } from '../../support/models/told.ts';
import { type Client, type Ground, prepare, registerClients, takeTurns } from './workload.ts';

const UNITS = 100;

/** Has an agent earn units by a task whose answer is known, as any agent could. */
async function earn(ground: Ground, owner: Client, worker: Client): Promise<void> {
  const admin = (path: string, body: object) =>
    prepare(ground, {
      method: 'POST',
      path: `/api/v1/admin/${path}`,
      headers: { 'x-admin-key': ground.adminKey },
      body,
    });
  const post = (path: string, { key }: Client, body?: object) =>
    prepare(ground, { method: 'POST', path: `/api/v1/${path}`, key, ...(body && { body }) });
  await admin('subsidies', { name: 'Histories', amount: UNITS, perDay: UNITS });
  const answers = { sum: '4' };
  const fixture = await admin('fixtures', { name: 'Sum', owners: [owner.handle], answers });
  await post('enrollment', owner);
  const task = await post('tasks', owner, {
    kind: 'claim_verification',
    title: 'Add',
    instructions: 'How much is 2 and 2?',
    rubric: [{ id: 'sum', text: 'The sum.' }],
    reward: UNITS,
    slots: 1,
    deadline: new Date(Date.now() + 3_600_000).toISOString(),
    visibility: 'public',
    decisionMethod: 'fixture',
    fixtureId: fixture.id,
  });
  const { id } = await post(`tasks/${task.id}/assignments`, worker);
  await post(`assignments/${id}/submission`, worker, {
    expectedVersion: 1,
    verdict: 'supported',
    answers: [{ criterionId: 'sum', answer: '4' }],
  });
}

/** A sender offers its units to two agents, each party with several processes. */
export async function useOffers(ground: Ground) {
  const { sender: client, random } = ground;
  const calls: Call<OfferOperation>[] = [];
  const agents = await registerClients(ground, 'offer', 3, 'credits');
  const [sender, one, other] = agents;
  if (!sender || !one || !other) throw new Error('There are no clients.');
  await earn(ground, one, sender);
  /** What anyone heard of the offers, newest last. */
  const offers = new Map<string, { version: number; to: Client }>();
  await takeTurns(ground, [sender, sender, sender, one, one, other, other], async (agent) => {
    const { key, handle } = agent;
    const note = async (
      kind: OfferOperation['kind'],
      request: Omit<Request, 'key'>,
      more: Partial<OfferOperation>,
    ) => {
      const sent = await client.send({ ...request, key });
      const { status, body } = sent;
      const outcome = tell(sent, () => {
        if (kind === 'create') return `created ${body.id}`;
        if (kind === 'wallet')
          return tellWallet(body.balances.earned.available, body.balances.earned.reserved);
        const { state, version, recipientHandle } = body;
        return tellOffer({ state, version, to: recipientHandle ?? '' }, kind !== 'read');
      });
      const id = more.id ?? body?.id;
      const known = offers.get(id);
      const version = status === 200 ? body.version : body?.currentVersion;
      if (known && version !== undefined) offers.set(id, { ...known, version });
      const operation = { kind, agent: handle, outcome, ...more };
      if (kind === 'read' || kind === 'wallet') noteRead(calls, sent, operation);
      else noteChange(calls, sent, operation);
      return sent;
    };
    if (random.pickInt(5) === 0)
      return void (await note('wallet', { method: 'GET', path: '/api/v1/me/wallet' }, {}));
    // Mostly its own, and few of them, so that processes meet.
    const isCurious = random.pickInt(8) === 0;
    const recent = [...offers]
      .filter(([, { to }]) => isCurious || agent === sender || to === agent)
      .slice(-2);
    if (recent.length === 0 || (agent === sender && random.pickInt(3) === 0)) {
      if (agent !== sender) return;
      const to = random.pickOne([one, other]);
      const amount = 1 + random.pickInt(40);
      const body = { kind: 'gift', amount, recipient: to.handle };
      const request = { method: 'POST', path: '/api/v1/offers', body };
      const sent = await note('create', request, { amount, to: to.handle });
      if (sent.status === 200) offers.set(sent.body.id, { version: 1, to });
      return;
    }
    const [id, { version, to }] = random.pickOne(recent);
    const path = `/api/v1/offers/${id}`;
    if (random.pickInt(6) === 0) return void (await note('read', { method: 'GET', path }, { id }));
    const kind =
      agent === sender
        ? random.pickOne(['confirm', 'confirm', 'cancel'] as const)
        : random.pickOne(['accept', 'decline', 'decline'] as const);
    const recipient = { recipient: to.handle };
    const body = { expectedVersion: version, ...(kind === 'confirm' && recipient) };
    const step = kind === 'confirm' ? 'recipient' : kind;
    const more = { id, expected: version, ...(kind === 'confirm' && { to: to.handle }) };
    await note(kind, { method: 'POST', path: `${path}/${step}`, body }, more);
  });
  const units = { [sender.handle]: UNITS };
  return { model: buildOfferModel(sender.handle, units), calls };
}
