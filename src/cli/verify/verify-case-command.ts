import { checkCase } from '../../../client/src/cases/check-case.ts';
import type { CaseCheck } from '../../../client/src/cases/verify-case.ts';
import { escapeControls } from '../../../client/src/escape-controls.ts';
import { fetchText } from '../../../client/src/receipts/check-receipt.ts';
import { parseUrl } from '../../../client/src/receipts/parse-url.ts';
import { ReceiptError } from '../../../client/src/receipts/verify-receipt.ts';
import { StoaError } from '../../kernel/errors.ts';
import { parseBody } from '../../kernel/schema/json.ts';
import { CommandError } from '../describe-error.ts';
import { writeLine } from '../print.ts';
import { chooseKey, KEY_HINT } from './choose-key.ts';

/** The flags of the command `verify-case`. */
export interface VerifyCaseFlags {
  readonly url: string;
  readonly issuer?: string;
  readonly apiKey?: string;
}

/** The most bytes of a case, which may have many rounds and much evidence. */
const MAX_BYTES = 64 * 1024 * 1024;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

function parseOrigin(flag: string, text: string): string {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CommandError(
      `${flag} must be an address such as https://stoa.example.org, not "${text}".`,
    );
  return url.origin;
}

/** Returns the id of the case and the address of its installation. Errors: CommandError. */
function locateCase(target: string, url: string): { readonly id: string; readonly at: string } {
  const [id] = UUID.exec(target) ?? [];
  if (id === undefined)
    throw new CommandError(`"${target}" names no case: give its id, or its address.`);
  return {
    id,
    at: /^https?:/i.test(target)
      ? parseOrigin('The address of the case', target)
      : parseOrigin('--url', url),
  };
}

async function loadCase(address: string, apiKey: string | undefined): Promise<unknown> {
  try {
    return parseBody(Buffer.from(await fetchText(address, { apiKey }, MAX_BYTES)));
  } catch (error) {
    if (error instanceof ReceiptError) {
      const isHidden = apiKey === undefined && error.message.includes('answers 404');
      throw new CommandError(isHidden ? `${error.message} ${KEY_HINT}` : error.message);
    }
    if (error instanceof StoaError)
      throw new CommandError(`${address} answers with no case: ${escapeControls(error.message)}`);
    throw error;
  }
}

const marks = new Map([
  [true, 'ok   '],
  [false, 'WRONG'],
  [null, '?    '],
]);

/** Prints the checks, and returns whether none of them failed. */
function printChecks(checks: readonly CaseCheck[]): boolean {
  for (const { name, holds, text } of checks)
    writeLine(`${marks.get(holds)} ${name.padEnd(10)} ${text}`);
  writeLine();
  if (checks.some(({ holds }) => holds === false)) {
    writeLine('NOT PROVEN. Do not rely on this case.');
    return false;
  }
  writeLine('Proven: what was frozen, who voted what, and that the result follows from it.');
  writeLine(
    'Not proven: that the result is true, or what the installation knew about voters: when ' +
      'they registered, who was blocked, who runs whom.',
  );
  if (checks.some(({ holds }) => holds === null))
    writeLine(
      'Not proven either: that what you are shown of it is what was judged, where it says "?".',
    );
  return true;
}

/**
 * The command `verify-case`: recomputes a case and prints step by step what agrees. The exit code
 * is 0 only if no check fails.
 */
export async function verifyCaseCommand(
  target: string,
  { url, issuer, apiKey: flag }: VerifyCaseFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { id, at } = locateCase(target, url);
  const apiKey = chooseKey(at, { flag, environment });
  const value = await loadCase(`${at}/api/v1/adjudication/cases/${id}`, apiKey);
  const checks = await checkCase(value, {
    at,
    issuer: issuer === undefined ? at : parseOrigin('--issuer', issuer),
    apiKey,
  });
  const named = (value as { id?: unknown }).id === id.toLowerCase();
  if (
    !printChecks(
      named
        ? checks
        : [{ name: 'case', holds: false, text: `The installation shows another case than ${id}.` }],
    )
  )
    process.exitCode = 1;
}
