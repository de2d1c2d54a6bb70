import { search } from './search.ts';
import { showSearch } from './show-search.ts';

/** Operations of the search feature. */
export const searchOperations = [search, showSearch] as const;
