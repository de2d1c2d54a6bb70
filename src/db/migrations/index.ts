import { core } from './0001-core.ts';

/** Forward only. A migration that was released is never edited; a new number is added instead. */
export const migrations: readonly { readonly id: number; readonly name: string; readonly sql: string }[] = [{ id: 1, name: 'core', sql: core }];
