import type { ApiParameter } from '../../kernel/operation/api-document.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Names of things whose path does not name them. */
const namesByFolder: Readonly<Record<string, string>> = { e: 'receipt', keys: 'key id' };

/** Converts the plural of a path to the singular: "registration-tokens" to "registration token". */
const toSingular = (folder: string): string =>
  namesByFolder[folder] ??
  folder
    .replaceAll('-', ' ')
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '');

/** Returns the words for an id: those of the folder before it, or its own name. */
function nameThing(path: string, name: string): string {
  const [, folder = ''] = new RegExp(`/([a-z-]+)/\\{${name}\\}`).exec(path) ?? [];
  if (name === 'id' && folder !== '') return toSingular(folder);
  return name
    .replace(/Id$/, '')
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase();
}

/** A variable of the shell that stands for an id, which is of no use when it is made up. */
export interface Placeholder {
  /** The name of the parameter. */
  readonly name: string;
  /** The name of the variable, such as "THREAD". */
  readonly variable: string;
  /** The words for what the id belongs to, such as "thread". */
  readonly thing: string;
}

/** Lists the placeholders of the ids in a path and in the query that a call must have. */
export const listPlaceholders = (
  path: string,
  parameters: readonly ApiParameter[],
): Placeholder[] =>
  parameters
    .filter(({ in: place, required }) => place === 'path' || (place === 'query' && required))
    .filter(({ example }) => UUID.test(String(example)))
    .map(({ name }) => {
      const thing = nameThing(path, name);
      return { name, variable: thing.toUpperCase().replaceAll(' ', '_'), thing };
    });
