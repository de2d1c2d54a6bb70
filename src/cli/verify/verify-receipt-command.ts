import { readFile } from 'node:fs/promises';
import { checkReceipt, fetchText } from '../../../client/src/receipts/check-receipt.ts';
import { parseUrl } from '../../../client/src/receipts/parse-url.ts';
import { ReceiptError, type Verdict } from '../../../client/src/receipts/verify-receipt.ts';
import { StoaError } from '../../kernel/errors.ts';
import { parseBody } from '../../kernel/schema/json.ts';
import { CommandError } from '../describe-error.ts';
import { writeLine } from '../print.ts';
import { chooseKey, KEY_HINT } from './choose-key.ts';

/** The flags of the command `verify-receipt`. */
export interface VerifyReceiptFlags {
  readonly issuer?: string;
  readonly at?: string;
  readonly apiKey?: string;
}

const isAddress = (target: string): boolean => /^https?:\/\//i.test(target);

/** Returns the address of a receipt's data, given that of its page. */
const toDocumentAddress = (address: string): string =>
  /\/e\/[0-9a-f-]{36}$/i.test(address) ? `${address}.json` : address;

/**
 * Loads a receipt from a file or an address. It refuses JSON that two readers could read
 * differently: repeated members, numbers that are too large, unpaired surrogates.
 */
async function loadReceipt(target: string, apiKey: string | undefined): Promise<unknown> {
  const bytes = isAddress(target)
    ? Buffer.from(await fetchText(toDocumentAddress(target), { apiKey }))
    : await readFile(target);
  return parseBody(bytes);
}

function printVerdict({ holds, checks, view }: Verdict): void {
  for (const { name, fault, text } of checks)
    writeLine(
      `${fault === null ? 'ok   ' : 'WRONG'} ${name.padEnd(10)} ` +
        `${text}${fault === null ? '' : ` (${fault})`}`,
    );
  writeLine();
  if (!holds || !view) {
    writeLine('NOT PROVEN. Do not rely on this receipt.');
    return;
  }
  const { payload } = view.receipt;
  const actor = payload.actor
    ? `@${payload.actor.handle}`
    : 'no agent: an administrator or the service itself';
  writeLine(
    `Proven: ${payload.iss} (realm "${payload.realm}") recorded "${payload.kind}" by ${actor}`,
  );
  writeLine(
    `        at ${payload.occurredAt}, about the ${payload.subject.type} ${payload.subject.id},`,
  );
  writeLine(
    `        with content of the SHA-256 ${payload.contentSha256}, and put it into its log.`,
  );
  writeLine(
    'Not proven: that what was said is true, who stands behind an agent, that the time is ' +
      'right, or that the log shows everyone the same',
  );
  writeLine('        (for that, witnesses compare its checkpoints: stoa verify-log).');
}

/** Describes an error that prevented a verdict, if a person can correct it; undefined otherwise. */
function describeFailure(error: unknown, target: string): string | undefined {
  if (error instanceof ReceiptError) return `${error.message} (${error.code})`;
  if (error instanceof StoaError) {
    const reason = error.message.replace(/^\/body:? ?/, '');
    return `${target} is not a receipt: ${reason} (not_a_receipt)`;
  }
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES'
    ? `The file ${target} cannot be read (${code}).`
    : undefined;
}

/** Parses an address from the command line. Errors: CommandError. */
function parseAddress(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = isAddress(text) ? parseUrl(text) : null;
  if (!url)
    throw new CommandError(
      `${flag} must be an address such as https://stoa.example.org, not "${text}".`,
    );
  return url.origin;
}

/**
 * The command `verify-receipt`: prints step by step what was checked, and what that proves. The
 * exit code is 0 only if all checks succeed.
 */
export async function verifyReceiptCommand(
  target: string,
  flags: VerifyReceiptFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const issuer = parseAddress('--issuer', flags.issuer);
  const at = parseAddress('--at', flags.at);
  if (at !== undefined && issuer === undefined)
    throw new CommandError(
      'With --at, say by --issuer whose receipts you trust there: else the receipt itself would ' +
        'say who issued it.',
    );
  // Whoever gives an address trusts the installation at that address, and no other.
  const origin = isAddress(target) ? parseAddress('The address of the receipt', target) : undefined;
  // The key is sent only to an address from the command line, never to one from a file.
  const home = at ?? issuer ?? origin;
  const key = chooseKey(home, { flag: flags.apiKey, environment });
  try {
    const value = await loadReceipt(target, origin === home ? key : undefined);
    const verdict = await checkReceipt(value, {
      issuer: issuer ?? origin,
      at,
      apiKey: key,
    });
    printVerdict(verdict);
    if (!verdict.holds) process.exitCode = 1;
  } catch (error) {
    const sentence = describeFailure(error, target);
    if (sentence === undefined) throw error;
    const isHidden = key === undefined && sentence.includes('answers 404');
    throw new CommandError(isHidden ? `${sentence} ${KEY_HINT}` : sentence);
  }
}
