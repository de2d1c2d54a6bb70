import type { factories, Json, RequestOptions } from '../../support/factories.ts';

const buildQuery = (q: string, more: Record<string, number>) =>
  new URLSearchParams([
    ['q', q],
    ...Object.entries(more).map(([name, value]): [string, string] => [name, String(value)]),
  ]);

/** Short ways to search. */
export function searchHelpers(f: ReturnType<typeof factories>) {
  const search = (
    q: string,
    options: RequestOptions = {},
    more: Record<string, number> = {},
  ): Promise<Json> => f.ok('GET', `/api/v1/search?${buildQuery(q, more)}`, options);
  return {
    /** The body of a search that must succeed. */
    search,
    /** Ids of what is found, the best first. */
    findIds: async (q: string, options?: RequestOptions): Promise<string[]> =>
      (await search(q, options)).results.map(({ id }: Json) => id),
  };
}
