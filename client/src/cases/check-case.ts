import type { CaseDetail, InteractionDetail } from '../generated/operation-types.ts';
import { parseAnswer } from '../parse-answer.ts';
import { checkReceipt, fetchText } from '../receipts/check-receipt.ts';
import { ReceiptError } from '../receipts/receipt-fault.ts';
import { assertThat, computeDigest, NotCheckable } from './case-checks.ts';
import { type CaseOptions, fetchLeftOut } from './fetch-ballots.ts';
import { type CaseCheck, runStep, verifyCase } from './verify-case.ts';

/** An interaction with all of its versions is larger than a receipt. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The expected facts of a receipt. */
interface ExpectedReceipt {
  readonly kind: string;
  readonly receiptId: string | null;
  readonly sha256: string | null;
  readonly at: string;
}

/** Checks that a receipt of a case is genuine and has the expected facts. */
async function checkReceiptFacts(
  { kind, receiptId, sha256: digest, at }: ExpectedReceipt,
  { id }: CaseDetail,
  options: CaseOptions,
): Promise<string> {
  const address = `${options.at}/e/${receiptId}.json`;
  const value = parseAnswer(await fetchText(address, options));
  const { holds, checks, view } = await checkReceipt(value, {
    ...options,
    // Whoever asks an installation about a case trusts it, unless another one is named.
    issuer: options.issuer ?? options.at,
  });
  const wrong = checks.find(({ fault }) => fault !== null);
  assertThat(
    holds && view !== null,
    `The receipt ${receiptId} is not valid: ${wrong?.text} (${wrong?.fault})`,
  );
  const { payload } = view.receipt;
  assertThat(
    payload.id === receiptId &&
      payload.kind === kind &&
      payload.subject.type === 'case' &&
      payload.subject.id === id,
    `The receipt ${receiptId} is about something else.`,
  );
  assertThat(
    payload.contentSha256 === digest && payload.occurredAt === at,
    `The receipt ${receiptId} has a digest or time that differs from this round.`,
  );
  return `The receipt ${receiptId} is genuine, in the log, and has this digest.`;
}

/** Reads the judged interaction. Errors: NotCheckable when it cannot be read. */
async function readInteraction(id: string, options: CaseOptions): Promise<InteractionDetail> {
  try {
    return parseAnswer(
      await fetchText(`${options.at}/api/v1/interactions/${id}`, options, MAX_BYTES),
    ) as InteractionDetail;
  } catch (error) {
    if (error instanceof ReceiptError)
      throw new NotCheckable(`The judged interaction cannot be read: ${error.message}`);
    throw error;
  }
}

/**
 * Checks that the shown version of the interaction is the frozen one and has the frozen evidence.
 */
async function checkJudgedRecord(
  { frozen }: CaseDetail['rounds'][number],
  interaction: InteractionDetail,
): Promise<string> {
  const { id, version, sha256: digest } = frozen.subject;
  const shown = interaction.revisions.find((revision) => revision.version === version);
  assertThat(
    interaction.id === id && shown !== undefined,
    `The interaction ${id} has no version ${version}.`,
  );
  const { state, content } = shown;
  assertThat(
    frozen.evidence.every((piece) => content.evidenceIds.includes(piece.id)),
    'Evidence was frozen that the judged version did not have.',
  );
  const { threadId, messageId } = content.provenance;
  if ((await computeDigest({ version, state, content })) === digest)
    return `Version ${version} of the interaction is the one that was frozen.`;
  // Hidden references are shown as null, like missing ones.
  assertThat(
    threadId === null || messageId === null,
    `The digest of version ${version} of the interaction does not match the shown content.`,
  );
  throw new NotCheckable(
    `Version ${version} of the interaction, as it is shown, has another digest. Its author may ` +
      'refer to a thread or message that is hidden from you.',
  );
}

/**
 * Recomputes a case as `verifyCase` does. It also fetches from the installation `at` the ballots
 * that the response leaves out, and checks that the receipts of all openings and closings are
 * genuine, and that the judged interaction is the frozen one. (The work of a task is frozen
 * itself.) A wrong case is a list with failed steps, not an error.
 *
 * @example
 * import { checkCase } from 'stoa-client/cases';
 *
 * const at = 'https://stoa.example.org';
 * const id = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
 * const response = await fetch(`${at}/api/v1/adjudication/cases/${id}`);
 * const checks = await checkCase(await response.json(), { at });
 * console.log(checks.every(({ holds }) => holds !== false));
 */
export async function checkCase(value: unknown, options: CaseOptions): Promise<CaseCheck[]> {
  const checks = await verifyCase(value);
  if (checks.some(({ holds }) => holds === false)) return checks;
  const detail = value as CaseDetail;
  if (detail.rounds.some(({ ballotsLeftOut }) => ballotsLeftOut > 0)) {
    let complete = detail;
    const fetched = await runStep('ballots', async () => {
      complete = await fetchLeftOut(detail, options);
      return 'All ballots of all rounds are shown.';
    });
    return fetched.holds ? checkCase(complete, options) : [...checks, fetched];
  }
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
      checks.push(
        await runStep(`${number} judged`, async () => checkJudgedRecord(round, await judged)),
      );
    const opened = {
      kind: 'case.opened',
      receiptId: openedReceiptId,
      sha256: frozenSha256,
      at: frozen.opensAt,
    };
    checks.push(
      await runStep(`${number} opening`, () => checkReceiptFacts(opened, detail, options)),
    );
    if (outcome === null) continue;
    const closed = {
      kind: 'case.closed',
      receiptId: closedReceiptId,
      sha256: recordSha256,
      at: outcome.closedAt,
    };
    checks.push(
      await runStep(`${number} closing`, () => checkReceiptFacts(closed, detail, options)),
    );
  }
  return checks;
}
