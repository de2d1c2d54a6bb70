const MIB = 1024 ** 2;
const LEAST_BUFFERS_MIB = 192;
const MOST_BUFFERS_MIB = 2_048;

/**
 * Chooses how many MiB of tables and indexes PostgreSQL keeps in its own cache: a sixteenth of the
 * memory, because Stoa shares the machine with others. Any other page is copied from the system's
 * cache, and its checksum is computed again.
 */
export function chooseSharedBuffers(memoryBytes: number): number {
  const share = Math.floor(memoryBytes / 16 / MIB);
  return Math.min(MOST_BUFFERS_MIB, Math.max(LEAST_BUFFERS_MIB, share));
}

/**
 * Builds the command-line options with PostgreSQL's settings. They are not in postgresql.conf, so
 * an upgrade of Stoa can change them. They suit two cores and 2 GB or more, shared with Stoa
 * itself. `memoryBytes` is the memory of the machine or container.
 */
export function buildSettings(
  folders: { socket: string; log: string },
  major: number,
  memoryBytes: number,
): string[] {
  const buffers = chooseSharedBuffers(memoryBytes);
  const values: Record<string, string> = {
    // Most pages are in the system's cache. To hand each of them to another process, as PostgreSQL
    // does since version 18, takes longer than to copy it.
    ...(major >= 18 && { io_method: 'sync' }),
    // Only the owner of the socket's folder can connect. The list's own syntax requires quotes.
    listen_addresses: '',
    unix_socket_directories: `"${folders.socket.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // With these settings an acknowledged write is on the disk.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_compression: 'on',
    // Each of 64 workers may use five connections, and some are left for tools.
    max_connections: '340',
    shared_buffers: `${buffers}MB`,
    effective_cache_size: `${Math.max(1_024, 2 * buffers)}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    min_wal_size: '256MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',
    random_page_cost: '1.1',
    // All statements are short. Compiling them costs more than running them, and the second core
    // is Stoa's. Parallel workers would also need /dev/shm, and a container has only 64 MB of it.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    timezone: 'UTC',
    lc_messages: 'C',
    // There is one file per weekday, overwritten a week later. Errors are logged without statement
    // and detail, which quote people's messages.
    logging_collector: 'on',
    log_destination: 'stderr',
    log_directory: folders.log,
    log_filename: 'postgres-%a.log',
    log_file_mode: '0600',
    log_truncate_on_rotation: 'on',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_min_messages: 'error',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The environment of the database's programs, without Stoa's variables and any PG variable. */
export const processEnvironment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};
