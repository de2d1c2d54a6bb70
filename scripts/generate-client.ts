import type { AnyOperation } from '../src/kernel/operation/any-operation.ts';

/**
 * The text of client/routes.ts: all that the client needs at run time, so that it does not carry the service with it. Forms are for browsers.
 * client/client.test.ts compares it with the file; `npx vitest run client -u` writes the file.
 */
export function routesSource(operations: readonly AnyOperation[]): string {
  const called = operations.filter(({ kind }) => kind !== 'form');
  const lines = called.map(({ name, method, path, kind, auth }) => {
    const guest = auth === 'context' ? `, auth: '${auth}'` : '';
    return `  ${name}: { method: '${method}', path: '${path}', kind: '${kind}'${guest} },\n`;
  });
  return `// Made from the operations by: npx vitest run client -u\n\nexport const routes = {\n${lines.join('')}} as const;\n`;
}
