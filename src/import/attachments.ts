import { getAuthorClient, type ImportContext } from './import-context.ts';
import type { Statement } from './import-plan.ts';
import { getReason, isForbidden, isRefused, type StoaApiError } from './import-service.ts';
import { runKeyed } from './keyed-queue.ts';

/** The maximum number of statements whose files, ten at most, are in memory at once. */
const MAX_AHEAD = 2;

/**
 * Whether the service will never accept a file: because of the file itself, or because its message
 * is too old or has too many files.
 */
const isPermanent = (error: StoaApiError): boolean =>
  ['state_conflict', 'limit_exceeded'].includes(error.code ?? '') || isRefused(error);

/** Reads the statements that have a file with content. */
async function* listWithContent(work: ImportContext): AsyncGenerator<Statement> {
  for await (const statement of work.format.statements(work.file, { withContent: true })) {
    if (statement.files.some(({ hasContent }) => hasContent)) yield statement;
  }
}

/** Attaches the files of one message in their order, except those that it already has. */
async function attachToMessage(work: ImportContext, statement: Statement): Promise<void> {
  const { keys, state, report, progress } = work;
  const message = work.messages.get(statement.id ?? '');
  for (const [index, { line, name, mediaType, sha256, content }] of statement.files.entries()) {
    const refused = state.refused.get(line);
    const attachedFile = message?.files[index];
    if (refused) report.addRefusedFile(refused);
    else if (attachedFile?.sha256 === sha256 && attachedFile.name === name) report.attached += 1;
    else if (message && content !== null) {
      const file = new File([Buffer.from(content, 'base64')], name, { type: mediaType });
      try {
        await getAuthorClient(work, statement.author).attachFile({
          params: { id: message.id },
          file,
          idempotencyKey: keys.toKey('file', line),
        });
        report.attached += 1;
      } catch (error) {
        if (!isForbidden(error)) throw error;
        const refusal = { line, ...getReason(error) };
        if (isPermanent(error)) {
          await state.note({ refused: refusal });
          report.addRefusedFile(refusal);
        } else
          report.addFault(
            `line ${line}: the service does not accept the file now (${refusal.code}): ` +
              `${refusal.detail}`,
          );
      }
    }
    progress.add();
  }
}

/** Makes sure that every file with content is attached to its message. */
export async function attachFiles(work: ImportContext): Promise<void> {
  const { plan, progress, width } = work;
  if (plan.files === 0) return;
  progress.begin('files', plan.files);
  await runKeyed(
    listWithContent(work),
    { getKey: ({ id }) => id, width, maxWaiting: MAX_AHEAD },
    (statement) => attachToMessage(work, statement),
  );
  progress.end();
}
