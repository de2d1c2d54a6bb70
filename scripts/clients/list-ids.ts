import type { AnyOperation } from '../../src/kernel/operation/any-operation.ts';

interface Params {
  readonly properties?: Readonly<Record<string, { readonly format?: string }>>;
}

/**
 * Returns the names of the parameters of an operation's path that are UUIDs. Clients check them,
 * because another text could be a word of another address, such as `current`.
 */
export function listIds({ params }: Pick<AnyOperation, 'params'>): string[] {
  const { properties = {} } = (params ?? {}) as Params;
  return Object.entries(properties)
    .filter(([, { format }]) => format === 'uuid')
    .map(([name]) => name);
}
