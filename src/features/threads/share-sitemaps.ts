import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../db/database.ts';
import type { Content } from '../../kernel/content.ts';
import { NIL_UUID } from '../../kernel/ids.ts';

/** How old a sitemap may be. Each process renders it at most once in this time. */
const EDITION_MS = 600_000;
/** Bytes of rendered sitemaps that a process keeps. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Finds the last thread of the sitemap that begins after a thread; null if it is the last one. */
type FindEnd = (after: string) => Promise<string | null>;

/** What sitemaps said at one moment. All that was rendered of it ends with it. */
interface Edition {
  /** When it was begun; long ago if it failed. */
  at: number;
  /** The last thread of each sitemap but the last one, in order, as far as they are found. */
  readonly found: string[];
  /** All of them. */
  readonly ends: Promise<readonly string[]>;
  readonly files: LRUCache<string, Content>;
  readonly pending: Map<string, Promise<Content>>;
}

const editions = new WeakMap<Queryable, Edition>();

/** Adds all ends after those that were found already, which never change, and returns them. */
async function findEnds(found: string[], findEnd: FindEnd): Promise<readonly string[]> {
  for (;;) {
    const end = await findEnd(found.at(-1) ?? NIL_UUID);
    if (end === null) return found;
    found.push(end);
  }
}

/** Returns the edition of this moment, which all who ask within ten minutes share. */
export function getEdition(db: Queryable, at: number, findEnd: FindEnd): Edition {
  const last = editions.get(db);
  if (last && at >= last.at && at < last.at + EDITION_MS) return last;
  const found: string[] = [];
  const findAll = async () => {
    await last?.ends.catch(() => {});
    found.push(...(last?.found ?? []));
    return findEnds(found, findEnd);
  };
  const edition: Edition = {
    at,
    found,
    ends: findAll(),
    files: new LRUCache({ maxSize: MAX_BYTES, sizeCalculation: ({ size = 1 }) => size }),
    pending: new Map(),
  };
  editions.set(db, edition);
  // A failure is not kept, but what was found is: the next request goes on there.
  edition.ends.catch(() => {
    edition.at = Number.NEGATIVE_INFINITY;
  });
  return edition;
}

/**
 * Returns a file of an edition, which is made once for all who ask for it. Errors: those of `make`,
 * which the next request runs again.
 */
export function shareFile(
  { files, pending }: Edition,
  name: string,
  make: () => Promise<Content>,
): Promise<Content> {
  const kept = files.get(name);
  if (kept) return Promise.resolve(kept);
  const known = pending.get(name);
  if (known) return known;
  const making = make()
    .then((content) => {
      files.set(name, content);
      return content;
    })
    .finally(() => pending.delete(name));
  pending.set(name, making);
  return making;
}
