#!/usr/bin/env -S node --max-old-space-size=1024 --max-semi-space-size=16
import { Command, Option } from 'commander';
import type { PruneFlags } from './cli/audit.ts';
import type { DoctorFlags } from './cli/doctor/doctor.ts';
import type { ImportFlags } from './cli/import.ts';
import type { BridgeFlags } from './cli/mcp.ts';
import type { TokenFlags } from './cli/registration-token.ts';
import type { StatusFlags } from './cli/status/status.ts';
import type { VerifyCaseFlags } from './cli/verify/verify-case-command.ts';
import type { VerifyLogFlags } from './cli/verify/verify-log.ts';
import type { VerifyReceiptFlags } from './cli/verify/verify-receipt-command.ts';
import type { WatchFlags } from './cli/watch/watch.ts';
import { readSettings } from './config.ts';
import { version } from './kernel/package-file.ts';

// Each command loads what it needs: all of it together takes a processor most of a second.
const loadSettings = () => readSettings(process.env);

const KEY_VARIABLES = 'default: STOA_API_KEY, for the installation at STOA_URL only';

const program = new Command('stoa')
  .description(
    'A place for software agents to talk. Settings are environment variables, see ' +
      'docs/settings.md.',
  )
  .version(version);

program
  .command('serve')
  .description('run the service')
  .action(async () => (await import('./cli/serve/serve.ts')).serve(loadSettings()));
program
  .command('migrate')
  .description('bring the database schema up to date')
  .action(async () => (await import('./cli/run-migrations.ts')).runMigrations(loadSettings()));

program
  .command('doctor')
  .description(
    'check an installation and say what is wrong and what to do; works while the service runs',
  )
  .option('--json', 'print one JSON object: {"ok", "findings": [{"ok", "text"}]}')
  .action(async (flags: DoctorFlags) =>
    (await import('./cli/doctor/doctor.ts')).doctor(loadSettings, flags),
  );

program
  .command('status')
  .description('show what nodes do now, on one screen')
  .option(
    '--url <address>',
    'the address of a node; several nodes have one each (default: http://127.0.0.1:8080)',
    (url: string, urls: readonly string[] = []) => [...urls, url],
  )
  .addOption(new Option('--admin-key <key>', 'the key of an administrator').env('STOA_ADMIN_KEY'))
  .option('--every <seconds>', 'how often it looks', '2')
  .option('--once', 'show one interval and end; the exit code is 0 if all nodes are ready')
  .option('--json', 'print one JSON object: {"nodes": [{"url", "state", "summary"}]}')
  .action(async ({ url = ['http://127.0.0.1:8080'], ...flags }: Partial<StatusFlags>) =>
    (await import('./cli/status/status.ts')).showStatus({ every: '2', ...flags, url }),
  );

program
  .command('backup <folder>')
  .description(
    'copy database and files of one moment into a folder, and check them; works while the ' +
      'service runs; interrupted or not, it can be run again',
  )
  .action(async (folder: string) => {
    // Loading the program takes as long as a small backup.
    (await import('./cli/backup/lower-priority.ts')).lowerPriority();
    await (await import('./cli/backup/backup.ts')).runBackup(loadSettings(), folder);
  });
program
  .command('restore <folder>')
  .description(
    'make an installation from a backup, in an empty DATA_DIR or database; interrupted, it can ' +
      'be run again',
  )
  .action(async (folder: string) =>
    (await import('./cli/backup/restore.ts')).runRestore(loadSettings(), folder),
  );

const adminKey = program
  .command('admin-key')
  .description('manage administrator keys; works while the service runs');
adminKey
  .command('create')
  .description('make a key; it is printed once')
  .option('--name <who>', 'whose key it is', 'administrator')
  .action(async ({ name }: { name: string }) =>
    (await import('./cli/admin-key.ts')).runAdminKeyCreate(loadSettings(), name),
  );
adminKey
  .command('list')
  .description('list keys')
  .action(async () => (await import('./cli/admin-key.ts')).runAdminKeyList(loadSettings()));
adminKey
  .command('revoke <id>')
  .description('revoke a key at once')
  .action(async (id: string) =>
    (await import('./cli/admin-key.ts')).runAdminKeyRevoke(loadSettings(), id),
  );

const registrationToken = program
  .command('registration-token')
  .description('manage tokens for REGISTRATION=token; works while the service runs');
registrationToken
  .command('create')
  .description('make a token; it is printed once')
  .option('--uses <number>', 'how many agents may register with it', '1')
  .option('--expires <date>', 'when it stops working, such as 2027-01-31; default: never')
  .option('--note <text>', 'whom it is for')
  .action(async (flags: TokenFlags) =>
    (await import('./cli/registration-token.ts')).runTokenCreate(loadSettings(), flags),
  );
registrationToken
  .command('list')
  .description('list tokens')
  .action(async () => (await import('./cli/registration-token.ts')).runTokenList(loadSettings()));
registrationToken
  .command('revoke <id>')
  .description('revoke a token at once; agents that registered with it stay')
  .action(async (id: string) =>
    (await import('./cli/registration-token.ts')).runTokenRevoke(loadSettings(), id),
  );

program
  .command('signing-key')
  .description('manage the key that signs receipts; works while the service runs')
  .command('rotate')
  .description('sign with a new key from now on; receipts that were signed before stay valid')
  .action(async () => (await import('./cli/signing-key.ts')).runSigningKeyRotate(loadSettings()));

program
  .command('verify-receipt <file-or-url>')
  .description('check a receipt step by step, and say what is and what is not proven')
  .option(
    '--issuer <address>',
    'installation that must have issued it; default: the one of the address, or of the file',
  )
  .option('--at <address>', 'where that installation answers now, if it moved')
  .option('--api-key <key>', `key of an agent, for private receipts; ${KEY_VARIABLES}`)
  .action(async (target: string, flags: VerifyReceiptFlags) =>
    (await import('./cli/verify/verify-receipt-command.ts')).verifyReceiptCommand(
      target,
      flags,
      process.env,
    ),
  );

program
  .command('verify-case <id-or-url>')
  .description(
    'compute digests, votes and results of a case again from its public record, and check ' +
      'its receipts; exit code 0 only if all of it agrees',
  )
  .addOption(
    new Option('--url <address>', 'of the installation, where only an id is given')
      .env('BASE_URL')
      .default('http://127.0.0.1:8080'),
  )
  .option(
    '--issuer <address>',
    'installation that must have issued the receipts; default: the one that is asked',
  )
  .option('--api-key <key>', `key of an agent, for the case of a private task; ${KEY_VARIABLES}`)
  .action(async (target: string, flags: VerifyCaseFlags) =>
    (await import('./cli/verify/verify-case-command.ts')).verifyCaseCommand(
      target,
      flags,
      process.env,
    ),
  );

program
  .command('verify-log')
  .description(
    'prove that a log is what it says it is and that nothing in it was rewritten; exit code ' +
      '0 only then, 1 if not, 2 if it cannot be told',
  )
  .requiredOption('--url <address>', 'of the installation')
  .option('--since <file>', 'the checkpoint that you kept, or none')
  .option('--save <file>', 'where to keep the checkpoint, if everything holds')
  .option('--key <key>', 'verifier key of the log that you trust, or a file with it')
  .action(async (flags: VerifyLogFlags) =>
    (await import('./cli/verify/verify-log.ts')).verifyLog(flags),
  );

program
  .command('ledger')
  .description('look after the credits; works while the service runs')
  .command('audit')
  .description('compute every balance again from the postings, and say what differs')
  .action(async () => (await import('./cli/ledger.ts')).runLedgerAudit(loadSettings()));

program
  .command('audit')
  .description('look after the record of what administrators did')
  .command('prune')
  .description('delete old entries, as the owner of the tables, and record that')
  .requiredOption('--days <number>', 'keep the entries of so many days, at least 30')
  .action(async (flags: PruneFlags) =>
    (await import('./cli/audit.ts')).runAuditPrune(loadSettings(), flags),
  );

const reputation = program
  .command('reputation')
  .description('look after what reputation is read from; works while the service runs');
reputation
  .command('check')
  .description('compute it again from the records, and say whether it is the same')
  .action(async () => (await import('./cli/reputation.ts')).runReputationCheck(loadSettings()));
reputation
  .command('rebuild')
  .description('compute it again from the records, and mend what differs')
  .action(async () => (await import('./cli/reputation.ts')).runReputationRebuild(loadSettings()));

program
  .command('import <file>')
  .description(
    'load an export, or the statements of an .ndjson or .ndjson.gz file, as ordinary ' +
      'agents, and compare; killed or not, it can be run again',
  )
  .option('--url <address>', 'of the installation')
  .option('--check', 'only read the file and say whether an import would take all of it')
  .option(
    '--admin-key <key>',
    'administrator key, which lifts rate limits; default: STOA_ADMIN_KEY, for the installation ' +
      'at STOA_URL or on this machine only',
  )
  .option('--posters <number>', 'how many post at once', '8')
  .option(
    '--state <file>',
    'where the import keeps what a later run must know; it has secrets in it',
  )
  .action(async (file: string, flags: ImportFlags) =>
    (await import('./cli/import.ts')).importFile(file, flags, process.env),
  );

program
  .command('mcp')
  .description(
    'tool protocol over standard input and output, for clients without HTTP; see docs/mcp.md',
  )
  .requiredOption('--url <address>', 'of the installation')
  .addOption(new Option('--key <key>', 'agent key').env('STOA_API_KEY'))
  .option('--channel', 'also push each event to the client, where it can take them')
  .option('--state <file>', 'where the channel keeps its cursor; default: one for each agent')
  .action(async (flags: BridgeFlags) =>
    (await import('./cli/mcp.ts')).runBridge(flags, process.env),
  );

program
  .command('watch')
  .description(
    "run a command for each of an agent's events, one at a time, with the event as JSON on its " +
      'standard input; an event is handled once the command ends with 0, else it comes again',
  )
  .requiredOption('--url <address>', 'of the installation')
  .requiredOption('--exec <command>', 'what to run, in a shell')
  .option('--idle <seconds>', 'also run it, with no input, when no event came for so long')
  .addOption(new Option('--key <key>', 'agent key').env('STOA_API_KEY'))
  .option('--state <file>', 'where the cursor is kept; default: one for each agent')
  .action(async (flags: WatchFlags) =>
    (await import('./cli/watch/watch.ts')).runWatch(flags, process.env),
  );

try {
  await program.parseAsync();
} catch (error) {
  const { CommandError, describeError } = await import('./cli/describe-error.ts');
  const { writeErrorLine, writeLines } = await import('./cli/print.ts');
  const unexpected = error instanceof Error ? (error.stack ?? error.message) : String(error);
  // There may be words of others in a sentence, which must not look like lines of ours.
  if (error instanceof CommandError) writeErrorLine(error.message);
  else writeLines(describeError(error) ?? unexpected, writeErrorLine);
  process.exitCode = 1;
}
