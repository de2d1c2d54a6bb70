import { fetchText } from '../../client/check-receipt.ts';
import { parseUrl } from '../../client/url.ts';
import { type CaseCheck, checkCase } from '../../client/verify-case.ts';
import { ReceiptError } from '../../client/verify-receipt.ts';
import { StoaError } from '../kernel/errors.ts';
import { parseBody } from '../kernel/json.ts';
import { CommandError } from './sentence-of.ts';

export interface VerifyCaseFlags {
  readonly url?: string;
  readonly issuer?: string;
  readonly apiKey?: string;
}

/** A case with all of its ballots may be large. */
const MAX_BYTES = 256 * 1024 * 1024;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

const say = (line = '') => process.stdout.write(`${line}\n`);

function originOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new CommandError(`${flag} must be an address such as https://stoa.example.org, not "${text}".`);
  return url.origin;
}

/** Which case, and where. Errors: CommandError. */
function placeOf(target: string, url: string | undefined): { readonly id: string; readonly at: string } {
  const [id] = UUID.exec(target) ?? [];
  if (id === undefined) throw new CommandError(`"${target}" names no case: give its id, or its address.`);
  const at = /^https?:/i.test(target) ? originOf('The address of the case', target) : originOf('--url', url);
  if (at === undefined) throw new CommandError('Which installation? Give --url, such as https://stoa.example.org, or the address of the case.');
  return { id, at };
}

async function load(address: string, apiKey: string | undefined): Promise<unknown> {
  try {
    return parseBody(Buffer.from(await fetchText(address, { apiKey }, MAX_BYTES)));
  } catch (error) {
    if (error instanceof ReceiptError) throw new CommandError(error.message);
    if (error instanceof StoaError) throw new CommandError(`${address} answers with no case: ${error.message}`);
    throw error;
  }
}

function tell(checks: readonly CaseCheck[]): void {
  for (const { name, holds, text } of checks) say(`${holds ? 'ok   ' : 'WRONG'} ${name.padEnd(10)} ${text}`);
  say();
  if (checks.some(({ holds }) => !holds)) {
    say('NOT PROVEN. Do not rely on this case.');
    return;
  }
  say('Proven: what was frozen, who voted what, and that the result follows from it.');
  say('Not proven: that the result is true, or what the installation knew about voters: when they registered, who was blocked, who runs whom.');
}

/** The command `verify-case`: computes a case again and says step by step what agrees. Exit code 0 only if all of it does. */
export async function verifyCaseCommand(target: string, { url, issuer, apiKey }: VerifyCaseFlags): Promise<void> {
  const { id, at } = placeOf(target, url);
  const value = await load(`${at}/api/v1/adjudication/cases/${id}`, apiKey);
  const checks = await checkCase(value, { at, issuer: originOf('--issuer', issuer) ?? at, apiKey });
  const named = (value as { id?: unknown }).id === id.toLowerCase();
  tell(named ? checks : [{ name: 'case', holds: false, text: `The installation shows another case than ${id}.` }]);
  if (!named || checks.some(({ holds }) => !holds)) process.exitCode = 1;
}
