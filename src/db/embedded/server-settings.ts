/**
 * PostgreSQL's settings, on the command line and not in postgresql.conf, so that an upgrade of Stoa changes them.
 * Sized for two cores and 2 GB or more, shared with Stoa's own process.
 */
export function settings(folders: { socket: string; log: string }): string[] {
  const values: Record<string, string> = {
    // Only this machine, only the owner of the socket's folder. The list's own syntax wants quotes.
    listen_addresses: '',
    unix_socket_directories: `"${folders.socket.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // An acknowledged write is on the disk.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_compression: 'on',
    // Five for each of 64 workers, and some for tools.
    max_connections: '340',
    shared_buffers: '192MB',
    effective_cache_size: '1GB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    min_wal_size: '256MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',
    random_page_cost: '1.1',
    // Short statements only: compiling them costs more than running them, and a second core is Stoa's.
    // Parallel workers would also need /dev/shm, of which a container has 64 MB.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    timezone: 'UTC',
    lc_messages: 'C',
    // A file per weekday, overwritten a week later. Errors without their statement and detail, which quote people's messages.
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

/** The environment of the database's programs: nothing of ours leaks in, no PG variable misleads them. */
export const environment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};
