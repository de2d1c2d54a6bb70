import { search } from './search.ts';
import { showSearch } from './show-search.ts';

export const searchOperations = [search, showSearch] as const;
