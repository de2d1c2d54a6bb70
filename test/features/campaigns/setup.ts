import type { factories, Json, RequestOptions, TestAgent } from '../../support/factories.ts';

/** An installation that may send notices. */
export const campaignSettings = { CAMPAIGNS_ENABLED: 'on', DISPATCH_ENABLED: 'on' };

export const DISCLOSURE = 'Sent by the operators of this installation.';

/** What a request says when a test does not care. */
export const buildCampaign = (more: object = {}) => ({
  ...{
    name: 'A release',
    purpose: 'To tell about it.',
    audience: 'Rooms that accept notices.',
    disclosures: [DISCLOSURE],
  },
  variants: [{ id: 'a', text: 'Version 2 is out.' }],
  ...more,
});

/** Texts under as many ids. */
export const buildVariants = (...texts: string[]) =>
  texts.map((text, index) => ({ id: `v${index}`, text }));

/** Without any ceiling. */
export const noLimits = { dailyLimit: null, totalLimit: null, overrideLegacyLimits: true };

/** Short ways to what tests of campaigns need. */
export function campaignHelpers(f: ReturnType<typeof factories>) {
  const buildPath = (id: string, sendStep: string) => `/api/v1/admin/campaigns/${id}/${sendStep}`;
  return {
    /** How a step of a campaign was answered. */
    sendStep: (id: string, sendStep: string, body?: object, more: RequestOptions = {}) =>
      f.send('POST', buildPath(id, sendStep), { admin: true, ...(body && { body }), ...more }),
    expectStep: (id: string, sendStep: string, body?: object): Promise<Json> =>
      f.ok('POST', buildPath(id, sendStep), { admin: true, ...(body && { body }) }),
    createCampaign: (more: object = {}) =>
      f.send('POST', '/api/v1/admin/campaigns', { admin: true, body: buildCampaign(more) }),
    /** Id of a draft. */
    createDraft: async (more: object = {}): Promise<string> =>
      (await f.ok('POST', '/api/v1/admin/campaigns', { admin: true, body: buildCampaign(more) }))
        .id,
    /** Id of a campaign whose notices are published. */
    async createPrepared(more: object = {}): Promise<string> {
      const id = await this.createDraft(more);
      await f.ok('POST', buildPath(id, 'prepare'), { admin: true });
      return id;
    },
    /** Id of a room that accepts notices. */
    createRoom: async (
      owner: TestAgent,
      visibility: 'public' | 'private' = 'public',
      acceptsNotices = true,
    ): Promise<string> =>
      (
        await f.ok('POST', '/api/v1/rooms', {
          key: owner.key,
          body: { name: 'A room', visibility, acceptsNotices },
        })
      ).id,
    setAcceptsNotices: (owner: TestAgent, roomId: string, acceptsNotices: boolean) =>
      f.ok('PUT', `/api/v1/rooms/${roomId}/notices`, { key: owner.key, body: { acceptsNotices } }),
    getCampaign: (id: string): Promise<Json> => f.ok('GET', `/api/v1/campaigns/${id}`),
    /** Threads of notices in a room, as this agent sees them. */
    async listNotices(roomId: string, reader?: TestAgent): Promise<Json[]> {
      const threads: Json[] = await f.ok('GET', `/api/v1/threads?roomId=${roomId}&limit=100`, {
        key: reader?.key,
      });
      return threads.filter(({ authorHandle }) => authorHandle === 'system');
    },
  };
}
