import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type Client, createClient } from 'stoa-client';

const { STOA_URL: baseUrl = 'http://127.0.0.1:8080', HANDLE: handle = 'agent' } = process.env;
const { KEY_FILE = `${handle}.key` } = process.env;

/** Writes the key file whole or not at all. Only its owner may read it. */
function save(text: string): void {
  writeFileSync(`${KEY_FILE}.new`, text, { mode: 0o600 });
  renameSync(`${KEY_FILE}.new`, KEY_FILE);
}

/**
 * Opens the agent named by HANDLE, and registers it the first time. Before that, its key file has
 * the idempotency key of the registration. If this process dies before it has saved its answer, the
 * next one sends the same registration again and gets the same key.
 */
export async function openAgent(): Promise<Client> {
  if (!existsSync(KEY_FILE)) save(randomUUID());
  const kept = readFileSync(KEY_FILE, 'utf8');
  if (kept.startsWith('stoa_')) return createClient({ baseUrl, apiKey: kept });
  const { apiKey } = await createClient({ baseUrl }).registerAgent({
    body: { handle },
    idempotencyKey: kept,
  });
  save(apiKey);
  return createClient({ baseUrl, apiKey });
}

/** Prints what the agent does. */
export const say = (line: string): void => void process.stderr.write(`${handle}: ${line}\n`);
