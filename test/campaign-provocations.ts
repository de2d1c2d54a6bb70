import type { ErrorCode } from '../src/kernel/errors.ts';
import { announcers } from './features/campaigns/setup.ts';
import type { Provoke, Scene } from './provocations.ts';

const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const as = { admin: true } as const;
const copy = (place = 'A list') => ({ variantId: 'a', place });

/** A step of a campaign, after something has happened to it. */
const after =
  (
    make: 'draft' | 'prepared',
    happens: (id: string, scene: Scene) => Promise<unknown>,
    body?: object,
  ): Provoke =>
  async (scene) => {
    const id = await announcers(scene.f)[make]();
    await happens(id, scene);
    return { input: { params: { id }, ...(body && { body }) }, as };
  };
const nothing = async () => {};
const missing =
  (body?: object): Provoke =>
  () => ({ input: { params: { id: nowhere }, ...(body && { body }) }, as });
const stopped = (id: string, { f }: Scene) => announcers(f).must(id, 'stop');
/** As many as a day allows. */
const full = async (id: string, { f }: Scene) => {
  for (const place of ['One list', 'Another list'])
    await announcers(f).must(id, 'sendings', copy(place));
};

const onRoom =
  (who: 'member' | 'outsider', room: 'publicRoom' | 'privateRoom'): Provoke =>
  ({ world }) => ({
    input: { params: { id: world[room] }, body: { acceptsNotices: true } },
    as: { key: world[who].key },
  });

/** What no rule of the pipeline brings about, by operations of campaigns. */
export const campaignProvocations: Readonly<Record<string, Partial<Record<ErrorCode, Provoke>>>> = {
  setRoomNotices: {
    not_found: onRoom('outsider', 'privateRoom'),
    forbidden: onRoom('member', 'publicRoom'),
  },
  getCampaign: { not_found: missing() },
  listCampaignSendings: { not_found: missing() },
  prepareCampaign: { not_found: missing(), state_conflict: after('prepared', nothing) },
  dispatchCampaign: {
    not_found: missing(),
    state_conflict: after('draft', nothing),
    limit_exceeded: after('prepared', async (id, scene) => {
      await full(id, scene);
      await announcers(scene.f).room(await scene.f.agent());
    }),
  },
  recordSending: {
    not_found: missing(copy()),
    state_conflict: after('prepared', stopped, copy()),
    already_exists: after(
      'prepared',
      (id, { f }) => announcers(f).must(id, 'sendings', copy()),
      copy(),
    ),
    limit_exceeded: after('prepared', full, copy('A third list')),
  },
  stopCampaign: { not_found: missing(), state_conflict: after('prepared', stopped) },
};
