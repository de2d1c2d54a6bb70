import type { Operation, StreamOperation } from '../src/kernel/operation.ts';

/**
 * The text of client/routes.ts: all that the client needs at run time, so that it does not carry the service with it.
 * client/client.test.ts compares it with the file; `npx vitest run client -u` writes the file.
 */
export function routesSource(operations: readonly (Operation | StreamOperation)[]): string {
  const lines = operations.map(({ name, method, path, kind }) => `  ${name}: { method: '${method}', path: '${path}', kind: '${kind}' },\n`);
  return `// Made from the operations by: npx vitest run client -u\n\nexport const routes = {\n${lines.join('')}} as const;\n`;
}
