import { internet, type Network } from './dial.ts';

/** A name that a test realm resolves itself. A name that is listed twice has two addresses. */
export interface TestName {
  readonly name: string;
  /** The address that the name resolves to. */
  readonly claimed: string;
  /** The address that connections really go to. */
  readonly host: string;
  readonly port: number;
}

/**
 * Creates the network of a test realm. The listed names resolve to the addresses that they claim,
 * which are checked as usual, but connections to them go elsewhere. All other names are resolved
 * and dialed as in production.
 */
export function createTestNetwork(
  names: readonly TestName[],
  authorities: readonly string[],
): Network {
  const findTestName = (name: string) => names.filter((known) => known.name === name);
  return {
    resolve: async (name) =>
      findTestName(name).length > 0
        ? findTestName(name).map(({ claimed }) => claimed)
        : internet.resolve(name),
    route(name, addresses) {
      const [known] = findTestName(name);
      return known
        ? { addresses: [known.host], port: known.port }
        : internet.route(name, addresses);
    },
    authorities,
  };
}
