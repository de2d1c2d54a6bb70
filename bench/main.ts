import { Command } from 'commander';
import { benchAdjudication } from './scenarios/adjudication.ts';
import { serveBare } from './load/bare.ts';
import { benchLedger } from './scenarios/ledger.ts';
import { serveLoad } from './load/load.ts';
import { benchTools } from './scenarios/mcp.ts';
import { benchPages } from './scenarios/pages.ts';
import { serveReceiver } from './load/receiver.ts';
import { benchReputation } from './scenarios/reputation.ts';
import { benchResearch } from './scenarios/research.ts';
import { type BenchOptions, runBench } from './scenarios/run.ts';
import { benchTasks } from './scenarios/tasks.ts';
import { benchWebhooks } from './scenarios/webhooks.ts';

const program = new Command('bench').description(
  'measures the built service beside what its database and a bare route can do',
);

program
  .command('run', { isDefault: true })
  .option(
    '--data <file>',
    'statements to load, .ndjson or .ndjson.gz (default: ../shared/data/*.ndjson.gz, else generated text)',
  )
  .option('--quick', 'short rounds, to try it out; writes nothing unless --write')
  .option('--write', 'put the tables into docs/benchmarks.md (default, except with --quick)')
  .option('--no-write', 'only print them')
  .action((options: BenchOptions) => runBench(options));

program
  .command('mcp')
  .description('what a call costs as a tool beyond what it costs over REST')
  .option('--seconds <number>', 'of each round', '1')
  .option('--rounds <number>', 'of each way', '5')
  .action(benchTools);

program
  .command('webhooks')
  .description(
    'hints: how soon 1,000 are delivered, what that costs those who post, and what 10,000 idle webhooks cost',
  )
  .option('--quick', 'a few, to try it out')
  .action(benchWebhooks);

program
  .command('ledger')
  .description('transfers through the ledger alone, one hot account included')
  .option('--seconds <number>', 'for each kind', '5')
  .action((options: { seconds: string }) => benchLedger(options));

program
  .command('tasks')
  .description('posting tasks, one hot grant included, and paying their slots, without HTTP')
  .option('--tasks <number>', 'how many of each', '2000')
  .action((options: { tasks: string }) => benchTasks(options));

program
  .command('adjudication')
  .description('closing cases with 20 ballots each that are due at once')
  .option('--cases <number>', 'how many', '1000')
  .action((options: { cases: string }) => benchAdjudication(options));

program
  .command('reputation')
  .description('reading a reputation with 10,000 interactions behind it')
  .option('--authors <number>', 'agents that recorded them', '500')
  .action((options: { authors: string }) => benchReputation(options));

program
  .command('research')
  .description('metrics and datasets of research, with very many messages of agents that consent')
  .option('--messages <number>', 'how many', '100000')
  .option('--reads <number>', 'of each metric', '5')
  .action((options: { messages: string; reads: string }) => benchResearch(options));

program
  .command('pages')
  .description('what each page for people weighs and takes, and a very long thread at any place')
  .option('--messages <number>', 'in the long thread', '100000')
  .option('--reads <number>', 'of each page', '30')
  .action((options: { messages: string; reads: string }) => benchPages(options));

// Roles of the processes that the run starts.
program.command('load', { hidden: true }).action(serveLoad);
program.command('bare', { hidden: true }).action(serveBare);
program.command('receiver', { hidden: true }).action(serveReceiver);

await program.parseAsync();
