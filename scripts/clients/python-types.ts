import type { JsonObject } from '../../src/http/openapi/components.ts';
import { isPythonName, toPascalCase } from './python-names.ts';
import { renderLiteral, WIDTH, wrapLiterals, wrapText } from './python-text.ts';

interface Member {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Returns the type that also allows None. */
export const toOptional = (type: string): string =>
  /^(Optional\[.*\]|Any|None)$/.test(type) ? type : `Optional[${type}]`;

const renderMember = ({ name, type, description }: Member): string =>
  [
    ...wrapText(description, WIDTH - 8).map((line) => `    #: ${line}\n`),
    `${wrapLiterals(`    ${name}: ${type}`, '    ')}\n`,
  ].join('');

/**
 * Renders members whose names a class cannot declare, such as keywords. Their types are evaluated
 * at once, so they may use what stands before.
 */
const renderFunctional = (name: string, members: readonly Member[], options: string): string =>
  `${name} = TypedDict(\n    "${name}",\n    {\n` +
  members
    .map((one) => `${wrapLiterals(`        "${one.name}": ${one.type},`, '        ')}\n`)
    .join('') +
  `    },${options && `\n    ${options},`}\n)\n`;

function renderClass(name: string, base: string, members: readonly Member[], doc: string): string {
  const body = members.map(renderMember).join('') || '    pass\n';
  return `class ${name}(${base}):\n${doc}${body}`;
}

function renderDictionary(name: string, members: readonly Member[]): string {
  const required = members.filter(({ isRequired }) => isRequired);
  const others = members.filter(({ isRequired }) => !isRequired);
  if (!members.every((one) => isPythonName(one.name))) {
    if (required.length > 0 && others.length > 0)
      throw new Error(`${name} has a member that Python cannot declare, and optional ones.`);
    return renderFunctional(name, members, others.length > 0 ? 'total=False' : '');
  }
  if (others.length === 0) return renderClass(name, 'TypedDict', required, '');
  if (required.length === 0) return renderClass(name, 'TypedDict, total=False', others, '');
  // NotRequired came with Python 3.11.
  return (
    `${renderClass(`${name}Required`, 'TypedDict', required, '')}\n\n` +
    renderClass(name, `${name}Required, total=False`, others, '')
  );
}

/** Renders JSON schemas, in which titled ones are references, as types of Python. */
export class PythonTypes {
  readonly #declarations = new Map<string, string>();
  readonly #fill: (text: string) => string;

  /** `fill` puts the names of methods into descriptions. */
  constructor(fill: (text: string) => string) {
    this.#fill = fill;
  }

  /** Renders a schema; an object without a title is declared under `name`. */
  render(schema: JsonObject, name: string): string {
    const { $ref, type, anyOf, oneOf, items, properties, additionalProperties } = schema;
    const options = (anyOf ?? oneOf) as JsonObject[] | undefined;
    if (typeof $ref === 'string') return $ref.replace(/^.*\//, '');
    if (options) return this.#renderUnion(options, name);
    if ('const' in schema) return `Literal[${renderLiteral(schema.const)}]`;
    if (Array.isArray(schema.enum)) return this.#renderEnum(schema.enum);
    if (Array.isArray(type)) {
      const rest = type.filter((one) => one !== 'null');
      const all = rest.map((one) => this.render({ ...schema, type: one }, name));
      const union = all.length === 1 ? (all[0] ?? 'Any') : `Union[${all.join(', ')}]`;
      return rest.length < type.length ? toOptional(union) : union;
    }
    if (type === 'array')
      return `List[${items ? this.render(items as JsonObject, `${name}Item`) : 'Any'}]`;
    // A TypedDict cannot say that there may be other members.
    if (type === 'object' && properties && !additionalProperties) {
      this.declare(name, schema);
      return name;
    }
    if (type === 'object' && typeof additionalProperties === 'object')
      return `Dict[str, ${this.render(additionalProperties as JsonObject, `${name}Value`)}]`;
    if (type === 'object') return 'Dict[str, Any]';
    return plainTypes[String(type)] ?? 'Any';
  }

  /** Declares a type. Errors: throws when another type has the name. */
  declare(name: string, schema: JsonObject): void {
    const declaration = this.#renderDeclaration(name, schema);
    const known = this.#declarations.get(name);
    if (known !== undefined && known !== declaration)
      throw new Error(`Two different types would be called ${name}. Give one a title.`);
    this.#declarations.set(name, declaration);
  }

  /** Returns the names that are declared, in order. */
  listNames(): string[] {
    return [...this.#declarations.keys()].sort();
  }

  /** Returns the source of all declarations. */
  renderAll(): string {
    const all = this.listNames().map((name) => this.#declarations.get(name) ?? '');
    const isClass = (text: string) => text.startsWith('class ');
    return [...all.filter(isClass), ...all.filter((text) => !isClass(text))].join('\n\n');
  }

  #renderDeclaration(name: string, schema: JsonObject): string {
    const { properties, required = [], type } = schema;
    if (type !== 'object' || !properties)
      throw new Error(`${name} is no object with members, so it needs no title.`);
    const members = Object.entries(properties as Record<string, JsonObject>).map(
      ([member, value]): Member => ({
        name: member,
        type: this.render(value, `${name}${toPascalCase(member)}`),
        isRequired: (required as string[]).includes(member),
        description: typeof value.description === 'string' ? this.#fill(value.description) : '',
      }),
    );
    return renderDictionary(name, members);
  }

  #renderUnion(options: readonly JsonObject[], name: string): string {
    const others = options.filter(({ type }) => type !== 'null');
    const all = [...new Set(others.map((one, nr) => this.render(one, `${name}${nr || ''}`)))];
    const union = all.length === 1 ? (all[0] ?? 'Any') : `Union[${all.join(', ')}]`;
    return others.length < options.length ? toOptional(union) : union;
  }

  #renderEnum(values: readonly unknown[]): string {
    const others = values.filter((value) => value !== null);
    const literal = `Literal[${others.map(renderLiteral).join(', ')}]`;
    return others.length < values.length ? toOptional(literal) : literal;
  }
}
