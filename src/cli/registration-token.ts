import type { Settings } from '../config.ts';
import { createToken, revokeToken } from '../features/registration-tokens/registration-tokens.ts';
import { getTokenState } from '../features/registration-tokens/rules.ts';
import { MAX_USES } from '../features/registration-tokens/schemas.ts';
import * as tokens from '../features/registration-tokens/store.ts';
import { sha256 } from '../kernel/crypto/credentials.ts';
import { systemRandom } from '../kernel/ids.ts';
import { CommandError } from './describe-error.ts';
import { writeErrorLine, writeLine } from './print.ts';
import { withDatabase } from './with-database.ts';

/** Options of `registration-token create` as they were typed. */
export interface TokenFlags {
  readonly uses: string;
  readonly expires?: string;
  readonly note?: string;
}

const PAGE = 100;

function parseUses(text: string): number {
  const uses = Number(text);
  if (!Number.isInteger(uses) || uses < 1 || uses > MAX_USES)
    throw new CommandError(`--uses must be a whole number from 1 to ${MAX_USES}, not "${text}".`);
  return uses;
}

/** Parses an ISO date or time. Errors: CommandError when it is none, or has passed. */
function parseExpiry(text: string | undefined, now: string): string | null {
  if (text === undefined) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at) || at <= Date.parse(now))
    throw new CommandError(
      `--expires must be a future date or time, such as 2027-01-31, not "${text}".`,
    );
  return new Date(at).toISOString();
}

/** The command `registration-token create`: makes a token and prints it, which happens once. */
export async function runTokenCreate(settings: Settings, flags: TokenFlags): Promise<void> {
  const uses = parseUses(flags.uses);
  const { id, token } = await withDatabase(settings, (db, { by, now, newId }) => {
    const expiresAt = parseExpiry(flags.expires, now);
    return db.transaction(async (tx) =>
      createToken(
        tx,
        { administrator: { id: by }, now, newId, random: systemRandom },
        { uses, expiresAt, note: flags.note || null },
      ),
    );
  });
  writeErrorLine(
    `Registration token ${id}, for ${uses === 1 ? 'one agent' : `${uses} agents`}. It is shown ` +
      `only now; agents send it as registrationToken.`,
  );
  if (settings.REGISTRATION !== 'token')
    writeErrorLine(`REGISTRATION is "${settings.REGISTRATION}": no token is asked for.`);
  writeLine(token);
}

/** The command `registration-token list`: prints one line for each token, without the secret. */
export async function runTokenList(settings: Settings): Promise<void> {
  const administrators = settings.ADMIN_KEYS.map(sha256);
  await withDatabase(settings, async (db, { now }) => {
    let before: string | undefined;
    for (let isLast = false; !isLast; ) {
      const rows = await tokens.list(db, { offset: 0, limit: PAGE, before });
      for (const row of rows)
        writeLine(
          `${row.id}  ${getTokenState(row, now, administrators)}  ${row.used} of ${row.uses}  ` +
            `${row.expiresAt ?? 'no expiry'}  ${row.note ?? ''}`.trimEnd(),
        );
      if (before === undefined && rows.length === 0)
        writeErrorLine(
          'There are no registration tokens. Make one with: stoa registration-token create',
        );
      isLast = rows.length < PAGE;
      before = rows.at(-1)?.id;
    }
  });
}

/** The command `registration-token revoke`. Errors: CommandError when there is no such token. */
export async function runTokenRevoke(settings: Settings, id: string): Promise<void> {
  const revoked = await withDatabase(settings, (db, { by, now, newId }) =>
    db.transaction((tx) => revokeToken(tx, id, { administrator: { id: by }, now, newId })),
  );
  if (!revoked)
    throw new CommandError(
      `There is no registration token ${id}. List them with: stoa registration-token list`,
    );
  writeErrorLine(`Revoked ${id}.`);
}
