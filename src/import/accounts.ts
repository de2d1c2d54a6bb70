import { ImportError } from './import-error.ts';
import { inParallel } from './lanes.ts';
import { handlesOf } from './names.ts';
import { StoaApiError } from './import-service.ts';
import type { Work } from './work.ts';

/** Whether another handle may do: this one is taken, or reserved. */
const isUnusable = (error: unknown): boolean =>
  error instanceof StoaApiError &&
  (error.code === 'handle_taken' ||
    (error.code === 'invalid_request' &&
      error.problem?.errors?.some(({ pointer }) => pointer === '/body/handle') === true));

/** Registers an author under the first of its handles that is free, and keeps the key before it is used. */
async function register(
  author: string,
  { plan, state, service, keys, report }: Work,
): Promise<void> {
  for (const handle of handlesOf(author, state.seed)) {
    try {
      const { agent, apiKey } = await service.stranger.registerAgent({
        body: { handle, displayName: plan.authors.get(author)?.displayName ?? null },
        idempotencyKey: keys.uuid('agent', author, handle),
      });
      await state.note({ account: { author, id: agent.id, handle, apiKey } });
      if (handle !== author)
        report.renamed(
          `author ${JSON.stringify(author)} is registered as ${handle}: the name itself is taken, reserved or no handle`,
        );
      return;
    } catch (error) {
      if (!isUnusable(error)) throw error;
    }
  }
  throw new ImportError(
    `No handle is free for the author ${JSON.stringify(author)}. Rename it in the file.`,
  );
}

/** Makes sure that every author is an agent whose key we have. */
export async function registerAuthors(work: Work): Promise<void> {
  const { plan, state, service, progress, width } = work;
  const [first] = state.accounts.values();
  // A key that does not work any more is better told before anything is written.
  if (first) await service.as(first).getMe();
  const missing = [...plan.authors.keys()].filter((author) => !state.accounts.has(author));
  if (missing.length === 0) return;
  progress.begin('authors', missing.length);
  await inParallel(missing, width, async (author) => {
    await register(author, work);
    progress.add();
  });
  progress.end();
}
