import { join, raw } from 'sql-template-tag';
import { sql } from '../../src/db/sql.ts';
import type { AnyOperation } from '../../src/kernel/operation/any-operation.ts';
import { listScopes, type Scope } from '../../src/kernel/scopes.ts';
import { operations } from '../../src/operations.ts';
import type { TestApp } from '../support/app.ts';
import {
  type Answer,
  call,
  createContextKey,
  type factories,
  type Json,
  type RequestOptions,
  type SentFile,
  type TestAgent,
} from '../support/factories.ts';
import { backgroundTables, withoutBackgroundColumns } from '../support/stored-rows.ts';

/**
 * The registry as the tests over all operations walk it: what is added there is tested or fails
 * here.
 */
export const registry = operations as unknown as readonly AnyOperation[];

export const getOperation = (name: string): AnyOperation => {
  const found = registry.find((operation) => operation.name === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
};

/** The scope that a key for the operation usually has; of several, the first. */
export const getUsualScope = ({ scope }: Pick<AnyOperation, 'scope'>): Scope | undefined =>
  listScopes(scope)[0];

/** The header in which an operation looks for its credential. */
export const getCredentialHeader = ({ auth }: Pick<AnyOperation, 'auth'>): string =>
  auth === 'admin' ? 'x-admin-key' : auth === 'context' ? 'x-context-key' : 'x-api-key';

/**
 * A credential that the operation takes: that of this agent, of an administrator, or of a context
 * that nobody used yet.
 */
export function buildCredential({ auth }: Pick<AnyOperation, 'auth'>, key: string): RequestOptions {
  if (auth === 'admin') return { admin: true };
  return auth === 'context' ? { context: createContextKey() } : { key };
}

/** Input of a call; whatever is not an operation's own is refused by the service. */
export interface OperationInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly file?: SentFile;
}

/** The path of an operation with its parameters and query filled in. */
export function fillPath(
  { path }: { readonly path: string },
  { params = {}, query = {} }: OperationInput,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? (name === 'service' ? 'service' : '')),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return search ? `${filled}?${search}` : filled;
}

/** A body as a browser sends a form. */
function toFormRequest({ body, raw, ...options }: RequestOptions): RequestOptions {
  const fields = new URLSearchParams(
    Object.entries((body ?? {}) as object).map(([name, value]): [string, string] => [
      name,
      String(value ?? ''),
    ]),
  );
  return {
    ...options,
    raw: raw ?? fields.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...options.headers },
  };
}

/**
 * Calls an operation over HTTP. Of a stream only the head is read; of a page's refusal, the problem
 * that it tells of.
 */
export async function callOperation(
  url: string,
  operation: AnyOperation,
  input: OperationInput,
  options: RequestOptions = {},
): Promise<Answer<Json>> {
  const path = fillPath(operation, input);
  const page = 'media' in operation && operation.media === 'text/html';
  const given = page
    ? { ...options, headers: { accept: 'application/problem+json', ...options.headers } }
    : options;
  const request = {
    ...('body' in input && { body: input.body }),
    ...(input.file && { file: input.file }),
    ...given,
  };
  if (operation.kind === 'form') return call(url, operation.method, path, toFormRequest(request));
  if (operation.kind !== 'stream') return call(url, operation.method, path, request);
  const { status, headers } = await call(url, 'HEAD', path, request);
  return status === 200
    ? { status, headers, text: '', body: undefined }
    : call(url, 'GET', path, request);
}

/** How an answer ended: "ok" or its code. */
export const toOutcomeCode = ({ status, body }: Answer<Json>): string =>
  status === 200 ? 'ok' : body.code;

export interface Fixture {
  readonly owner: TestAgent;
  /** Member of both rooms. */
  readonly member: TestAgent;
  readonly outsider: TestAgent;
  /** Was a member of both rooms until the owner removed it. */
  readonly removed: TestAgent;
  /** A member of both rooms that an administrator blocked. */
  readonly blocked: TestAgent;
  readonly publicRoom: string;
  readonly privateRoom: string;
  /** Threads by their own visibility and that of their room; all were started by the owner. */
  readonly threads: {
    readonly open: string;
    readonly membersOnly: string;
    readonly listed: string;
    readonly hidden: string;
  };
}

/** Two rooms, four threads and everyone who can stand to them in a different way. */
export async function createFixture(f: ReturnType<typeof factories>): Promise<Fixture> {
  const [owner, member, outsider, removed, blocked] = await Promise.all([
    f.createAgent(),
    f.createAgent(),
    f.createAgent(),
    f.createAgent(),
    f.createAgent(),
  ]);
  const [publicRoom, privateRoom] = await Promise.all([
    f.createRoom(owner, 'public'),
    f.createRoom(owner, 'private'),
  ]);
  for (const guest of [member, removed, blocked]) {
    await f.joinRoom(guest, publicRoom);
    await f.addMember(owner, privateRoom, guest);
  }
  const [open, membersOnly, listed, hidden] = await Promise.all([
    f.createThread(owner, publicRoom, { visibility: 'public' }),
    f.createThread(owner, publicRoom, { visibility: 'private' }),
    f.createThread(owner, privateRoom, { visibility: 'public' }),
    f.createThread(owner, privateRoom, { visibility: 'private' }),
  ]);
  for (const room of [publicRoom, privateRoom])
    await f.ok('DELETE', `/api/v1/rooms/${room}/members/${removed.id}`, { key: owner.key });
  await f.ok('PUT', `/api/v1/admin/agents/${blocked.id}/block`, {
    admin: true,
    body: { blocked: true },
  });
  return {
    owner,
    member,
    outsider,
    removed,
    blocked,
    publicRoom,
    privateRoom,
    threads: { open, membersOnly, listed, hidden },
  };
}

/**
 * Rows and their digest, by table, in one statement: the same before and after whatever left
 * nothing behind.
 */
export async function digestTables({ app }: TestApp): Promise<Readonly<Record<string, string>>> {
  const { db } = app.env;
  const tables = await db.rows<{ name: string }>(sql`
    SELECT tablename AS name
    FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> ALL(${backgroundTables}::text[])
  `);
  const digests = tables.map(({ name }) => {
    const row = sql`(${withoutBackgroundColumns(name, 't')})::text`;
    return sql`
      SELECT ${name}::text AS name,
        count(*) || ' ' || md5(string_agg(${row}, '' ORDER BY ${row})) AS rows
      FROM ${raw(name)} t
    `;
  });
  const rows = await db.rows<{ name: string; rows: string }>(join(digests, ' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
}
