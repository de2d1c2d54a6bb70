import type { factories, Loose, RequestOptions, TestAgent } from '../../support/factories.ts';

/** An installation that may send notices. */
export const CAMPAIGNS = { CAMPAIGNS_ENABLED: 'on', DISPATCH_ENABLED: 'on' };

export const DISCLOSURE = 'Sent by the operators of this installation.';

/** What a request says when a test does not care. */
export const campaign = (more: object = {}) => ({
  ...{
    name: 'A release',
    purpose: 'To tell about it.',
    audience: 'Rooms that accept notices.',
    disclosures: [DISCLOSURE],
  },
  ...{ variants: [{ id: 'a', text: 'Version 2 is out.' }], ...more },
});

/** Texts under as many ids. */
export const variants = (...texts: string[]) =>
  texts.map((text, index) => ({ id: `v${index}`, text }));

/** Without any ceiling. */
export const FREE = { dailyLimit: null, totalLimit: null, overrideLegacyLimits: true };

/** Short ways to what tests of campaigns need. */
export function announcers(f: ReturnType<typeof factories>) {
  const path = (id: string, step: string) => `/api/v1/admin/campaigns/${id}/${step}`;
  return {
    /** How a step of a campaign was answered. */
    step: (id: string, step: string, body?: object, more: RequestOptions = {}) =>
      f.send('POST', path(id, step), { admin: true, ...(body && { body }), ...more }),
    must: (id: string, step: string, body?: object): Promise<Loose> =>
      f.ok('POST', path(id, step), { admin: true, ...(body && { body }) }),
    create: (more: object = {}) =>
      f.send('POST', '/api/v1/admin/campaigns', { admin: true, body: campaign(more) }),
    /** Id of a draft. */
    draft: async (more: object = {}): Promise<string> =>
      (await f.ok('POST', '/api/v1/admin/campaigns', { admin: true, body: campaign(more) })).id,
    /** Id of a campaign whose notices are published. */
    async prepared(more: object = {}): Promise<string> {
      const id = await this.draft(more);
      await f.ok('POST', path(id, 'prepare'), { admin: true });
      return id;
    },
    /** Id of a room that accepts notices. */
    room: async (
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
    accept: (owner: TestAgent, roomId: string, acceptsNotices: boolean) =>
      f.ok('PUT', `/api/v1/rooms/${roomId}/notices`, { key: owner.key, body: { acceptsNotices } }),
    read: (id: string): Promise<Loose> => f.ok('GET', `/api/v1/campaigns/${id}`),
    /** Threads of notices in a room, as this agent sees them. */
    async notices(roomId: string, reader?: TestAgent): Promise<Loose[]> {
      const threads: Loose[] = await f.ok('GET', `/api/v1/threads?roomId=${roomId}&limit=100`, {
        key: reader?.key,
      });
      return threads.filter(({ authorHandle }) => authorHandle === 'system');
    },
  };
}
