import { sql } from '../src/db/sql.ts';
import type { ErrorCode } from '../src/kernel/errors.ts';
import { validCall } from './calls.ts';
import { purses } from './features/credits/setup.ts';
import type { Provocation, Provoke, Scene } from './provocations.ts';
import type { Input } from './operations/fixture.ts';

const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

/** The call that would succeed, after something has happened, with something else in it. */
const after =
  (
    name: string,
    happens: (scene: Scene, id: string) => Promise<unknown>,
    more: object = {},
  ): Provoke =>
  async (scene) => {
    const { input, as } = await validCall(name, scene.world, scene.f);
    await happens(scene, input.params?.id ?? '');
    return { input: { ...input, ...more }, as };
  };
const nothing = async () => {};

const cancelled = async ({ f, world }: Scene, id: string) =>
  f.ok('POST', `/api/v1/offers/${id}/cancel`, { key: await f.keyWith(world.owner, 'credits') });
const grown = ({ app }: Scene, id: string) =>
  app.app.env.db.run(sql`UPDATE records SET version = 200 WHERE id = ${id}`);

/** By the other party of the offer. */
const byOther =
  (name: string, who: 'owner' | 'member'): Provoke =>
  async (scene) => {
    const { input } = await validCall(name, scene.world, scene.f);
    return { input, as: { key: await scene.f.keyWith(scene.world[who], 'credits') } };
  };

/** How a step of an offer is refused. */
const onOffer = (
  name: string,
  other: 'owner' | 'member',
  body: object,
): Partial<Record<ErrorCode, Provoke>> => ({
  not_found: after(name, nothing, { params: { id: nowhere } }),
  forbidden: byOther(name, other),
  version_conflict: after(name, nothing, { body: { ...body, expectedVersion: 9 } }),
  state_conflict: after(name, cancelled),
});

const offering =
  (body: (scene: Scene) => object): Provoke =>
  async (scene) => ({
    input: { body: { kind: 'gift', amount: 1, ...body(scene) } },
    as: { key: await scene.f.keyWith(scene.world.owner, 'credits') },
  });

/** A compensation of a payment of five units to a new agent. */
const compensating =
  (
    amount: number,
    happens: (scene: Scene, transactionId: string) => Promise<string | undefined> = async () =>
      undefined,
  ): Provoke =>
  async (scene): Promise<Provocation> => {
    const p = purses(scene.app, scene.f);
    const holder = await p.holder();
    const transactionId = await p.earn(holder, 5);
    await p.offer(holder, 5);
    const body = {
      transactionId: (await happens(scene, holder.key)) ?? transactionId,
      amount,
      reason: 'A mistake.',
    };
    return { input: { body } as Input, as: { admin: true } };
  };

/** What no rule of the pipeline brings about, by operations of credits. */
export const creditProvocations: Readonly<Record<string, Partial<Record<ErrorCode, Provoke>>>> = {
  enroll: {
    already_exists: async ({ app, f }) => {
      const { key } = await purses(app, f).holder();
      await f.ok('POST', '/api/v1/enrollment', { key });
      return { input: {}, as: { key } };
    },
  },
  createSubsidy: {
    limit_exceeded: async (scene) => {
      await purses(scene.app, scene.f).subsidy();
      return {
        input: { body: { name: 'Too much', amount: Number.MAX_SAFE_INTEGER } },
        as: { admin: true },
      };
    },
  },
  compensate: {
    not_found: () => ({
      input: { body: { transactionId: nowhere, amount: 1, reason: 'A mistake.' } },
      as: { admin: true },
    }),
    state_conflict: compensating(
      1,
      async ({ f }, key) =>
        (await f.ok('GET', '/api/v1/me/wallet', { key })).entries[0].transactionId,
    ),
    limit_exceeded: compensating(6),
    insufficient_funds: compensating(5),
  },
  createOffer: {
    not_found: offering(() => ({ recipient: 'nobody-at-all' })),
    not_eligible: offering(({ world }) => ({ recipient: world.owner.handle })),
    insufficient_funds: offering(() => ({ amount: 1_000_000 })),
  },
  getOffer: { not_found: after('getOffer', nothing, { params: { id: nowhere } }) },
  confirmOfferRecipient: {
    ...onOffer('confirmOfferRecipient', 'member', {}),
    forbidden: async (scene) => {
      const { input, as } = await validCall('acceptOffer', scene.world, scene.f);
      return {
        input: { ...input, body: { recipient: scene.world.member.handle, expectedVersion: 1 } },
        as,
      };
    },
    version_conflict: async (scene) => {
      const { input, as } = await validCall('confirmOfferRecipient', scene.world, scene.f);
      return {
        input: { ...input, body: { recipient: scene.world.member.handle, expectedVersion: 9 } },
        as,
      };
    },
    state_conflict: async (scene) => {
      const { input, as } = await validCall('confirmOfferRecipient', scene.world, scene.f);
      await cancelled(scene, input.params?.id ?? '');
      return {
        input: { ...input, body: { recipient: scene.world.member.handle, expectedVersion: 2 } },
        as,
      };
    },
    not_eligible: async (scene) => {
      const { input, as } = await validCall('confirmOfferRecipient', scene.world, scene.f);
      return {
        input: { ...input, body: { recipient: scene.world.owner.handle, expectedVersion: 1 } },
        as,
      };
    },
    limit_exceeded: async (scene) => {
      const { input, as } = await validCall('confirmOfferRecipient', scene.world, scene.f);
      await grown(scene, input.params?.id ?? '');
      return {
        input: { ...input, body: { recipient: scene.world.member.handle, expectedVersion: 200 } },
        as,
      };
    },
  },
  acceptOffer: onOffer('acceptOffer', 'owner', {}),
  declineOffer: onOffer('declineOffer', 'owner', {}),
  cancelOffer: {
    ...onOffer('cancelOffer', 'member', {}),
    forbidden: byOther('acceptOffer', 'member'),
  },
};
