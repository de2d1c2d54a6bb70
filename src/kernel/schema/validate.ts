import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import type { FieldError } from '../errors.ts';
import { describeFault } from './fault-words.ts';
import { assertStorable } from './json.ts';
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
 * Functions that return the normal form of a string, or what is wrong with it. A text that is too
 * long for `most` code points may be returned unchanged.
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
    // Whether an empty text is allowed is decided by `minLength`.
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
    // Faults are described from the schema that they broke.
    verbose: true,
  });
  ajv.addKeyword({
    keyword: 'textKind',
    type: 'string',
    schemaType: 'string',
    // The text is normalised before its length is checked, because the stored form counts.
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
 * Converts texts that are written like numbers or booleans where the schema wants these. Any other
 * text is kept and fails validation. Ajv's own coercion is not used: it accepts "0x10" and " 1",
 * and lets "1e999" pass as an integer beyond every maximum.
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

/** Deletes members that the schema does not declare. */
function dropUnknown(schema: TSchema, value: unknown): void {
  const { properties = {} } = schema as { readonly properties?: Members };
  for (const name of Object.keys(value as object))
    if (!Object.hasOwn(properties, name)) delete (value as Record<string, unknown>)[name];
}

function toFieldError(error: ErrorObject, base: string): FieldError {
  if (error.keyword === 'additionalProperties')
    return toUnknownMemberError(base + error.instancePath, String(error.params.additionalProperty));
  const missing = error.keyword === 'required' ? `/${error.params.missingProperty}` : '';
  return {
    pointer: base + error.instancePath + missing,
    detail: error.keyword === 'textKind' ? String(error.message) : describeFault(error),
  };
}

/**
 * Validates and normalises a value in place (defaults, names, UUIDs).
 * Errors: `invalid_request` with every broken field, at most 20 of them.
 */
export type Validate = (value: unknown) => void;

/**
 * Creates a validator. `where` is "body" (no coercion: "1" is not 1), or "query" or "path" (texts
 * become the numbers and booleans of their schema). "query of a page" ignores unknown members
 * instead of refusing them.
 */
export function createValidator(
  schema: TSchema,
  where: 'body' | 'query' | 'query of a page' | 'path',
): Validate {
  const place = where === 'query of a page' ? 'query' : where;
  let validate: ValidateFunction | undefined;
  return (value) => {
    if (where === 'query of a page') dropUnknown(schema, value);
    // The schema is compiled on its first use, so a process that serves ten operations does not pay
    // for two hundred.
    validate ??= ajv.compile(schema);
    // A body was checked when it was parsed, and a path names nothing that has a NUL.
    if (place === 'query') assertStorable(value, '/query');
    if (place !== 'body') {
      coerceTexts(schema, value);
    }
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
 * Creates a check of values against an output schema. It returns the faults as text, or undefined.
 * Tests check every answer with it.
 */
export function createOutputCheck(schema: TSchema): (value: unknown) => string | undefined {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    return validate(structuredClone(value)) ? undefined : ajv.errorsText(validate.errors);
  };
}
