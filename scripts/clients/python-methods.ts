import type { Components, JsonObject } from '../../src/http/openapi/components.ts';
import { type AnyOperation, isMutation } from '../../src/kernel/operation/any-operation.ts';
import type { TSchema } from '../../src/kernel/schema/schema.ts';
import { toErrorClass, toPascalCase, toSnakeCase } from './python-names.ts';
import { renderDocstring, renderSource, type Source } from './python-text.ts';
import { type PythonTypes, toOptional } from './python-types.ts';

/** An argument of a method, and the member of the request that it fills. */
interface Argument {
  readonly name: string;
  readonly member: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** What methods are rendered with. */
export interface Renderer {
  readonly types: PythonTypes;
  readonly components: Components;
  /** Fills in the names of methods in texts. */
  readonly fill: (text: string) => string;
}

function listArguments(
  schema: TSchema | undefined,
  prefix: string,
  { types, components, fill }: Renderer,
): Argument[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([member, value]) => ({
    name: toSnakeCase(member),
    member,
    type: types.render(components.schema(value), `${prefix}${toPascalCase(member)}`),
    isRequired: required.includes(member),
    description: typeof value.description === 'string' ? fill(value.description) : '',
  }));
}

const describeMember = ({ member, name }: Argument): string => `"${member}": ${name}`;

const toObject = (list: readonly Argument[], open = '{', close = '}'): Source => ({
  open,
  items: list.map(describeMember),
  close,
});

/** Returns the body: what must be there is sent, also as null; of the rest only what is given. */
function buildBody(list: readonly Argument[], isOptional: boolean): Source {
  const required = list.filter(({ isRequired }) => isRequired);
  const others = list.filter(({ isRequired }) => !isRequired);
  if (isOptional) return toObject(list, 'body=drop_none({', '}) or None');
  if (others.length === 0) return toObject(required, 'body={');
  if (required.length === 0) return toObject(others, 'body=drop_none({', '})');
  const rest = toObject(others, '**drop_none({', '})');
  return { open: 'body={', items: [...required.map(describeMember), rest], close: '}' };
}

const renderKeyword = ({ name, type, isRequired }: Argument): string =>
  isRequired ? `${name}: ${type}` : `${name}: ${toOptional(type)} = None`;

const keyArgument: Argument = {
  name: 'idempotency_key',
  member: '',
  type: 'str',
  isRequired: false,
  description:
    'By default a random one. Pass one that you have stored to repeat a call after a crash.',
};

const fileArguments: readonly Argument[] = [
  { name: 'name', member: '', type: 'str', isRequired: true, description: 'The name of the file.' },
  { name: 'content', member: '', type: 'bytes', isRequired: true, description: 'Its bytes.' },
];

/** Asserts that no two members of a request became one argument. Errors: throws with the names. */
function assertDistinct(operation: AnyOperation, list: readonly Argument[]): void {
  const names = list.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index || name === 'self');
  if (twice.length > 0)
    throw new Error(`${operation.name} has more than one argument ${twice.join(', ')}.`);
}

function renderReturnType(operation: AnyOperation, { types, components }: Renderer): string {
  if (operation.kind === 'stream') return 'Iterator[ServerSentEvent]';
  if (operation.kind !== 'call') return 'Content';
  const schema = components.schema(operation.output);
  return types.render(schema, `${toPascalCase(operation.name)}Answer`);
}

function listHeaders(operation: AnyOperation): Argument[] {
  if (operation.kind !== 'stream') return [];
  return Object.entries(operation.headers ?? {}).map(([member, description]) => ({
    name: toSnakeCase(member),
    member,
    type: 'str',
    isRequired: false,
    description,
  }));
}

function describe(operation: AnyOperation, list: readonly Argument[], { fill }: Renderer) {
  const { summary, description, errors = [] } = operation;
  return [
    fill(summary),
    ...(description ? [fill(description)] : []),
    ...list.filter((one) => one.description).map((one) => `${one.name}: ${one.description}`),
    ...(errors.length > 0 ? [`Errors: ${errors.map(toErrorClass).join(', ')}.`] : []),
  ];
}

/** Renders what a method does, by the kind of its operation. */
function renderStatement(kind: AnyOperation['kind'], items: readonly Source[]): string {
  const render = (open: string, close: string) => renderSource({ open, items, close }, '        ');
  if (kind === 'stream') return render('return self.stream(', ')');
  if (kind === 'call') return render('return self.call(', ').body');
  const last = '        return Content(answer.body, answer.headers, answer.status)\n';
  return render('answer = self.call(', ')') + last;
}

/** Renders the method of an operation. */
export function renderMethod(operation: AnyOperation, renderer: Renderer): string {
  const prefix = toPascalCase(operation.name);
  const isOptionalBody = operation.bodyOptional === true;
  const path = listArguments(operation.params, prefix, renderer).filter(
    ({ member }) => member !== 'service',
  );
  const query = listArguments(operation.query, prefix, renderer);
  const body = listArguments(operation.body, prefix, renderer).map((one) =>
    isOptionalBody ? { ...one, isRequired: false } : one,
  );
  const headers = listHeaders(operation);
  const file = operation.upload ? fileArguments : [];
  const key = isMutation(operation) ? [keyArgument] : [];
  const keywords = [...file, ...query, ...body, ...headers, ...key];
  assertDistinct(operation, [...path, ...keywords]);
  const ordered = [
    ...keywords.filter(({ isRequired }) => isRequired),
    ...keywords.filter(({ isRequired }) => !isRequired),
  ];
  const items: Source[] = [
    `"${operation.name}"`,
    ...(path.length > 0 ? [toObject(path, 'path={')] : []),
    ...(query.length > 0 ? [toObject(query, 'query={')] : []),
    ...(operation.body ? [buildBody(body, isOptionalBody)] : []),
    ...(file.length > 0 ? ['file=FileToSend(name, content)'] : []),
    ...(headers.length > 0 ? [toObject(headers, 'headers={')] : []),
    ...(key.length > 0 ? ['idempotency_key=idempotency_key'] : []),
  ];
  const returnType = renderReturnType(operation, renderer);
  const signature = [
    'self',
    ...path.map(({ name, type }) => `${name}: ${type}`),
    ...(ordered.length > 0 ? ['*', ...ordered.map(renderKeyword)] : []),
  ];
  const declaration = {
    open: `def ${toSnakeCase(operation.name)}(`,
    items: signature,
    close: `) -> ${returnType}:`,
  };
  const doc = describe(operation, [...path, ...ordered], renderer);
  return (
    renderSource(declaration, '    ') +
    renderDocstring(doc, '        ') +
    renderStatement(operation.kind, items)
  );
}
