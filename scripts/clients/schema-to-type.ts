import type { JsonObject } from '../../src/http/openapi/components.ts';

/** The part of JSON Schema that our schemas use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly anyOf?: readonly JsonObject[];
  readonly items?: JsonObject;
  readonly properties?: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonObject;
  readonly description?: string;
}

const WIDTH = 100;

/** Writes a comment at an indent, on one line if it fits. */
export function writeComment(text: string, indent = ''): string {
  const clean = text.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim();
  if (indent.length + clean.length + 7 <= WIDTH) return `${indent}/** ${clean} */\n`;
  const lines = [''];
  for (const word of clean.split(' ')) {
    const line = lines.at(-1) ?? '';
    const fits = indent.length + 3 + line.length + 1 + word.length <= WIDTH;
    if (fits || line === '') lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(word);
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** Puts a type in parentheses where a suffix such as `[]` would bind to its last part only. */
const enclose = (type: string): string => (/ \| |^readonly /.test(type) ? `(${type})` : type);

function writeSingleType(type: string | undefined, schema: Schema, indent: string): string {
  switch (type) {
    case 'object':
      return schema.properties || schema.additionalProperties !== true
        ? writeObject(schema, indent)
        : '{ readonly [name: string]: unknown }';
    case 'array':
      return `readonly ${enclose(writeType(schema.items ?? {}, indent))}[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    default:
      return 'unknown';
  }
}

/** Converts a schema, whose titled parts are references already, to a TypeScript type. */
export function writeType(schema: JsonObject, indent = ''): string {
  const { $ref, type, enum: values, anyOf } = schema as Schema;
  if ($ref) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (anyOf) return anyOf.map((one) => writeType(one, indent)).join(' | ');
  if (values) {
    const literals = values.filter((value) => value !== null).map((value) => `'${value}'`);
    const isNullable = Array.isArray(type) && type.includes('null');
    return [...literals, ...(isNullable ? ['null'] : [])].join(' | ');
  }
  const types = Array.isArray(type) ? (type as readonly string[]) : [type as string | undefined];
  return types.map((one) => writeSingleType(one, schema as Schema, indent)).join(' | ');
}

/** Writes a member, with the parts of a union on lines of their own where one line is too long. */
function writeMember(head: string, type: string, indent: string): string {
  const line = `${indent}${head}: ${type};\n`;
  if (line.length <= WIDTH + 1 || type.includes('\n')) return line;
  const writeParts = (union: string) =>
    union
      .split(' | ')
      .map((part) => `${indent}  | ${part}`)
      .join('\n');
  const [, before = '', group, after = ''] = /^([^(]*)\(([^()]*)\)(.*)$/.exec(type) ?? [];
  if (group === undefined) return `${indent}${head}:\n${writeParts(type)};\n`;
  return `${indent}${head}: ${before}(\n${writeParts(group)}\n${indent})${after};\n`;
}

/** Writes the members of an object, one a line, each with its description. */
function writeObject(schema: Schema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const { description } = member as Schema;
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
    const mark = required.includes(name) ? '' : '?';
    const comment = description ? writeComment(description, inner) : '';
    return `${comment}${writeMember(`readonly ${key}${mark}`, writeType(member, inner), inner)}`;
  });
  if (typeof additionalProperties === 'object')
    members.push(`${inner}readonly [name: string]: ${writeType(additionalProperties, inner)};\n`);
  if (members.length === 0) return '{ readonly [name: string]: never }';
  return `{\n${members.join('')}${indent}}`;
}
