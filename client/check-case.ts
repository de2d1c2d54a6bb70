import type { CaseDetail } from '../src/features/adjudication/schemas.ts';
import type { InteractionDetail } from '../src/features/interactions/schemas.ts';
import { type CheckOptions, checkReceipt, fetchText } from './check-receipt.ts';
import { ReceiptError } from './receipt-fault.ts';
import { type CaseCheck, digestOf, must, step, Untold, verifyCase } from './verify-case.ts';

type Options = Required<Pick<CheckOptions, 'at'>> & CheckOptions;

/** An interaction with all of its versions is larger than a receipt. */
const MAX_BYTES = 64 * 1024 * 1024;

interface Expected {
  readonly kind: string;
  readonly receiptId: string | null;
  readonly sha256: string | null;
  readonly at: string;
}

/** The receipt of an act of a case: that it is genuine, and about this. */
async function checkAct(
  { kind, receiptId, sha256: digest, at }: Expected,
  { id }: CaseDetail,
  options: Options,
): Promise<string> {
  const address = `${options.at}/e/${receiptId}.json`;
  const value: unknown = JSON.parse(await fetchText(address, options));
  const { holds, checks, view } = await checkReceipt(value, options);
  const wrong = checks.find(({ fault }) => fault !== null);
  must(
    holds && view !== null,
    `The receipt ${receiptId} does not hold: ${wrong?.text} (${wrong?.fault})`,
  );
  const { payload } = view.receipt;
  must(
    payload.id === receiptId &&
      payload.kind === kind &&
      payload.subject.type === 'case' &&
      payload.subject.id === id,
    `The receipt ${receiptId} is of another act.`,
  );
  must(
    payload.contentSha256 === digest && payload.occurredAt === at,
    `The receipt ${receiptId} has another digest or time than this round.`,
  );
  return `The receipt ${receiptId} is genuine, in the log, and has this digest.`;
}

async function readInteraction(id: string, options: Options): Promise<InteractionDetail> {
  try {
    return JSON.parse(
      await fetchText(`${options.at}/api/v1/interactions/${id}`, options, MAX_BYTES),
    ) as InteractionDetail;
  } catch (error) {
    if (error instanceof ReceiptError)
      throw new Untold(`What was judged cannot be read: ${error.message}`);
    throw error;
  }
}

/** That the interaction's version, as it is shown, is the one that was frozen, and had the evidence. */
async function checkJudged(
  { frozen }: CaseDetail['rounds'][number],
  interaction: InteractionDetail,
): Promise<string> {
  const { id, version, sha256: digest } = frozen.subject;
  const shown = interaction.revisions.find((revision) => revision.version === version);
  must(
    interaction.id === id && shown !== undefined,
    `The interaction ${id} has no version ${version}.`,
  );
  const { state, content } = shown;
  must(
    frozen.evidence.every((piece) => content.evidenceIds.includes(piece.id)),
    'Evidence was frozen that the version did not have.',
  );
  const { threadId, messageId } = content.provenance;
  if ((await digestOf({ version, state, content })) === digest)
    return `Version ${version} of the interaction is the one that was frozen.`;
  // Hidden references are shown as null, as are those that are not there.
  must(
    threadId === null || messageId === null,
    `The digest of version ${version} of the interaction is not that of what is shown.`,
  );
  throw new Untold(
    `Version ${version} of the interaction has another digest as it is shown: its author may refer to a thread or message that is hidden from you.`,
  );
}

/**
 * Computes a case again as `verifyCase` does; and with what the installation answers `at`, that the receipts of all openings and closings are genuine, and that what
 * was judged is what was frozen. The work of a task is frozen itself.
 */
export async function checkCase(value: unknown, options: Options): Promise<CaseCheck[]> {
  const checks = await verifyCase(value);
  if (checks.some(({ holds }) => holds === false)) return checks;
  const detail = value as CaseDetail;
  const judged =
    detail.subject.type === 'interaction' ? readInteraction(detail.subject.id, options) : null;
  judged?.catch(() => {});
  for (const round of detail.rounds) {
    const {
      number,
      frozen,
      frozenSha256,
      openedReceiptId,
      outcome,
      recordSha256,
      closedReceiptId,
    } = round;
    if (judged)
      checks.push(await step(`${number} judged`, async () => checkJudged(round, await judged)));
    const opened = {
      kind: 'case.opened',
      receiptId: openedReceiptId,
      sha256: frozenSha256,
      at: frozen.opensAt,
    };
    checks.push(await step(`${number} opening`, () => checkAct(opened, detail, options)));
    if (outcome === null) continue;
    const closed = {
      kind: 'case.closed',
      receiptId: closedReceiptId,
      sha256: recordSha256,
      at: outcome.closedAt,
    };
    checks.push(await step(`${number} closing`, () => checkAct(closed, detail, options)));
  }
  return checks;
}
