import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createRandom } from '../../bench/content/varied-text.ts';
import { environment, programPath, runProgram } from '../../bench/load/service.ts';
import { isUnavailable } from '../../src/db/database-errors.ts';
import { buildS3Settings, startS3 } from '../../test/features/files/s3.ts';
import { findFreePort } from '../find-free-port.ts';
import { capabilitySettings } from '../fuzz/capability-settings.ts';
import { type Node, startNode } from './nodes.ts';
import { RECEIVER_ADDRESS, RECEIVER_HOST, type Receiver, startReceiver } from './receiver.ts';
import { type Relay, startRelay } from './relay.ts';
import { type SiteDatabase, startOwnDatabase } from './site-database.ts';

/** A database that is starting is asked so often. */
const QUERY_TRIES = 100;
const BETWEEN_TRIES_MS = 200;
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What an installation consists of. */
export interface SiteOptions {
  readonly nodes: number;
  /** Where files are: in a folder of the node, or in an S3-compatible store. */
  readonly store: 'folder' | 's3';
  /** The entry of the program that the nodes run. */
  readonly main?: string;
  /** Starts the database; by default an embedded one. */
  readonly startDatabase?: (dataDir: string, main?: string) => Promise<SiteDatabase>;
}

/** A node, and the relays through which it talks. */
export interface Post {
  readonly node: Node;
  /** Where clients call it. */
  readonly url: string;
  readonly clients: Relay;
  /** Null when the node connects to the database by itself. */
  readonly database: Relay | null;
  readonly store: Relay;
  readonly receiver: Relay;
}

/** An installation whose every connection goes through a relay. */
export interface Site extends AsyncDisposable {
  readonly posts: readonly Post[];
  readonly database: SiteDatabase;
  readonly receiver: Receiver;
  readonly adminKey: string;
  readonly folder: string;
  /** Whether a checkpoint of the log was kept, which the next one must extend. */
  hasCheckpoint: boolean;
  /** Runs a statement past the service, as the superuser, once the database answers. */
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Runs a command of the program on this installation. */
  run(words: readonly string[]): Promise<{ code: number | null; output: string }>;
}

async function queryOnce(connection: pg.ClientConfig, text: string, values: readonly unknown[]) {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** Starts an installation in a new folder under the project's `data`, which is on a real disk. */
export async function openSite(options: SiteOptions): Promise<Site> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return await fillSite(options, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function fillSite(
  { nodes, store, main, startDatabase = startOwnDatabase }: SiteOptions,
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<Site> {
  const random = createRandom(nodes);
  const own = <Owned extends AsyncDisposable>(owned: Owned): Owned => {
    closers.push(async () => owned[Symbol.asyncDispose]());
    return owned;
  };
  await mkdir(join(root, 'data'), { recursive: true });
  const folder = await mkdtemp(join(root, 'data', 'faults-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const database = own(await startDatabase(join(folder, 'data'), main));
  const caFile = join(folder, 'ca.pem');
  const receiver = own(await startReceiver(caFile, random));
  const bucket = own(await startS3());
  const adminKey = `faults_${randomBytes(32).toString('base64url')}`;
  const { connection, relayed } = database;
  const bucketPort = Number(new URL(bucket.endpoint).port);
  const common = {
    ...capabilitySettings,
    WEBHOOKS_ENABLED: 'on',
    WEBHOOKS_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    ADMIN_KEYS: adminKey,
    REALM: 'test',
    TEST_CA: caFile,
    // Files of a folder are shared by the nodes, as on a network file system.
    DATA_DIR: join(folder, 'files'),
  };
  const storeAt = (port: number) =>
    store === 's3' ? buildS3Settings({ ...bucket, endpoint: `http://127.0.0.1:${port}` }) : {};
  const posts: Post[] = [];
  let base = '';
  for (let nr = 0; nr < nodes; nr++) {
    const toDatabase = relayed && own(await startRelay(() => ({ path: relayed.socket }), random));
    const toStore = own(await startRelay(() => ({ host: '127.0.0.1', port: bucketPort }), random));
    const toReceiver = own(
      await startRelay(() => ({ host: '127.0.0.1', port: receiver.port }), random),
    );
    const nodePort = await findFreePort();
    const clients = own(await startRelay(() => ({ host: '127.0.0.1', port: nodePort }), random));
    const url = `http://127.0.0.1:${clients.port}`;
    base ||= url;
    const node = await startNode(main ?? programPath, {
      ...common,
      ...storeAt(toStore.port),
      ...database.getSettings(nr),
      ...(toDatabase && {
        DATABASE_URL: `postgres://stoa_app@127.0.0.1:${toDatabase.port}/${connection.database}`,
      }),
      PORT: String(nodePort),
      BASE_URL: base,
      TEST_DIAL: `${RECEIVER_HOST}=${RECEIVER_ADDRESS}=127.0.0.1:${toReceiver.port}`,
    });
    closers.push(() => node.stop());
    posts.push({
      node,
      url,
      clients,
      database: toDatabase,
      store: toStore,
      receiver: toReceiver,
    });
  }
  return {
    posts,
    database,
    receiver,
    adminKey,
    folder,
    hasCheckpoint: false,
    async query(text, values = []) {
      for (let tries = 1; ; tries++) {
        try {
          return await queryOnce(connection, text, values);
        } catch (error) {
          if (tries === QUERY_TRIES || !isUnavailable(error)) throw error;
          await sleep(BETWEEN_TRIES_MS);
        }
      }
    },
    run: (words) =>
      runProgram(words, {
        ...environment,
        ...common,
        ...storeAt(bucketPort),
        ...database.getSettings(),
      }),
    [Symbol.asyncDispose]: close,
  };
}
