import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { SiteDatabase } from '../faults/site-database.ts';
import { findFreePort } from '../find-free-port.ts';
import {
  buildPatroniSettings,
  buildProxySettings,
  type ClusterFacts,
  type Member,
} from './cluster-settings.ts';
import { giveAway, type Program, startProgram } from './program.ts';

const MEMBERS = 3;
const READY_MS = 60_000;
const BETWEEN_LOOKS_MS = 100;
const PROGRAMS = '/usr/lib/postgresql';

/** A server of the cluster, and the Patroni that runs it. */
export interface RunningMember extends Member {
  readonly patroni: Program;
}

/** A cluster of PostgreSQL that elects a new primary when the old one dies. */
export interface Cluster extends SiteDatabase {
  /** Waits for a primary, other than the one that is named, and returns it. */
  waitForPrimary(other?: string): Promise<RunningMember>;
  /** Waits until all servers are there, and one of them is a synchronous standby. */
  waitUntilWhole(): Promise<void>;
  /** Connects to one server as the superuser. */
  connect(member: Member): Promise<pg.Client>;
}

/** Turns until `look` finds something. Errors: Error when it has not after a minute. */
async function lookFor<Found>(what: string, look: () => Promise<Found | null>): Promise<Found> {
  const late = Date.now() + READY_MS;
  for (;;) {
    const found = await look().catch(() => null);
    if (found !== null) return found;
    if (Date.now() > late) throw new Error(`After ${READY_MS} ms there is no ${what}.`);
    await sleep(BETWEEN_LOOKS_MS);
  }
}

/** Asks Patroni, which answers 200 where the server has the role. */
async function hasRole({ apiPort }: Member, role: 'primary' | 'sync' | 'health'): Promise<boolean> {
  const signal = AbortSignal.timeout(1_000);
  return fetch(`http://127.0.0.1:${apiPort}/${role}`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function findBinaries(): Promise<string> {
  const [newest] = (await readdir(PROGRAMS)).toSorted((one, other) => Number(other) - Number(one));
  return join(PROGRAMS, newest as string, 'bin');
}

/** A folder with the files of all programs, which end when it is disposed of. */
interface Rack extends AsyncDisposable {
  makeFolder(name: string): Promise<string>;
  writeSettings(name: string, text: string): string;
  start(name: string, command: string, words: readonly string[]): Promise<Program>;
}

async function openRack(isKept: boolean): Promise<Rack> {
  const folder = await mkdtemp('/var/tmp/stoa-failover-');
  if (isKept) process.stderr.write(`The logs are in ${folder}.\n`);
  giveAway(folder);
  chmodSync(folder, 0o700);
  const programs: Program[] = [];
  return {
    async makeFolder(name) {
      const path = join(folder, name);
      await mkdir(path, { mode: 0o700 });
      giveAway(path);
      return path;
    },
    writeSettings(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text, { mode: 0o600 });
      giveAway(path);
      return path;
    },
    async start(name, command, words) {
      const log = join(folder, `${name}.log`);
      const program = await startProgram(command, words, { log, folder });
      programs.push(program);
      return program;
    },
    async [Symbol.asyncDispose]() {
      for (const program of programs.toReversed()) await program[Symbol.asyncDispose]();
      if (!isKept) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startEtcd(rack: Rack): Promise<number> {
  const port = await findFreePort();
  const address = `http://127.0.0.1:${port}`;
  const peers = `http://127.0.0.1:${await findFreePort()}`;
  await rack.start('etcd', 'etcd', [
    ...['--data-dir', await rack.makeFolder('etcd'), '--enable-v2'],
    ...['--listen-client-urls', address, '--advertise-client-urls', address],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers],
    ...['--initial-cluster', `default=${peers}`],
  ]);
  return port;
}

async function startMember(rack: Rack, nr: number, facts: ClusterFacts): Promise<RunningMember> {
  const name = `db${nr}`;
  const folder = await rack.makeFolder(name);
  const member = { name, folder, port: await findFreePort(), apiPort: await findFreePort() };
  const file = rack.writeSettings(`${name}.json`, buildPatroniSettings(member, facts));
  return { ...member, patroni: await rack.start(name, 'patroni', [file]) };
}

async function startProxy(rack: Rack, members: readonly Member[]): Promise<number> {
  const port = await findFreePort();
  const file = rack.writeSettings('haproxy.cfg', buildProxySettings(port, members));
  await rack.start('haproxy', 'haproxy', ['-f', file]);
  return port;
}

/** Makes the roles of the service and its database. */
async function prepareDatabase(admin: pg.Client, password: string): Promise<void> {
  await admin.query(`CREATE ROLE stoa_owner LOGIN CREATEROLE PASSWORD '${password}'`);
  await admin.query(`CREATE ROLE stoa_app LOGIN PASSWORD '${password}'`);
  await admin.query('CREATE DATABASE stoa OWNER stoa_owner');
}

async function fillRack(rack: Rack): Promise<Cluster> {
  const password = randomBytes(16).toString('hex');
  const etcdPort = await startEtcd(rack);
  const facts = { etcdPort, binaries: await findBinaries(), password };
  const members: RunningMember[] = [];
  for (let nr = 1; nr <= MEMBERS; nr++) members.push(await startMember(rack, nr, facts));
  const proxyPort = await startProxy(rack, members);

  const connect = async ({ port }: Member, database = 'stoa') => {
    const login = { host: '127.0.0.1', port, user: 'postgres', password, database };
    const client = new pg.Client({ ...login, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const findMember = async (role: 'primary' | 'sync', other?: string) => {
    for (const member of members)
      if (member.name !== other && (await hasRole(member, role))) return member;
    return null;
  };
  const waitForPrimary = (other?: string) => lookFor('primary', () => findMember('primary', other));
  const waitUntilWhole = async () =>
    void (await lookFor('whole cluster', async () => {
      const healthy = await Promise.all(members.map((member) => hasRole(member, 'health')));
      return healthy.every(Boolean) ? await findMember('sync') : null;
    }));

  const primary = await waitForPrimary();
  await waitUntilWhole();
  const admin = await connect(primary, 'postgres');
  await prepareDatabase(admin, password).finally(() => admin.end());

  const hosts = members.map(({ port }) => `127.0.0.1:${port}`).join();
  const routes = [
    `${hosts}/stoa?target_session_attrs=read-write`,
    `127.0.0.1:${proxyPort}/stoa`,
  ] as const;
  return {
    connect: (member) => connect(member),
    waitForPrimary,
    waitUntilWhole,
    relayed: null,
    connection: { connectionString: `postgres://postgres:${password}@${routes[1]}` },
    // Every other node knows all servers itself.
    getSettings: (node = 0) => ({
      DATABASE_URL: `postgres://stoa_app:${password}@${routes[node % 2]}`,
      DATABASE_OWNER_URL: `postgres://stoa_owner:${password}@${routes[node % 2]}`,
    }),
    [Symbol.asyncDispose]: rack[Symbol.asyncDispose],
  };
}

/**
 * Starts three servers, etcd and HAProxy in a new folder, and waits until they are one cluster. The
 * folder is removed at the end, unless it is to be kept.
 */
export async function startCluster(isKept: boolean): Promise<Cluster> {
  const rack = await openRack(isKept);
  try {
    return await fillRack(rack);
  } catch (error) {
    await rack[Symbol.asyncDispose]();
    throw error;
  }
}
