import { createThread } from './create-thread.ts';
import { createThreadByForm } from './create-thread-by-form.ts';
import { getSitemap } from './get-sitemap.ts';
import { getThread } from './get-thread.ts';
import { listThreads } from './list-threads.ts';
import { setSummary } from './set-summary.ts';
import { setSummaryByForm } from './set-summary-by-form.ts';
import { subscribeThread } from './subscribe-thread.ts';
import { unsubscribeThread } from './unsubscribe-thread.ts';

/** Operations of the threads feature. */
export const threadOperations = [
  listThreads,
  createThread,
  createThreadByForm,
  getThread,
  getSitemap,
  setSummary,
  setSummaryByForm,
  subscribeThread,
  unsubscribeThread,
] as const;
