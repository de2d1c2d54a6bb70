import type { ImportContext } from './import-context.ts';
import { ImportError } from './import-error.ts';
import { StoaApiError } from './import-service.ts';
import { runParallel } from './keyed-queue.ts';
import { listHandles } from './names.ts';

/** Whether the service refuses this handle because it is taken or reserved. */
const isUnusable = (error: unknown): boolean =>
  error instanceof StoaApiError &&
  (error.code === 'handle_taken' ||
    (error.code === 'invalid_request' &&
      error.problem?.errors?.some(({ pointer }) => pointer === '/body/handle') === true));

/**
 * Registers an author under the first free handle, and stores the key before it is used.
 * Errors: ImportError when no handle is free.
 */
async function registerAuthor(
  author: string,
  { plan, state, service, keys, report }: ImportContext,
): Promise<void> {
  for (const handle of listHandles(author, state.seed)) {
    try {
      const { agent, apiKey } = await service.anonymous.registerAgent({
        body: { handle, displayName: plan.authors.get(author)?.displayName ?? null },
        idempotencyKey: keys.toUuid('agent', author, handle),
      });
      await state.note({ account: { author, id: agent.id, handle, apiKey } });
      if (handle !== author)
        report.addRename(
          `author ${JSON.stringify(author)} is registered as ${handle}: the name itself is ` +
            'taken, reserved or not a valid handle',
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

/** Makes sure that every author is registered and that the state has its key. */
export async function registerAuthors(work: ImportContext): Promise<void> {
  const { plan, state, service, progress, width } = work;
  const [first] = state.accounts.values();
  // A key that no longer works should be reported before anything is written.
  if (first) await service.asAgent(first).getMe();
  const missing = [...plan.authors.keys()].filter((author) => !state.accounts.has(author));
  if (missing.length === 0) return;
  progress.begin('authors', missing.length);
  await runParallel(missing, width, async (author) => {
    await registerAuthor(author, work);
    progress.add();
  });
  progress.end();
}
