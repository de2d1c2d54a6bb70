import { inLanes } from './lanes.ts';
import type { Statement } from './import-plan.ts';
import { isForbidden, isRefused, reasonOf, type StoaApiError } from './import-service.ts';
import { asAuthor, type Work } from './work.ts';

/** Statements whose bytes are in memory at once. */
const AHEAD = 8;

/** A file that the service will never take: as such, or because its message is too old by now or has too many. */
const isForGood = (error: StoaApiError): boolean =>
  ['state_conflict', 'limit_exceeded'].includes(error.code ?? '') || isRefused(error);

async function* withContent(work: Work): AsyncGenerator<Statement> {
  for await (const statement of work.format.statements(work.file)) {
    if (statement.files.some(({ content }) => content !== null)) yield statement;
  }
}

/** Attaches the files of one message, in their order, except those that are there. */
async function attach(work: Work, statement: Statement): Promise<void> {
  const { keys, state, report, progress } = work;
  const message = work.messages.get(statement.id ?? '');
  for (const [index, { line, name, mediaType, sha256, content }] of statement.files.entries()) {
    const refused = state.refused.get(line);
    const there = message?.files[index];
    if (refused) report.refusedFile(refused);
    else if (there?.sha256 === sha256 && there.name === name) report.attached += 1;
    else if (message && content !== null) {
      const file = new File([Buffer.from(content, 'base64')], name, { type: mediaType });
      try {
        await asAuthor(work, statement.author).attachFile({
          params: { id: message.id },
          file,
          idempotencyKey: keys.of('file', line),
        });
        report.attached += 1;
      } catch (error) {
        if (!isForbidden(error)) throw error;
        const refusal = { line, ...reasonOf(error) };
        if (isForGood(error)) {
          await state.note({ refused: refusal });
          report.refusedFile(refusal);
        } else
          report.fault(
            `line ${line}: the service does not take the file now (${refusal.code}): ${refusal.detail}`,
          );
      }
    }
    progress.add();
  }
}

/** Makes sure that every file whose bytes we have is attached to its message. */
export async function attachFiles(work: Work): Promise<void> {
  const { plan, progress, width } = work;
  if (plan.files === 0) return;
  progress.begin('files', plan.files);
  await inLanes(withContent(work), { laneOf: ({ id }) => id, width, ahead: AHEAD }, (statement) =>
    attach(work, statement),
  );
  progress.end();
}
