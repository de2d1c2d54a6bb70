import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPoster, send } from '../load/poster.ts';
import { startPosting } from '../load/posting.ts';
import { type BenchService, resumeService, runProgram, startService } from '../load/service.ts';
import { connectSql } from '../load/sql-limit.ts';
import { type Spread, toSpread } from '../measure/stats.ts';
import { formatNumber, formatSpread, formatVerdict } from '../report/document.ts';

const CONNECTIONS = 8;
const MIN_RATIO = 0.85;
const FILE_BYTES = 100_000;
const formatRatio = (value: number): string => value.toFixed(2);
const SETTINGS = {
  CREDITS_ENABLED: 'on',
  INTERACTIONS_ENABLED: 'on',
  REPUTATION_ENABLED: 'on',
  DISK_FLOOR_BYTES: '0',
};

/** The flags of `npm run backups`. */
export interface BackupOptions {
  readonly times: string;
  readonly seconds: string;
  readonly fill: string;
}

/** One backup under load. */
interface Trial {
  /** Posts per second while it ran, and in equal rounds before and after it. */
  readonly during: number;
  readonly without: number;
  readonly seconds: number;
  /** The number of messages acknowledged before it began. */
  readonly promised: number;
  /** How many of those the restored installation does not have. */
  readonly lost: number;
}

/** Attaches a file, so that a backup has files to copy. */
async function attachFile(service: BenchService, key: string, threadId: string, nr: number) {
  const { text } = await send(service, key, `/threads/${threadId}/messages`, {
    body: `File ${nr}`,
  });
  const form = new FormData();
  form.append('file', new Blob([String(nr).repeat(FILE_BYTES).slice(0, FILE_BYTES)]), 'a.txt');
  const { id } = JSON.parse(text) as { id: string };
  const answer = await fetch(`${service.url}/api/v1/messages/${id}/files`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'idempotency-key': `file-${nr}` },
    body: form,
  });
  if (!answer.ok) throw new Error(`A file was answered with ${answer.status}.`);
}

/** Runs a command of the built program. Errors: Error with its output when it fails. */
async function runOrFail(words: readonly string[], settings: Record<string, string>) {
  const { code, output } = await runProgram(words, settings);
  if (code !== 0) throw new Error(`${words.join(' ')} failed with ${code}: ${output}`);
}

/** Restores a backup, checks and serves it. Returns how many of these messages it has not. */
async function countLost(
  backup: string,
  dataDir: string,
  promised: readonly string[],
): Promise<number> {
  const settings = { ...SETTINGS, DATA_DIR: dataDir };
  await runOrFail(['restore', backup], settings);
  for (const words of ['doctor', 'ledger audit', 'reputation check'])
    await runOrFail(words.split(' '), settings);
  const { url, database, stop } = await resumeService(settings);
  await runOrFail(['verify-log', '--url', url], {});
  const sql = await connectSql(database.connection, 1);
  const rows = await sql.run('SELECT count(*) AS n FROM messages WHERE id = ANY($1)', [promised]);
  await sql[Symbol.asyncDispose]();
  await stop();
  return promised.length - Number(rows[0]?.n);
}

/** Measures what backups cost posts, and whether what was acknowledged is in each of them. */
export async function benchBackups(options: BackupOptions): Promise<void> {
  const times = Number(options.times);
  const seconds = Number(options.seconds);
  await using service = await startService(SETTINGS);
  const posters = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, nr) => createPoster(service, `poster-${nr}`)),
  );
  const [first] = posters;
  if (!first) throw new Error('There is nobody who posts.');
  for (let nr = 0; nr < 50; nr++) await attachFile(service, first.key, first.threadId, nr);
  const fill = startPosting(service.url, service.adminKey, posters);
  await sleep(Number(options.fill) * 1000);
  await fill.stop();
  const known = [...fill.acknowledged];
  const trials: Trial[] = [];
  for (let nr = 1; nr <= times; nr++) {
    const posting = startPosting(service.url, service.adminKey, posters);
    const measure = async (work: () => Promise<unknown>) => {
      const began = performance.now();
      const before = posting.acknowledged.length;
      await work();
      const took = (performance.now() - began) / 1000;
      return { took, rate: (posting.acknowledged.length - before) / took };
    };
    const backup = join(service.folder, `backup-${nr}`);
    const dataDir = join(service.folder, 'data');
    await sleep(1000);
    const earlier = await measure(() => sleep(seconds * 1000));
    const promised = [...known, ...posting.acknowledged];
    const during = await measure(() =>
      runOrFail(['backup', backup], { ...SETTINGS, DATA_DIR: dataDir }),
    );
    const later = await measure(() => sleep(seconds * 1000));
    await posting.stop();
    known.push(...posting.acknowledged);
    const restored = join(service.folder, `restored-${nr}`);
    const trial: Trial = {
      during: during.rate,
      without: (earlier.rate + later.rate) / 2,
      seconds: during.took,
      promised: promised.length,
      lost: await countLost(backup, restored, promised),
    };
    await Promise.all([backup, restored].map((path) => rm(path, { recursive: true, force: true })));
    trials.push(trial);
    const ratio = formatRatio(trial.during / trial.without);
    process.stdout.write(
      `${nr}: ${formatNumber(trial.during)} posts/s during ${trial.seconds.toFixed(1)} s of ` +
        `backup, ${formatNumber(trial.without)} without, ratio ${ratio}; lost ${trial.lost} of ` +
        `${trial.promised}; restored, examined, served\n`,
    );
  }
  const ratio: Spread = toSpread(trials.map(({ during, without }) => during / without));
  const lost = trials.reduce((sum, trial) => sum + trial.lost, 0);
  const lines = [
    'posts per second during a backup, as a share of those without: ' +
      formatSpread(ratio, formatRatio),
    formatVerdict(`a median of at least ${MIN_RATIO}`, ratio.median >= MIN_RATIO),
    formatVerdict('every message acknowledged before a backup is in it', lost === 0),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
