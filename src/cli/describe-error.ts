import { SettingError } from '../config.ts';
import { DatabaseUnavailable, findErrorCode, isUnavailable } from '../db/database-errors.ts';
import { EmbeddedServerError } from '../db/embedded/embedded-server.ts';
import { SchemaTooNew } from '../db/migrate.ts';
import { SigningKeyError } from '../kernel/crypto/signer.ts';

/** A command cannot do what it was asked; the message is a sentence that says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const expectedErrors = [
  CommandError,
  SettingError,
  EmbeddedServerError,
  SchemaTooNew,
  SigningKeyError,
];

/**
 * SQLSTATE classes 28 (the credential) and 3D (no such database): the address of the database is
 * wrong.
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
 * What a person can mend, as one sentence without a secret; undefined for a defect, which keeps its
 * stack.
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
