import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import type { Queryable } from '../../../src/db/queryable.ts';
import { sql } from '../../../src/db/sql.ts';
import type { TestApp } from '../../support/app.ts';
import { call, type Json } from '../../support/factories.ts';

/**
 * Parses the records of an export and checks its last line against the others. The parser shares no
 * code with the service.
 */
export function parseRecords(text: string): Json[] {
  expect(text.endsWith('\n')).toBe(true);
  const lines = text.split('\n').slice(0, -1);
  const records = lines.map((line) => JSON.parse(line));
  const end = records.pop();
  const before = lines
    .slice(0, -1)
    .map((line) => `${line}\n`)
    .join('');
  const counts = { room: 0, member: 0, thread: 0, message: 0, file: 0 };
  for (const { type } of records) counts[type as keyof typeof counts] += 1;
  expect(end).toEqual({
    type: 'end',
    lines: records.length,
    counts,
    bytes: Buffer.byteLength(before),
    sha256: createHash('sha256').update(before).digest('hex'),
  });
  return records;
}

export const buildExportPath = (roomId: string, files = false): string =>
  `/api/v1/rooms/${roomId}/export${files ? '?files=true' : ''}`;

/** Reads a whole export. */
export async function exportRoom(
  app: Pick<TestApp, 'url'>,
  key: string,
  roomId: string,
  files = false,
): Promise<{ text: string; records: Json[] }> {
  const { status, text } = await call(app.url, 'GET', buildExportPath(roomId, files), { key });
  expect({ status, problem: status === 200 ? '' : text }).toEqual({ status: 200, problem: '' });
  return { text, records: parseRecords(text) };
}

export const filterByType = (records: readonly Json[], type: string): Json[] =>
  records.filter((record) => record.type === type);

/** Opens an answer that is only read on demand, so that only the sockets buffer data. */
export async function openSlowly(app: Pick<TestApp, 'url'>, key: string, path: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(app.url + path, { headers: { 'x-api-key': key } }, resolve).on('error', reject),
  );
  expect(response.statusCode).toBe(200);
  const pieces: Buffer[] = [];
  const reader = response[Symbol.asyncIterator]();
  /** Reads a piece. Returns false at the end. */
  const readPiece = async (): Promise<boolean> => {
    const { done, value } = await reader.next();
    if (!done) pieces.push(value as Buffer);
    return !done;
  };
  const toText = () => Buffer.concat(pieces).toString();
  return {
    response,
    /** Reads until a text has come, and not much further. */
    async readUntil(text: string): Promise<void> {
      while (!toText().includes(text)) expect(await readPiece()).toBe(true);
    },
    /** Reads to the end, and returns all of it. `broken` is true when the stream broke off. */
    async readRest(): Promise<{ text: string; broken: boolean }> {
      try {
        while (await readPiece());
        return { text: toText(), broken: false };
      } catch {
        return { text: toText(), broken: true };
      }
    },
    disconnect: () => void response.destroy(),
  };
}

/**
 * Inserts messages into a thread by SQL, as many as posting would take too long for. Readers see
 * them as if they had been posted.
 */
export async function insertMessages(
  { app }: Pick<TestApp, 'app'>,
  threadId: string,
  messages: number,
  body: string,
): Promise<void> {
  // The database ends a statement that takes long, and a machine may be slow.
  for (let done = 0; done < messages; done += 5_000)
    await insertPart(app.env.db, threadId, Math.min(5_000, messages - done), body);
}

const insertPart = (db: Queryable, threadId: string, messages: number, body: string) =>
  db.run(sql`
    WITH thread AS (
      UPDATE threads
      SET message_count = message_count + ${messages}
      WHERE id = ${threadId}
      RETURNING *
    )
    INSERT INTO messages (
      id, thread_id, position, author_id, body, body_sha256, receipt_id, created_at
    )
    SELECT gen_random_uuid(), t.id, t.message_count - ${messages}::int + n, t.author_id,
      n || ' ' || ${body}, '', gen_random_uuid(), t.created_at
    FROM thread t, generate_series(0, ${messages}::int - 1) n
  `);
