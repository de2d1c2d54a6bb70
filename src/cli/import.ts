import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { parseUrl } from '../../client/src/receipts/parse-url.ts';
import { isLoopback } from '../http/admission/host-check.ts';
import { checkFile } from '../import/check/check-file.ts';
import { ImportError } from '../import/import-error.ts';
import { runImport } from '../import/run-import.ts';
import { writeErrorLine, writeLine, writeLines } from './print.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The flags of the command `import`, as they were typed. */
export interface ImportFlags {
  readonly url?: string;
  readonly check?: true;
  readonly adminKey?: string;
  readonly posters: string;
  readonly state?: string;
}

function parseAddress(text: string | undefined): string {
  if (text === undefined)
    throw new ImportError(
      'Say where to: --url with the address of the installation, or --check to only read the file.',
    );
  const url = parseUrl(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new ImportError(`--url must be an address such as http://127.0.0.1:8080, not "${text}".`);
  return url.href.replace(/\/+$/, '');
}

/**
 * Asserts that the administrator key of the environment may be sent to an installation: an import
 * often goes to another one than the key belongs to. Errors: ImportError.
 */
function assertKeyIsFor(
  url: string,
  { STOA_ADMIN_KEY: key, STOA_URL: home = '' }: Variables,
): void {
  const { origin, hostname } = new URL(url);
  const isHere = isLoopback(hostname.replace(/^\[|\]$/g, ''));
  if (!key || parseUrl(home)?.origin === origin || isHere) return;
  throw new ImportError(
    `STOA_ADMIN_KEY is not sent to ${origin}: set STOA_URL to the address that it is for, or ` +
      'unset it.',
  );
}

function parsePosters(text: string): number {
  if (!/^[1-9]\d?$/.test(text))
    throw new ImportError(`--posters must be a whole number from 1 to 99, not "${text}".`);
  return Number(text);
}

/**
 * Returns a function that builds the path of the state file from the hash of the imported file.
 * Each file and address has its own state, in the user's folder for state files.
 */
const buildStatePath =
  (folder: string | undefined, file: string, url: string) => (sha256: string) => {
    const name = basename(file)
      .replaceAll(/[^\w.-]/g, '_')
      .slice(0, 60);
    const hash = createHash('sha256').update(`${sha256} ${url}`).digest('hex').slice(0, 16);
    return join(
      folder || join(homedir(), '.local', 'state'),
      'stoa',
      `import-${name}-${hash}.ndjson`,
    );
  };

/**
 * The command `import`. The exit code is 1 if the file is incomplete, or something is missing on
 * the service that should be there. Refused entries, which the service can never accept, are only
 * reported.
 */
export async function importFile(
  file: string,
  flags: ImportFlags,
  environment: Variables,
): Promise<void> {
  try {
    if (flags.check) {
      const url = flags.url === undefined ? undefined : parseAddress(flags.url);
      const { fits, lines } = await checkFile(file, url);
      for (const line of lines) writeLine(line);
      if (!fits) process.exitCode = 1;
      return;
    }
    const url = parseAddress(flags.url);
    const { state, adminKey } = flags;
    if (adminKey === undefined) assertKeyIsFor(url, environment);
    const toStatePath =
      state === undefined ? buildStatePath(environment.XDG_STATE_HOME, file, url) : () => state;
    const { report, table } = await runImport(
      {
        file,
        url,
        adminKey: adminKey ?? (environment.STOA_ADMIN_KEY || undefined),
        posters: parsePosters(flags.posters),
        toStatePath,
      },
      { out: process.stderr },
    );
    writeLines(table);
    if (report.refusals > 0)
      writeLine(
        `refused    ${report.refusals}, told above with line and reason: the service can ` +
          `never take them`,
      );
    if (report.refusedFiles > 0)
      writeLine(`refused    ${report.refusedFiles} files, told above with line and reason`);
    if (report.faults > 0) {
      writeLine(
        `FAILED     ${report.faults} faults, told above. Mend what they name and run the ` +
          `same command again.`,
      );
      process.exitCode = 1;
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    writeErrorLine(error.message);
    process.exitCode = 1;
  }
}
