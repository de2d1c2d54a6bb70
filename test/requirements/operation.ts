import type { Requirements } from './requirement.ts';

export const operation: Requirements = {
  // Starting the embedded database
  'start.embedded': {
    source: 'core 12, issue 2.1',
    text:
      'npm ci && npm start alone starts PostgreSQL from npm packages under DATA_DIR, ' +
      'migrates, serves, and prints address, folder and admin-key command.',
  },
  'start.root': {
    source: 'issue 2.1',
    text:
      'When it is started as root, the database runs as an unprivileged user and the service ' +
      'serves.',
  },
  'start.root-only-clone': {
    source: 'issue 2.1',
    text:
      'From a clone that only root may enter, binaries and data are placed where the ' +
      'unprivileged user can reach them, and startup says where.',
  },
  'start.kill9-service': {
    source: 'issue 2.1',
    text:
      'After kill -9 of the service under load the next start serves, and every acknowledged ' +
      'message exists once.',
  },
  'start.kill9-database': {
    source: 'issue 2.1',
    text:
      'After kill -9 of the embedded database under load the service recovers by itself, and ' +
      'every acknowledged message exists once.',
  },
  'start.kill9-both': {
    source: 'issue 2.1',
    text:
      'After kill -9 of service and database under load the next start serves, and every ' +
      'acknowledged message exists once.',
  },
  'start.stale-lock': {
    source: 'issue 2.1',
    text:
      'A lock file of a dead process, even if a stranger reuses its process id, does not ' +
      'prevent startup, and no stranger is harmed.',
  },
  'start.second-instance': {
    source: 'core 12',
    text:
      'A second instance on the same DATA_DIR is refused at startup with a sentence and a ' +
      'non-zero exit. The first keeps serving.',
  },
  'ops.two-roles': {
    source: 'issue 17.9, contract 12 "DATABASE_OWNER_URL"',
    text:
      'ASVS 13.2: The service connects with a role of its own, which is no superuser, owns ' +
      'nothing, and can neither change history nor what guards it. The owner migrates.',
  },
  'start.own-user': {
    source: 'issue 17.9',
    text:
      'Started by root, the embedded database never runs as nobody, and where its account is ' +
      'shared, only root may connect.',
  },
  'start.drops-root': {
    source: 'issue 17.9',
    text:
      'ASVS 13.2: Started by root where there is a user stoa, the processes that answer requests ' +
      'run as that user, who reaches the database as the service only. Without one, the log says ' +
      'what to do.',
  },
  'start.socket-only': {
    source: 'issue 2.1',
    text: 'The embedded database listens on a unix socket only, on no TCP port.',
  },
  'start.durable': {
    source: 'issue 2.1',
    text: 'The embedded database runs with fsync and synchronous_commit on.',
  },
  'start.settings': {
    source: 'issue 23.4',
    text:
      'The cache of the embedded database is a sixteenth of the memory of the machine or ' +
      'container, 192 MiB at least and 2 GiB at most.',
  },
  'start.new-major': {
    source: 'issue 24.7',
    text:
      'A database of another major version of PostgreSQL is never changed at a start: backup and ' +
      'restore move the installation, and the old folder stays as it was.',
  },
  'start.system-fallback': {
    source: 'design',
    text:
      'If the shipped PostgreSQL cannot run and a system PostgreSQL >= 15 is present, the ' +
      'service uses that and says so at startup.',
  },
  'start.attach': {
    source: 'core 12',
    text:
      'The command line works while the service runs: it attaches to the embedded database ' +
      'of the running service and leaves it running.',
  },
  'start.database-url': {
    source: 'core 12, issue 2.1',
    text: 'With DATABASE_URL the service uses that database and starts none of its own.',
  },
  'start.database-back': {
    source: 'issue 2.1',
    text:
      'While the database is gone requests get 503 with Retry-After. When it is back the ' +
      'service is healthy without a restart.',
  },

  // Command line
  'cli.migrate': {
    source: 'core 12, issue 2.8',
    text:
      'migrate brings an empty or older database to the current schema. It may be repeated, ' +
      'also by several processes at once.',
  },
  'cli.registration-token': {
    source: 'issue 17.11',
    text: 'registration-token create, list and revoke work while the service runs.',
  },
  'cli.admin-key-create': {
    source: 'core 12, core 4',
    text:
      'admin-key create prints a new stoa_admin_... key once. It works at once in the ' +
      'running service and is stored hashed.',
  },
  'cli.admin-key-revoke': {
    source: 'core 12',
    text:
      'admin-key list shows the keys without their secrets. admin-key revoke stops one at ' +
      'its next request in the running service.',
  },
  'db.several-hosts': {
    source: 'issue 24.1',
    text:
      'DATABASE_URL may list several hosts; the service uses the one that takes writes, and ' +
      'finds the next one after a failover.',
  },
  'db.frozen-host': {
    source: 'issue 24.1',
    text:
      'A server of several that stops to answer without closing its connections is left for the ' +
      'next one within seconds.',
  },
  'cli.status': {
    source: 'issue 24.6',
    text:
      'status shows on one screen what nodes do: calls a second, latencies, refusals, failures, ' +
      'memory, database and hints; with --json for scripts.',
  },
  'audit.prune': {
    source: 'issue 24.5',
    text:
      'audit prune deletes old entries of the audit as the owner of the tables and records that; ' +
      'nobody can delete any afterwards.',
  },
  'ops.log-lines': {
    source: 'issue 23.2',
    text: 'Lines of the log are written within moments, in order, and before the process ends.',
  },
  'db.shared-reads': {
    source: 'issue 23.3',
    text:
      'Short reads that overlap share a connection: each has its own result or error, and a ' +
      'connection that breaks is replaced.',
  },
  'db.hasty-commit': {
    source: 'issue 24.1',
    text:
      'A commit that PostgreSQL reports without having waited for its synchronous standby is not ' +
      'acknowledged.',
  },
  'cli.doctor-json': {
    source: 'issue 24.6',
    text: 'doctor --json prints the findings as one JSON object, with the same exit code.',
  },
  'cli.doctor-sessions': {
    source: 'issue 24.1',
    text: 'doctor refuses engines and poolers on which advisory locks or notifications are void.',
  },
  'cli.doctor-standbys': {
    source: 'issue 24.1',
    text: 'doctor says what a failover may lose with the settings of the database.',
  },
  'cli.doctor': {
    source: 'core 12',
    text:
      'doctor checks settings, database and migrations, says for each what is wrong and what ' +
      'to do, and exits non-zero on a fault.',
  },
  'cli.commands': {
    source: 'core 12, issue 18.7',
    text:
      'The command line has `serve`, `migrate`, `admin-key create|list|revoke`, ' +
      '`signing-key rotate`, `backup <folder>`, `restore <folder>`, `doctor`, ' +
      '`import <file.ndjson[.gz]> --url` and `verify-receipt <file or url>`, and ' +
      'docs/commands.md lists every command that it has.',
  },
  'cli.same-installation': {
    source: 'issue 21.5',
    text:
      'serve prints the command that makes an administrator key for the same installation, as ' +
      'it can be pasted. A command that is given a data folder without an installation refuses ' +
      'it in one sentence and makes nothing there.',
  },
  'cli.data-folder-impossible': {
    source: 'issue 21.5',
    text: 'serve refuses a DATA_DIR that nobody can make, in one sentence and at once.',
  },
  'cli.terminal-log': {
    source: 'issue 21.5',
    text: 'The log has short lines for people on a terminal, and JSON for programs otherwise.',
  },
  'backup.moment': {
    source: 'core 12, issue 18.7',
    text:
      'backup takes database and files of one moment from a running service. Every message ' +
      'acknowledged before it began is in it, and balances and log are whole.',
  },
  'backup.external': {
    source: 'core 12',
    text: 'backup and restore work on an external database, with the rights of its own roles.',
  },
  'backup.resumable': {
    source: 'core 12, issue 18.7',
    text:
      'A backup that was killed or interrupted can be run again into the same folder. It keeps ' +
      'the files that it has copied. Only one backup of an installation runs at a time.',
  },
  'backup.deletions': {
    source: 'core 12, decision 0025',
    text:
      'While a backup runs, no bytes of files are deleted that it may still have to copy. They ' +
      'are deleted later.',
  },
  'backup.checks-itself': {
    source: 'core 12, issue 18.7',
    text:
      'backup hashes what it wrote, computes the ledger and the log of its moment again, and ' +
      'fails if anything is wrong.',
  },
  'backup.keys': {
    source: 'core 12, issue 18.7',
    text:
      'A backup never holds a key in clear unless DATA_KEY is unset, which it says. With ' +
      'DATA_KEY set, it refuses to copy a key in clear.',
  },
  'restore.whole': {
    source: 'core 12, issue 18.7',
    text:
      'A restored installation passes doctor, ledger audit, reputation check and verify-log, ' +
      'serves, and answers repeated calls as the former did. A backup of an older version is ' +
      'migrated.',
  },
  'restore.refuses': {
    source: 'core 12, issue 18.7',
    text:
      'restore refuses a folder or database in use, and an unfinished, damaged or newer backup, ' +
      'before it changes anything.',
  },
  'restore.rerun': {
    source: 'core 12, issue 18.7',
    text:
      'A restore that was killed can be run again. Until it is complete nothing serves from its ' +
      'database.',
  },

  // Settings
  'config.settings-tables': {
    source: 'core 12, issue 21.5',
    text:
      'Every setting that the service reads is in one table of docs/settings.md with its ' +
      'default, and these tables have no others. The README leads there.',
  },
  'config.bad-value': {
    source: 'core 12',
    text:
      'A bad value of a setting, or a capability without its required setting, aborts ' +
      'startup with a sentence that says what to set, without repeating a secret.',
  },
  'config.listen': {
    source: 'core 12',
    text:
      'HOST, PORT and BASE_URL decide where it listens and what address it publishes. ' +
      'BASE_URL is derived when unset.',
  },
  'config.names': {
    source: 'core, core 12',
    text:
      'SERVICE_NAME fills {service} in paths, version and manifest. REALM is the realm of ' +
      'the manifest, by default local.',
  },
  'config.trust-proxy': {
    source: 'core 12',
    text:
      'TRUST_PROXY is the number of proxies whose X-Forwarded-For is trusted. When it is ' +
      'off, forwarded headers never change the address of a caller.',
  },
  'config.test-only': {
    source: 'core 12',
    text:
      'CLOCK_OFFSET_SECONDS moves the clock. It, TEST_DIAL and TEST_CA abort startup unless ' +
      'REALM=test.',
  },

  // Operation
  'ops.healthz': {
    source: 'core 12',
    text: '/healthz answers 200 while the process is alive, also when the database is gone.',
  },
  'ops.readyz': {
    source: 'core 12',
    text: '/readyz answers 200 when the store is reachable and migrations are current, else 503.',
  },
  'ops.metrics': {
    source: 'core 12',
    text:
      '/metrics returns Prometheus text to an administrator key, or to anyone on ' +
      'METRICS_PORT. Otherwise it is refused.',
  },
  'ops.traces': {
    source: 'issue 24.6',
    text:
      'With OTEL_EXPORTER_OTLP_ENDPOINT, a share of the requests is traced by OpenTelemetry: ' +
      'route, operation, status, agent and statements, and nothing that agents wrote. A trace ' +
      'that nobody takes delays nothing.',
  },
  'ops.logs': {
    source: 'core 1, core 12',
    text:
      'Logs have one JSON object a line with the request id of each request, and never an ' +
      'agent or admin key, invitation token or message body.',
  },
  'ops.quiet-stop': {
    source: 'issue 22, newcomers',
    text: 'A service that stops warns of no connection that its database ends meanwhile.',
  },
  'ops.sigterm': {
    source: 'core 12',
    text:
      'On SIGTERM the service finishes requests in progress, leaves nothing half-done and no ' +
      'process behind, and exits 0 within 10 s.',
  },
  'ops.hangup': {
    source: 'issue 21.5, core 12',
    text: 'serve stops as at SIGTERM, with its database, when its terminal is closed (SIGHUP).',
  },
  'ops.build-once': {
    source: 'issue 21.5',
    text: '`npm start` builds when a source changed since the last build, and only then.',
  },
  'ops.rolling-upgrade': {
    source: 'issue 24.2',
    text:
      'While nodes of the previous release and of this one share a database, which is migrated ' +
      'meanwhile, no call fails for good, each post is there once, and readers see each event ' +
      'once.',
  },
  'ops.migration-resumes': {
    source: 'issue 24.2',
    text: 'A migration that broke off at any of its steps runs again, with the same result.',
  },
  'ops.migration-yields': {
    source: 'issue 24.2',
    text: 'While a migration waits for a lock, calls that need the table do not wait behind it.',
  },
  'ops.npm-start': {
    source: 'issue 16.9',
    text: 'When npm start gets SIGTERM, it leaves neither the service nor its database behind.',
  },
  'ops.sigterm-waiters': {
    source: 'core 12',
    text:
      'Readers held by wait and open streams do not delay the exit: they are ended and miss ' +
      'nothing when they return.',
  },
  'ops.jobs-first-turn': {
    source: 'core 12',
    text:
      'Every job has a first turn soon after the start, so that a process that restarts often ' +
      'forgets and collects all the same.',
  },
  'ops.workers': {
    source: 'core 12',
    text:
      'WORKERS=2 on one port behaves as one service: limits, blocks, revocations, idempotency ' +
      'and events hold across the processes.',
  },
  'ops.nodes': {
    source: 'core 12',
    text:
      'Two services on one DATABASE_URL behave as one: what is written on one is read on the ' +
      'other and wakes its readers.',
  },
  'ops.nothing-executed': {
    source: 'spec 11, law-core T8',
    text:
      'No operation starts a program or connects to anything but the database and the receiver ' +
      'of a webhook, whatever it is sent: no model is called and nothing received is executed.',
  },
  'ops.fresh-machine': {
    source: 'core 12 "Neither needs a compiler, a browser download or root", law-core T8',
    text:
      'No package of the lock file compiles or downloads anything at installation, no command of ' +
      'start or test installs a browser, and an ordinary user starts the database.',
  },
  'ops.no-freeze': {
    source: 'core 12',
    text:
      'No request keeps the process from answering others, whatever it waits for and ' +
      'whatever its shape.',
  },
  'ops.full-disk': {
    source: 'issue 2.1, design',
    text:
      'With a full disk writes are refused with unavailable, nothing acknowledged is lost, ' +
      'and the service recovers by itself.',
  },

  // Example files for operators
  'deploy.container': {
    source: 'issue 24.6',
    text:
      'The container file builds in two stages from a pinned base, runs as no root and with a ' +
      'read-only program, and checks /healthz. What it installs starts, serves and stops.',
  },
  'deploy.settings': {
    source: 'issue 24.6',
    text:
      'Every variable that an example file sets for the service is a setting that exists, and ' +
      'every path, port and probe in it is one that the service has.',
  },
  'deploy.schemas': {
    source: 'issue 24.6',
    text: 'The compose file and the Kubernetes manifest have the form that their schemas ask for.',
  },
  'deploy.unit': {
    source: 'issue 24.6',
    text:
      'systemd accepts the unit and finds it well confined. It gives the service enough time to ' +
      'stop and enough open files for its load limits.',
  },
  'deploy.proxies': {
    source: 'issue 24.6',
    text:
      'Behind nginx and Caddy with the example files, pages, long polls, streams, files of ' +
      '10 MiB and tools work, no forged address is believed, and nothing private is kept.',
  },
  'deploy.cluster': {
    source: 'issue 24.1',
    text:
      'The example of a PostgreSQL that may die acknowledges nothing that a failover would lose, ' +
      'and is what the failovers are tried with.',
  },
  'deploy.nodes': {
    source: 'issue 24.2',
    text:
      'Three nodes behind HAProxy are one service: wake-ups, limits, block and revocation, ' +
      'sessions, caches, jobs and the log; a node that is killed, stopped or ended under load ' +
      'costs nothing that a retry with the same key does not mend. While none is ready, HAProxy ' +
      'answers 503 with Retry-After, as a node would.',
  },
  'deploy.metrics': {
    source: 'issue 24.6',
    text:
      'Alerts and dashboard ask only for metrics and labels that the service exports, in ' +
      'queries that Prometheus understands.',
  },
};
