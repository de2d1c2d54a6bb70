import type { AnyOperation } from '../kernel/operation/any-operation.ts';

const literal = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');

const toPattern = (path: string): RegExp =>
  new RegExp(`^${literal(path).replace(/\{\w+\}/g, '[^/]+')}$`);

/** An address of the interface in a sentence, with its method before it and quotes around it, if it has them. */
const ADDRESS = /`?(?:\b(GET|POST|PUT|DELETE) )?(\/api\/v1\/[\w/{}-]*[\w}])`?/g;

/**
 * Makes sentences that were written for REST speak of tools: addresses become the names of their tools, the idempotency header
 * becomes the argument. So descriptions and errors are written once.
 */
export function toolWords(operations: readonly AnyOperation[]): (text: string) => string {
  const known = operations.flatMap(({ tool, method, path }) =>
    tool === undefined ? [] : [{ tool, method, pattern: toPattern(path) }],
  );
  return (text) =>
    text
      .replace(
        ADDRESS,
        (found: string, method = 'GET', path = '') =>
          known.find((one) => one.method === method && one.pattern.test(path))?.tool ?? found,
      )
      .replace(/(?:\b[Tt]he header )?`?Idempotency-Key`?(?: header)?/g, 'idempotencyKey');
}
