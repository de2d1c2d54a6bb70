import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { inject } from 'vitest';
import type { Connection } from '../../../src/db/connection.ts';
import { createDatabase } from '../../support/database.ts';
import { factories } from '../../support/factories.ts';
import {
  createFolder,
  type ServiceProcess,
  startService,
  toDatabaseUrl,
} from '../../support/service.ts';

/*
 * What the review of November 2026 did to the built service, by its numbers. The review called the
 * settings A (every capability, no rate limits), B (defaults) and D (400 descriptors).
 */

/** The settings that the review called A. */
export const everyCapability: Readonly<Record<string, string>> = {
  SELF_SERVICE_ACTIVATION: 'on',
  ISSUANCE_ENABLED: 'on',
  ...Object.fromEntries(
    'INTERACTIONS TRUST REPUTATION ADJUDICATION CREDITS OFFERS TASKS'
      .split(' ')
      .map((name) => [`${name}_ENABLED`, 'on']),
  ),
};

/** The settings that the review called B, where they differ from those of other tests. */
export const defaults: Readonly<Record<string, string>> = { RATE_LIMITS: 'on', LOG_LEVEL: 'info' };

export interface AttackedService {
  readonly service: ServiceProcess;
  readonly f: ReturnType<typeof factories>;
  /** The database as its owner may reach it, past the service. */
  readonly connection: Connection;
}

/** Starts the built service on a new database. */
export async function startAttacked(
  settings: Readonly<Record<string, string>>,
  launcher: readonly string[] = [],
): Promise<AttackedService> {
  const connection = await createDatabase(inject('server'));
  const env = { DATABASE_URL: toDatabaseUrl(connection), DATA_DIR: createFolder(), ...settings };
  const service = await startService(env, launcher);
  return { service, f: factories(service), connection };
}

/** Opens a connection that may break at any time, and leaves what it receives unread. */
export function openSocket(url: string, sent = ''): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  if (sent !== '') socket.write(sent);
  return socket;
}

/** The head of a request as it is sent. */
export const buildHead = (
  url: string,
  line: string,
  headers: Readonly<Record<string, string | number>> = {},
): string =>
  `${line} HTTP/1.1\r\n${Object.entries({ host: new URL(url).host, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** Reads the status of the answer that comes first on a connection; null where none came. */
export const readStatus = (socket: Socket): Promise<number | null> =>
  new Promise((resolve) => {
    socket.once('data', (piece) => resolve(Number(String(piece).split(' ')[1])));
    socket.once('close', () => resolve(null));
  });

/** The most memory that a process ever had resident, in bytes (Linux). */
export const readPeakMemory = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** The processor time that a process has used, in ticks of a hundredth of a second (Linux). */
function readProcessorTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/**
 * Returns what something costs the service, in ticks. Tests compare it with the cost of something
 * harmless in the same process, because no figure holds for every machine.
 */
export async function measureCost(
  { pid }: ServiceProcess,
  act: () => Promise<unknown>,
): Promise<number> {
  const before = readProcessorTicks(pid);
  await act();
  return readProcessorTicks(pid) - before;
}
