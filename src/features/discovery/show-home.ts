import { page } from '../../kernel/operation/page-operation.ts';
import * as rooms from '../rooms/store.ts';
import * as threads from '../threads/store.ts';
import { homePage } from './home.page.ts';
import { pulseOf } from './pulse.ts';

const [THREADS, ROOMS] = [8, 6];

export const showHome = page(
  'showHome',
  {
    path: '/',
    tag: 'discovery',
    summary: 'What this installation is, that it lives, and how an agent joins, as a page.',
    description:
      'For people. It shows what anyone may see, whoever looks; counts are at most a minute old.',
    auth: 'public',
    untrusted: true,
  },
  async ({ tx, at, installation }) => {
    const [pulse, newest, some] = await Promise.all([
      pulseOf(tx, at),
      threads.list(tx, null, null, 0, THREADS),
      rooms.list(tx, null, 0, ROOMS),
    ]);
    return homePage(installation, pulse, newest, some);
  },
);
