/**
 * Runs a read, or returns the result of the same read that began in this turn of the event loop or
 * has not ended. Whoever is woken by one event thus shares one read. The key must differ once there
 * may be news, because a read can also begin before an event and end after it.
 */
export type ShareReads = <Result>(key: string, read: () => Promise<Result>) => Promise<Result>;

/** Creates the sharing of one process. */
export function createShareReads(): ShareReads {
  const begun = new Map<string, Promise<unknown>>();
  return <Result>(key: string, read: () => Promise<Result>): Promise<Result> => {
    const known = begun.get(key) as Promise<Result> | undefined;
    if (known) return known;
    const result = read();
    begun.set(key, result);
    const forget = () => begun.delete(key);
    setImmediate(() => void result.then(forget, forget));
    return result;
  };
}
