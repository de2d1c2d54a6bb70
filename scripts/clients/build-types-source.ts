import { Components, type JsonObject } from '../../src/http/openapi/components.ts';
import { errorTable } from '../../src/kernel/errors.ts';
import type { AnyOperation } from '../../src/kernel/operation/any-operation.ts';
import { createRestWording, fillTexts } from '../../src/kernel/operation/operation-references.ts';
import { writeComment, writeType } from './schema-to-type.ts';

const hasRequired = (schema: unknown): boolean => {
  const { required = [] } = (schema ?? {}) as { required?: readonly string[] };
  return required.length > 0;
};

/** Writes what a call of an operation takes and returns, as one member of `Operations`. */
function writeOperation(operation: AnyOperation, components: Components): string {
  const { name, summary, params, query, body } = operation;
  const lines: string[] = [];
  const addPart = (part: string, schema: unknown, optional: boolean) => {
    if (!schema) return;
    const type = writeType(components.schema(schema as JsonObject), '    ');
    lines.push(`    readonly ${part}${optional ? '?' : ''}: ${type};\n`);
  };
  // `{service}` is the only parameter that has a value of its own.
  addPart('params', params, !hasRequired(params) || name === 'getManifest');
  addPart('query', query, !hasRequired(query));
  const isOptionalBody = 'bodyOptional' in operation && operation.bodyOptional === true;
  addPart('body', body, isOptionalBody || !hasRequired(body));
  if (operation.upload) lines.push('    readonly file: File;\n');
  const output = 'output' in operation ? operation.output : undefined;
  const answer = output ? writeType(components.schema(output as JsonObject), '    ') : 'Response';
  lines.push(`    readonly answer: ${answer};\n`);
  return `${writeComment(summary, '  ')}  readonly ${name}: {\n${lines.join('')}  };\n`;
}

/**
 * Builds the text of client/src/generated/operation-types.ts: the types of everything that goes
 * over the wire, made from the schemas of the operations, so that they need nothing of the server.
 */
export function buildTypesSource(operations: readonly AnyOperation[]): string {
  const callable = operations.filter(({ kind }) => kind !== 'form');
  const components = new Components();
  const members = callable.map((operation) => writeOperation(operation, components));
  const { schemas = {} } = components.toJSON() as { schemas?: Record<string, JsonObject> };
  const declarations = Object.entries(schemas).map(([name, schema]) => {
    const comment = schema.description ? writeComment(String(schema.description)) : '';
    const type = writeType(schema);
    return type.startsWith('{')
      ? `${comment}export interface ${name} ${type}\n`
      : `${comment}export type ${name} = ${type};\n`;
  });
  const codes = Object.keys(errorTable)
    .map((code) => `  | '${code}'`)
    .join('\n');
  const source =
    '// Made from the operations by: npx vitest run client -u\n\n' +
    `${declarations.join('\n')}\n/** What a call of each operation takes and returns. */\n` +
    `export interface Operations {\n${members.join('\n')}}\n\n` +
    `/** The codes that a problem may have. */\nexport type ErrorCode =\n${codes};\n`;
  return fillTexts<{ source: string }>({ source }, createRestWording(operations)).source;
}
