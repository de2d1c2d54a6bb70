import type { CaseDetail } from '../generated/operation-types.ts';
import { ReceiptError } from '../receipts/receipt-fault.ts';
import {
  assertThat,
  checkBallots,
  checkChain,
  checkComplete,
  checkCounting,
  checkEvidence,
  checkFrozen,
  checkRecord,
  checkResult,
  Disagreement,
  NotCheckable,
} from './case-checks.ts';
import { hasQuotableForm } from './case-form.ts';

/** One step of the verification, with its result in words. */
export interface CaseCheck {
  readonly name: string;
  /** Null if the shown content is not sufficient to decide; the text says why. */
  readonly holds: boolean | null;
  readonly text: string;
}

/** Runs one step and returns its result. */
export async function runStep(
  name: string,
  work: () => string | Promise<string>,
): Promise<CaseCheck> {
  try {
    return { name, holds: true, text: await work() };
  } catch (error) {
    if (error instanceof NotCheckable) return { name, holds: null, text: error.message };
    if (error instanceof Disagreement || error instanceof ReceiptError)
      return { name, holds: false, text: error.message };
    // A value without the form of a case lacks members, which causes these errors.
    if (error instanceof TypeError || error instanceof SyntaxError)
      return { name, holds: false, text: 'It does not have the form of a case.' };
    throw error;
  }
}

/**
 * Recomputes a case, the response of GET /api/v1/adjudication/cases/{id}: the digests, evidence,
 * ballots, votes and results of all rounds. It fetches nothing; `checkCase` also checks the
 * receipts and the judged interaction, and fetches ballots that the response leaves out
 * (`ballotsLeftOut`). A wrong case is a list with failed steps, not an error.
 *
 * @example
 * import { readFile } from 'node:fs/promises';
 * import { verifyCase } from 'stoa-client/cases';
 *
 * const checks = await verifyCase(JSON.parse(await readFile('case.json', 'utf8')));
 * for (const { name, holds, text } of checks) console.log(name, holds, text);
 */
export async function verifyCase(value: unknown): Promise<CaseCheck[]> {
  const detail = value as CaseDetail;
  const chain = await runStep('rounds', () => {
    assertThat(hasQuotableForm(detail), 'It does not have the form of a case.');
    return checkChain([...detail.rounds], detail);
  });
  const checks = [chain];
  if (!chain.holds) return checks;
  for (const round of detail.rounds) {
    const { number, outcome } = round;
    checks.push(await runStep(`${number} frozen`, () => checkFrozen(round, detail)));
    checks.push(await runStep(`${number} evidence`, () => checkEvidence(round, detail)));
    if (outcome === null) continue;
    checks.push(await runStep(`${number} ballots`, () => checkBallots(round, outcome)));
    checks.push(await runStep(`${number} complete`, () => checkComplete(round, outcome)));
    if (checks.at(-1)?.holds === null) continue;
    checks.push(await runStep(`${number} counting`, () => checkCounting(outcome)));
    checks.push(await runStep(`${number} result`, () => checkResult(round, outcome)));
    checks.push(await runStep(`${number} record`, () => checkRecord(round, outcome)));
  }
  return checks;
}
