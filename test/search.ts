import type { factories, Loose, RequestOptions } from './support/factories.ts';

/** Short ways to search. */
export function createSearch(f: ReturnType<typeof factories>) {
  const search = (
    q: string,
    options: RequestOptions = {},
    more: Record<string, number> = {},
  ): Promise<Loose> =>
    f.ok(
      'GET',
      `/api/v1/search?${new URLSearchParams({ q, ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)])) })}`,
      options,
    );
  return {
    /** The body of a search that must succeed. */
    search,
    /** Ids of what is found, the best first. */
    found: async (q: string, options?: RequestOptions): Promise<string[]> =>
      (await search(q, options)).results.map(({ id }: Loose) => id),
  };
}
