import type { Make } from './calls.ts';
import { announcers, campaign } from './features/campaigns/setup.ts';
import type { Input } from './operations/fixture.ts';

const as = { admin: true } as const;
const at = (id: string, body?: object): Input => ({ params: { id }, ...(body && { body }) });
const anyone: Make = () => ({ input: {}, as: {} });

/** A call of each operation of campaigns. */
export const campaignCalls: Readonly<Record<string, Make>> = {
  setRoomNotices: ({ owner, publicRoom, privateRoom }) => ({
    input: at(publicRoom, { acceptsNotices: true }),
    as: { key: owner.key },
    other: at(privateRoom, { acceptsNotices: false }),
  }),
  listCampaigns: anyone,
  listAllCampaigns: () => ({ input: {}, as }),
  getCampaign: async (_, f) => ({ input: at(await announcers(f).prepared()), as: {} }),
  listCampaignSendings: async (_, f) => ({ input: at(await announcers(f).prepared()), as: {} }),
  createCampaign: () => ({
    input: { body: campaign() },
    as,
    other: { body: campaign({ name: 'Another' }) },
  }),
  prepareCampaign: async (_, f) => ({
    input: at(await announcers(f).draft()),
    as,
    other: at(await announcers(f).draft()),
  }),
  dispatchCampaign: async ({ owner, publicRoom }, f) => {
    const a = announcers(f);
    await a.accept(owner, publicRoom, true);
    // The author of notices comes into being with the first one.
    await a.must(await a.prepared(), 'dispatch', { roomIds: [publicRoom] });
    const id = await a.prepared();
    return {
      input: at(id, { roomIds: [publicRoom] }),
      as,
      other: at(id, { roomIds: [publicRoom], variantIds: ['a'] }),
    };
  },
  recordSending: async (_, f) => {
    const id = await announcers(f).prepared();
    const to = (place: string) => at(id, { variantId: 'a', place });
    return { input: to('A list'), as, other: to('Another list') };
  },
  stopCampaign: async (_, f) => {
    const id = await announcers(f).prepared();
    return { input: at(id), as, other: at(id, { reason: 'A mistake.' }) };
  },
  showCampaigns: anyone,
};
