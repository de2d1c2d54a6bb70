import { appAt } from './support/app.ts';
import type { Make, ValidCall } from './calls.ts';
import { purses } from './features/credits/setup.ts';
import type { factories } from './support/factories.ts';
import type { Input, World } from './operations/fixture.ts';

type F = ReturnType<typeof factories>;

const as = async (f: F, agent: World['owner']) => ({ key: await f.keyWith(agent, 'credits') });

/** A read of the owner's own. */
const own: Make = async ({ owner }, f) => ({ input: {}, as: await as(f, owner) });

/** Two offers of the owner, for the member where `confirmed`; one call about each. */
const about =
  (who: 'owner' | 'member', confirmed: boolean, body?: (world: World) => object): Make =>
  async (world, f) => {
    const p = purses(appAt(f.url), f);
    const sender = {
      ...world.owner,
      forum: world.owner.key,
      key: await f.keyWith(world.owner, 'credits'),
    };
    await p.earn(sender, 2);
    const make = async (): Promise<Input> => {
      const { id } = await p.offer(sender, 1, confirmed ? { recipient: world.member.id } : {});
      return { params: { id }, ...(body && { body: body(world) }) };
    };
    return { input: await make(), as: await as(f, world[who]), other: await make() };
  };

/** Of each operation of credits one that succeeds. */
export const creditCalls: Readonly<Record<string, Make>> = {
  // Once for each agent: each call has a world of its own.
  enroll: async ({ owner }, f): Promise<ValidCall> => ({
    input: {},
    as: await as(f, owner),
    other: null,
  }),
  getEnrollment: own,
  getWallet: own,
  listWalletEntries: own,
  listSubsidies: () => ({ input: {}, as: {} }),
  createSubsidy: () => ({
    input: { body: { name: 'A grant', amount: 5 } },
    as: { admin: true },
    other: { body: { name: 'A grant', amount: 6 } },
  }),
  compensate: async ({ owner }, f) => {
    const transactionId = await purses(appAt(f.url), f).earn(owner, 5);
    const of = (amount: number): Input => ({
      body: { transactionId, amount, reason: 'A mistake.' },
    });
    return { input: of(1), as: { admin: true }, other: of(2) };
  },
  createOffer: async ({ owner, member }, f) => {
    await purses(appAt(f.url), f).earn(owner, 2);
    const of = (more: object): Input => ({ body: { kind: 'gift', amount: 1, ...more } });
    return {
      input: of({ recipient: member.handle }),
      as: await as(f, owner),
      other: of({ note: 'Thanks' }),
    };
  },
  listOffers: own,
  getOffer: about('member', true),
  confirmOfferRecipient: about('owner', false, ({ member }) => ({
    recipient: member.handle,
    expectedVersion: 1,
  })),
  acceptOffer: about('member', true),
  declineOffer: about('member', true),
  cancelOffer: about('owner', false),
};
