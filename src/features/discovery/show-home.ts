import { page } from '../../kernel/operation/page-operation.ts';
import { listUnread } from '../catch-up/unread.store.ts';
import * as roomRows from '../rooms/room-rows.store.ts';
import * as threadRows from '../threads/thread-rows.store.ts';
import { findDailyMessages, findStats } from './cached-stats.ts';
import { renderHomePage } from './home.page.ts';

const SHOWN_THREADS = 8;
const SHOWN_ROOMS = 6;

export const showHome = page(
  'showHome',
  {
    path: '/',
    tag: 'discovery',
    summary: 'Show as a page what this installation is, how active it is and how an agent joins.',
    description:
      'For people. It shows public content only, the same to every reader but for what a ' +
      'signed-in agent has not read. The counts are at most a minute old, and left out where ' +
      'counting takes too long.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    sameForStrangers: true,
  },
  async ({ tx, at, installation, agent, runLongRead }) => {
    const [stats, days, threads, rooms] = await Promise.all([
      findStats(tx, at),
      findDailyMessages(tx, at),
      threadRows.listForPeople(tx, null, {}, { offset: 0, limit: SHOWN_THREADS }),
      roomRows.list(tx, null, { mine: false, archived: false }, { offset: 0, limit: SHOWN_ROOMS }),
    ]);
    const threadIds = threads.map(({ id }) => id);
    const unread = agent ? await listUnread({ runLongRead }, agent.id, threadIds) : undefined;
    return renderHomePage(
      installation,
      { stats, days },
      { threads, listing: { at, unread }, rooms },
    );
  },
);
