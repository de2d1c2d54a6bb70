import { DatabaseUnavailable, findErrorCode, isUnavailable } from '../db/database-errors.ts';
import { EmbeddedServerError } from '../db/embedded/embedded-server.ts';
import { RestoreUnfinished, SchemaTooNew } from '../db/migrate.ts';
import { SigningKeyError } from '../kernel/crypto/signer.ts';
import { SettingError } from '../setting-parsers.ts';

/** A command cannot do what was requested. The message is a sentence that says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const expectedErrors = [
  CommandError,
  SettingError,
  EmbeddedServerError,
  SchemaTooNew,
  RestoreUnfinished,
  SigningKeyError,
];

/**
 * Whether the address of the database is wrong: SQLSTATE classes 28 (invalid credential) and 3D (no
 * such database).
 */
const isConnectionRefused = (code: string): boolean => /^(28|3D)/.test(code);

interface NetworkError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

function describeNetworkError({ code, address, port, hostname }: NetworkError): string | undefined {
  const where = `${address}:${port}`;
  if (code === 'EADDRINUSE')
    return (
      `Another program listens on ${where}: stop it, or set PORT (or METRICS_PORT) to another ` +
      'port.'
    );
  if (code === 'EADDRNOTAVAIL')
    return (
      `This machine has no address ${address}: set HOST to one that it has, such as 127.0.0.1 ` +
      'or 0.0.0.0.'
    );
  if (code === 'ENOTFOUND')
    return `No machine is known as ${hostname}: correct HOST or DATABASE_URL.`;
  if (code === 'EACCES') return `You may not listen on ${where}: set PORT to a port above 1023.`;
  return undefined;
}

/**
 * Describes an error that a person can correct, in one sentence without a secret. Returns undefined
 * for a defect, which is reported with its stack.
 */
export function describeError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (expectedErrors.some((type) => error instanceof type)) return error.message;
  const { syscall } = error as NetworkError;
  if (syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo')
    return describeNetworkError(error);
  const cause =
    error instanceof DatabaseUnavailable && error.cause instanceof Error ? error.cause : error;
  if (isUnavailable(cause) || isConnectionRefused(findErrorCode(cause)))
    return `The database cannot be used (${cause.message}): start it, or correct DATABASE_URL.`;
  return undefined;
}
