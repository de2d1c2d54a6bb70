import { InvalidArgumentError } from 'commander';

/** Parses the number of an option. Errors: InvalidArgumentError unless it is above 0. */
export function parseAmount(text: string): number {
  const amount = Number(text);
  if (!(amount > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return amount;
}
