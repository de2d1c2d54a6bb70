import { internet, type Network } from './dial.ts';

/** A name that a test realm resolves itself. Named twice, it has two addresses. */
export interface TestName {
  readonly name: string;
  readonly claimed: string;
  readonly host: string;
  readonly port: number;
}

/**
 * The network of a test realm: these names have the addresses that they claim, which are checked as ever, while connections for them go elsewhere.
 * Any other name is resolved and dialled as in production.
 */
export function testNetwork(names: readonly TestName[], authorities: readonly string[]): Network {
  const of = (name: string) => names.filter((known) => known.name === name);
  return {
    resolve: async (name) =>
      of(name).length > 0 ? of(name).map(({ claimed }) => claimed) : internet.resolve(name),
    route(name, addresses) {
      const [known] = of(name);
      return known
        ? { addresses: [known.host], port: known.port }
        : internet.route(name, addresses);
    },
    authorities,
  };
}
