import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import type { FieldError } from '../errors.ts';
import type { TextKind, TSchema } from './schema.ts';
import {
  failFields,
  MAX_DESCRIBED_ERRORS,
  rejectOversizedInput,
  type SchemaShape,
  toUnknownMemberError,
} from './size-guards.ts';
import { findHttpsFault, findNameFault, normaliseName, normaliseTime } from './text.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A string's normal form, or what is wrong with it; one that is longer than `most` code points may
 * be left as it is.
 */
const normalisers: Record<
  TextKind,
  (text: string, most: number | undefined) => { value: string } | { fault: string }
> = {
  name: (text, most) => {
    const fault = findNameFault(text);
    return fault ? { fault } : { value: normaliseName(text, most) };
  },
  uuid: (text) => (UUID.test(text) ? { value: text.toLowerCase() } : { fault: 'must be a UUID' }),
  time: (text) => {
    const value = normaliseTime(text);
    return value === undefined
      ? { fault: 'must be a time such as 2026-01-31T12:00:00.000Z' }
      : { value };
  },
  https: (text) => {
    // Whether there may be none is for `minLength` to say.
    const fault = text === '' ? undefined : findHttpsFault(text);
    return fault ? { fault } : { value: text };
  },
};

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    useDefaults: true,
    strict: true,
    validateFormats: false,
  });
  ajv.addKeyword({
    keyword: 'textKind',
    type: 'string',
    schemaType: 'string',
    // Before the lengths are counted: what counts is what is stored.
    before: 'maxLength',
    modifying: true,
    errors: true,
    compile: (kind: TextKind, { maxLength }: AnySchemaObject) => {
      const check: ValidateFunction = ((
        text: string,
        context?: { parentData: Record<string, unknown>; parentDataProperty: string | number },
      ) => {
        const result = normalisers[kind](text, maxLength);
        if ('value' in result) {
          if (context) context.parentData[context.parentDataProperty] = result.value;
          return true;
        }
        check.errors = [{ keyword: 'textKind', message: result.fault, params: {} } as ErrorObject];
        return false;
      }) as ValidateFunction;
      return check as never;
    },
  });
  return ajv;
}

const ajv = createAjv();

type Members = Readonly<Record<string, { readonly type?: string | readonly string[] }>>;

/**
 * Makes numbers and booleans of the texts that are written like them; any other text is left and
 * refused as one. Not Ajv's own coercion, which takes "0x10" and " 1", and lets "1e999" pass as an
 * integer beyond every maximum.
 */
function coerceTexts(schema: TSchema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>;
  for (const [name, { type = [] }] of Object.entries(
    (schema as { readonly properties?: Members }).properties ?? {},
  )) {
    const text = members[name];
    if (typeof text !== 'string') continue;
    if (type.includes('integer') && /^-?\d{1,16}$/.test(text)) members[name] = Number(text);
    else if (type.includes('boolean') && /^(true|false)$/.test(text))
      members[name] = text === 'true';
  }
}

/** Leaves out what a schema does not know. */
function dropUnknown(schema: TSchema, value: unknown): void {
  const { properties = {} } = schema as { readonly properties?: Members };
  for (const name of Object.keys(value as object))
    if (!Object.hasOwn(properties, name)) delete (value as Record<string, unknown>)[name];
}

function toFieldError(error: ErrorObject, base: string): FieldError {
  if (error.keyword === 'additionalProperties')
    return toUnknownMemberError(base + error.instancePath, String(error.params.additionalProperty));
  if (error.keyword === 'required')
    return {
      pointer: `${base}${error.instancePath}/${error.params.missingProperty}`,
      detail: 'is required',
    };
  if (error.keyword === 'enum') {
    const allowed = (error.params.allowedValues as unknown[]).filter((value) => value !== null);
    return { pointer: base + error.instancePath, detail: `must be one of ${allowed.join(', ')}` };
  }
  return { pointer: base + error.instancePath, detail: error.message ?? 'is not valid' };
}

/**
 * Checks and normalises a value in place (defaults, names, UUIDs). Errors: `invalid_request` with
 * every broken field, at most 20 of them.
 */
export type Validate = (value: unknown) => void;

/**
 * `where` is "body" (no coercion: "1" is not 1), "query" or "path" (texts become the numbers and
 * booleans of their schema), or "query of a page", of which unknown members are left out instead of
 * refused.
 */
export function createValidator(
  schema: TSchema,
  where: 'body' | 'query' | 'query of a page' | 'path',
): Validate {
  const place = where === 'query of a page' ? 'query' : where;
  let validate: ValidateFunction | undefined;
  return (value) => {
    if (where === 'query of a page') dropUnknown(schema, value);
    // Compiled when first used: a process that serves ten operations does not pay for two hundred.
    validate ??= ajv.compile(schema);
    if (place !== 'body') coerceTexts(schema, value);
    rejectOversizedInput(schema as SchemaShape, value, `/${place}`);
    if (validate(value)) return;
    const { errors } = validate;
    const fieldErrors = (errors ?? [])
      .slice(0, MAX_DESCRIBED_ERRORS)
      .map((error) => toFieldError(error, `/${place}`));
    throw failFields(fieldErrors, errors?.length);
  };
}

/**
 * Whether a value fits an output schema; the faults as text, or undefined. Tests hold every answer
 * to it.
 */
export function createOutputCheck(schema: TSchema): (value: unknown) => string | undefined {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    return validate(structuredClone(value)) ? undefined : ajv.errorsText(validate.errors);
  };
}
