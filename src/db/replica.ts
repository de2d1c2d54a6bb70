import type { Queryable } from './database.ts';

/** Reads of a replica; of the database itself while the replica cannot answer: unreachable, behind with its schema, or busy catching up. */
export function preferring(replica: Queryable, primary: Queryable): Queryable {
  const read = async <Result>(ask: (from: Queryable) => Promise<Result>): Promise<Result> => {
    try {
      return await ask(replica);
    } catch {
      return ask(primary);
    }
  };
  return {
    rows: (query) => read((from) => from.rows(query)),
    first: (query) => read((from) => from.first(query)),
    run: (query) => read((from) => from.run(query)),
    load: (statement, row) => read((from) => from.load(statement, row)),
  };
}
