import { Command } from 'commander';
import { type ByteOptions, benchBytes } from './growth/bytes.ts';
import { benchClosing, type ClosingOptions } from './growth/closing.ts';
import { benchCrowds, type CrowdOptions } from './growth/crowds.ts';
import { benchFlat, type FlatOptions } from './growth/flat.ts';
import { benchGrowth, type GrowthOptions } from './growth/growth.ts';
import { benchMigrations, type MigrationOptions } from './growth/migrations.ts';
import { serveAttackers } from './load/attackers.ts';
import { serveBare } from './load/bare.ts';
import { serveLoad } from './load/load.ts';
import { serveOpenLoop } from './load/open-loop.ts';
import { serveReceiver } from './load/receiver.ts';
import { benchAdjudication } from './scenarios/adjudication.ts';
import { benchAttacks } from './scenarios/attacks.ts';
import { type BackupOptions, benchBackups } from './scenarios/backups.ts';
import { benchCatchUp } from './scenarios/catch-up.ts';
import { benchClaims, type ClaimOptions } from './scenarios/claims.ts';
import { benchHistories } from './scenarios/histories.ts';
import { benchLedger } from './scenarios/ledger.ts';
import { benchTools } from './scenarios/mcp.ts';
import { benchOverload, type OverloadOptions } from './scenarios/overload.ts';
import { benchPages } from './scenarios/pages.ts';
import { benchPairs, type PairOptions } from './scenarios/pairs.ts';
import { benchProfile, type ProfileOptions } from './scenarios/profile.ts';
import { benchQuick } from './scenarios/quick.ts';
import { benchReading } from './scenarios/reading.ts';
import { benchReputation } from './scenarios/reputation.ts';
import { benchResearch } from './scenarios/research.ts';
import { type BenchOptions, runBench } from './scenarios/run.ts';
import { benchSoak, type SoakOptions } from './scenarios/soak.ts';
import { benchTasks } from './scenarios/tasks.ts';
import { benchWakeups, type WakeupOptions } from './scenarios/wakeups.ts';
import { benchWebhooks } from './scenarios/webhooks.ts';

const program = new Command('bench').description(
  'measures the built service, its SQL alone, and a bare route with the same bytes',
);

program
  .command('run', { isDefault: true })
  .option(
    '--data <file>',
    'statements to import, .ndjson or .ndjson.gz (default: ../shared/data/*.ndjson.gz, or ' +
      'generated text)',
  )
  .option('--quick', 'short rounds, to try it out; writes nothing unless --write')
  .option('--write', 'write the tables into docs/benchmarks.md (default, except with --quick)')
  .option('--no-write', 'only print them')
  .action((options: BenchOptions) => runBench(options));

program
  .command('quick')
  .description('the kinds of calls in a minute and a half, beside those of the last time')
  .action(benchQuick);

program
  .command('mcp')
  .description('the cost of a tool call compared with the same call over REST')
  .option('--seconds <number>', 'duration of each round', '1')
  .option('--rounds <number>', 'rounds of each variant', '5')
  .action(benchTools);

program
  .command('webhooks')
  .description(
    'how soon 1,000 hints are delivered, their cost for posts, and the cost of 10,000 idle ' +
      'webhooks',
  )
  .option('--quick', 'fewer hints, to try it out')
  .action(benchWebhooks);

program
  .command('ledger')
  .description('transfers in the ledger without HTTP, including one hot account')
  .option('--seconds <number>', 'duration of each kind', '5')
  .action((options: { seconds: string }) => benchLedger(options));

program
  .command('tasks')
  .description('posting tasks and paying their slots without HTTP, including one hot grant')
  .option('--tasks <number>', 'number of each kind', '2000')
  .action((options: { tasks: string }) => benchTasks(options));

program
  .command('attacks')
  .description('other callers and memory during attacks, and what hostile input costs at once')
  .option('--seconds <number>', 'duration of each attack', '10')
  .action(benchAttacks);

program
  .command('claims')
  .description('taking and listing requests while very many are open')
  .option('--requests <number>', 'number of open requests', '100000')
  .option('--calls <number>', 'calls of each kind', '2000')
  .option('--connections <number>', 'agents that claim at once', '8')
  .action((options: ClaimOptions) => benchClaims(options));

program
  .command('histories')
  .description('checking histories of 10,000 calls with and without an order')
  .action(benchHistories);

program
  .command('backups')
  .description('posts while backups run, and whether each of them restores everything')
  .option('--times <number>', 'number of backups', '20')
  .option('--seconds <number>', 'duration of the rounds before and after each', '4')
  .option('--fill <number>', 'seconds of posting before the first', '20')
  .action((options: BackupOptions) => benchBackups(options));

program
  .command('wakeups')
  .description('how soon `mcp --channel` and `watch` are told, and what they miss when killed')
  .option('--events <number>', 'events for each of them', '1000')
  .option('--kills <number>', 'how often each of them is killed', '100')
  .option('--seed <number>', 'seed of the moments', '1')
  .action((options: WakeupOptions) => benchWakeups(options));

program
  .command('profile [what...]')
  .description(
    'where each microsecond of a post, page, poll, search, registration and tool call goes',
  )
  .option('--seconds <number>', 'duration of each measurement', '5')
  .option('--connections <number>', 'callers at once', '8')
  .option('--messages <number>', 'messages in the database', '20000')
  .action((what: string[], options: ProfileOptions) => benchProfile(what, options));

program
  .command('growth')
  .description('what very many rows cost, in one table and in partitioned ones')
  .option(
    '--tables <names>',
    'some of events,idempotency_records,portable_events,audit_log',
    'events',
  )
  .option('--model', 'only computes what numbers of posts a day need')
  .option('--millions <number>', 'millions of rows', '50')
  .option('--agents <number>', 'agents whose rows they are', '10000')
  .option('--months <number>', 'months over which they are spread', '24')
  .action((options: GrowthOptions) => benchGrowth(options));

program
  .command('migrations')
  .description('how long posts and reads wait for each migration since the previous release')
  .option('--messages <number>', 'messages in the database', '2000000')
  .action((options: MigrationOptions) => benchMigrations(options));

program
  .command('bytes')
  .description('what a post leaves in each table and index, and in the write-ahead log')
  .option('--posts <numbers>', 'numbers of posts after which it is read', '20000,100000')
  .option('--length <number>', 'characters of a message', '800')
  .option('--connections <number>', 'callers at once', '32')
  .option('--data <file>', 'statements, .ndjson or .ndjson.gz (default: as for run)')
  .action((options: ByteOptions) => benchBytes(options));

program
  .command('closing')
  .description('what writing a post costs in one statement, in one a table, and with an outbox')
  .option('--seconds <number>', 'duration of each round', '4')
  .option('--rounds <number>', 'rounds of each way', '4')
  .action((options: ClosingOptions) => benchClosing(options));

program
  .command('overload')
  .description('what the service does when three times as much is offered as it carries')
  .option('--seconds <number>', 'duration of each overload', '30')
  .option('--times <number>', 'how many times what it carries is offered', '3')
  .option('--messages <number>', 'messages that searches look in', '50000')
  .option('--only <loads>', 'some of posts,pages,polls,searches,mixed')
  .action((options: OverloadOptions) => benchOverload(options));

program
  .command('pairs')
  .description('this build and another one, or other flags of Node.js, in turns')
  .argument('<what>', 'post, page, public-page, html, html-anew, poll or register')
  .option('--other <folder>', 'where the other build is (default: this one)')
  .option('--flags <flags>', 'flags of Node.js for the other one, in one argument')
  .option('--settings <settings>', 'settings of the other one, such as WORKERS=2, in one argument')
  .option('--connections <number>', 'callers at once', '32')
  .option('--seconds <number>', 'duration of each round', '4')
  .option('--rounds <number>', 'pairs of rounds', '6')
  .action((what: string, options: PairOptions) => benchPairs(what, options));

program
  .command('flat')
  .description('each kind of call among few and among very many messages, in turns')
  .option('--messages <numbers>', 'messages of each installation', '20000,2000000')
  .option('--connections <number>', 'callers at once', '8')
  .option('--seconds <number>', 'duration of each round', '3')
  .option('--rounds <number>', 'rounds of each', '5')
  .action((options: FlatOptions) => benchFlat(options));

program
  .command('crowds')
  .description('a thread, an agent and a room that everybody uses, and a thousand waiting readers')
  .option('--connections <number>', 'callers at once', '8')
  .option('--seconds <number>', 'duration of each round; in more, too many fan-outs wait', '2')
  .option('--rounds <number>', 'rounds of each', '2')
  .action((options: CrowdOptions) => benchCrowds(options));

program
  .command('soak')
  .description('whether memory, connections, dead rows and latencies stay flat under a mixed load')
  .option('--minutes <number>', 'duration', '60')
  .option('--share <number>', 'share of what the service carries that is offered', '0.2')
  .option('--messages <number>', 'messages from the beginning, to which few are added', '1000000')
  .option('--plot <file>', 'where the plot goes (SVG)', 'docs/soak.svg')
  .action((options: SoakOptions) => benchSoak(options));

program
  .command('catch-up')
  .description('how an agent that was away is oriented, and what the same has as events')
  .option('--threads <number>', 'threads with news', '200')
  .option('--messages <number>', 'unread messages in all', '10000')
  .option('--reads <number>', 'reads of each page', '100')
  .action(benchCatchUp);

program
  .command('reading')
  .description('what a model pays to read a thread: by tool, by REST and as Markdown')
  .option('--messages <number>', 'messages of the thread', '200')
  .option('--data <file>', 'statements, .ndjson or .ndjson.gz (default: as for run)')
  .action(benchReading);

program
  .command('adjudication')
  .description('closing cases with 20 ballots each that are due at the same time')
  .option('--cases <number>', 'number of cases', '1000')
  .action((options: { cases: string }) => benchAdjudication(options));

program
  .command('reputation')
  .description('reading a reputation that is based on 10,000 interactions')
  .option('--authors <number>', 'number of agents that recorded them', '500')
  .action((options: { authors: string }) => benchReputation(options));

program
  .command('research')
  .description('metrics and datasets of research over very many messages')
  .option('--messages <number>', 'number of messages', '100000')
  .option('--reads <number>', 'reads of each metric', '5')
  .action((options: { messages: string; reads: string }) => benchResearch(options));

program
  .command('pages')
  .description('size and time of each page for people, and of any page of a very long thread')
  .option('--messages <number>', 'messages in the long thread', '100000')
  .option('--reads <number>', 'reads of each page', '30')
  .action((options: { messages: string; reads: string }) => benchPages(options));

// These are the roles of the processes that a run starts.
program.command('load', { hidden: true }).action(serveLoad);
program.command('open-loop', { hidden: true }).action(serveOpenLoop);
program.command('bare', { hidden: true }).action(serveBare);
program.command('attackers', { hidden: true }).action(serveAttackers);
program.command('receiver', { hidden: true }).action(serveReceiver);

// Without a listener a signal ends this process at once, and its services go on.
process.once('SIGTERM', () => process.exit(143));
process.once('SIGINT', () => process.exit(130));

await program.parseAsync();
