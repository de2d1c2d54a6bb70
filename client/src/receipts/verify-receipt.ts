import {
  checkCanonical,
  checkFacts,
  checkHeader,
  checkIssuer,
  checkKey,
  checkLog,
  checkSignature,
  failCheck,
  type Trust,
} from './receipt-checks.ts';
import { ReceiptError, type ReceiptFault } from './receipt-fault.ts';
import { type CheckedView, readView } from './receipt-form.ts';

export { isSignedBy, type Trust } from './receipt-checks.ts';
export { ReceiptError, type ReceiptFault } from './receipt-fault.ts';
export type { CheckedView } from './receipt-form.ts';

/** The names of the steps in their order. */
export const checkNames = [
  'form',
  'canonical',
  'issuer',
  'header',
  'key',
  'signature',
  'facts',
  'log',
  'state',
] as const;
/** The name of a step. */
export type CheckName = (typeof checkNames)[number];

/** One step of the verification, with its result in words. No step follows a failed one. */
export interface Check {
  readonly name: CheckName;
  readonly fault: ReceiptFault | null;
  readonly text: string;
}

/** The result of a verification. */
export interface Verdict {
  readonly holds: boolean;
  readonly checks: readonly Check[];
  /** The receipt; null if the value does not have the form of one. */
  readonly view: CheckedView | null;
}

/** The steps in their order. They depend on their arguments only. */
const receiptChecks: readonly (readonly [
  CheckName,
  (view: CheckedView, trust: Trust) => string | Promise<string>,
])[] = [
  ['canonical', checkCanonical],
  ['issuer', checkIssuer],
  ['header', checkHeader],
  ['key', checkKey],
  ['signature', checkSignature],
  ['facts', checkFacts],
  ['log', checkLog],
];

/** Runs one step and returns its result. */
async function runStep(name: CheckName, work: () => string | Promise<string>): Promise<Check> {
  try {
    return { name, fault: null, text: await work() };
  } catch (error) {
    if (!(error instanceof ReceiptError)) throw error;
    return { name, fault: error.code, text: error.message };
  }
}

/**
 * Verifies the view of a receipt (the response of `/e/{id}.json`, or a file of it) with trusted
 * keys. It fetches nothing and does not look at the present state, which `checkCurrent` does. A
 * wrong receipt is a verdict, not an error.
 *
 * @example
 * import { type Trust, verifyReceipt } from 'stoa-client/receipts';
 *
 * export const explain = async (text: string, trust: Trust): Promise<string | undefined> =>
 *   (await verifyReceipt(JSON.parse(text), trust)).checks.at(-1)?.text;
 */
export async function verifyReceipt(value: unknown, trust: Trust): Promise<Verdict> {
  let view: CheckedView | null = null;
  const form = await runStep('form', () => {
    view = readView(value);
    return 'It has the form of a receipt.';
  });
  const checks = [form];
  for (const [name, check] of receiptChecks) {
    if (view === null || checks.some(({ fault }) => fault !== null)) break;
    checks.push(await runStep(name, () => check(view as CheckedView, trust)));
  }
  return { holds: checks.every(({ fault }) => fault === null), checks, view };
}

const stateTexts = {
  current: 'is unchanged',
  superseded: 'was superseded',
  withdrawn: 'was withdrawn by its author',
  deleted: 'was deleted',
};

/**
 * Runs the last step: it compares the receipt with the one that the installation shows now, and
 * returns the present state of its subject.
 *
 * @example
 * import { type CheckedView, checkCurrent } from 'stoa-client/receipts';
 *
 * export async function showState(view: CheckedView): Promise<void> {
 *   const now = await fetch(`https://stoa.example.org/e/${view.id}.json`);
 *   console.log((await checkCurrent(view, await now.json())).text);
 * }
 */
export const checkCurrent = (view: CheckedView, now: unknown): Promise<Check> =>
  runStep('state', () => {
    const fresh = readView(now);
    if (fresh.id !== view.id || fresh.receipt.jws !== view.receipt.jws)
      throw failCheck(
        'receipt_changed',
        'The installation now shows another receipt or another signature of it: keep both.',
      );
    return (
      'The installation now says that the subject of the receipt ' +
      `${stateTexts[fresh.current.state]}. That is not signed.`
    );
  });
