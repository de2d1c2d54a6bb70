import { type FieldError, fail, type StoaError } from '../errors.ts';
import { appendToPointer } from './json-pointer.ts';

/** The maximum number of faults that an error describes. It only counts further ones. */
export const MAX_DESCRIBED_ERRORS = 20;
/** The length, in UTF-16 units, to which the name of an unknown member is cut. */
const MAX_NAME_LENGTH = 200;

/** What is said of a member that a request may not have. */
export const UNKNOWN_MEMBER = 'is not a known member: leave it out, or correct its name';

/**
 * Builds the error of a request with `count` faults, of which `errors` describes the first ones.
 */
export function failFields(errors: readonly FieldError[], count = errors.length): StoaError {
  const [first] = errors;
  const more = count > 1 ? ` (and ${count - 1} more)` : '';
  return fail('invalid_request', `${first?.pointer} ${first?.detail}${more}.`, { errors });
}

export function toUnknownMemberError(parent: string, name: string): FieldError {
  const shownName =
    name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : name;
  return {
    pointer: appendToPointer(parent, shownName),
    detail: UNKNOWN_MEMBER,
  };
}

/** The parts of a JSON Schema that limit the size of a value. */
export interface SchemaShape {
  readonly properties?: Readonly<Record<string, SchemaShape>>;
  readonly additionalProperties?: unknown;
  readonly items?: SchemaShape;
  readonly maxItems?: number;
  /** Limits an object whose members the caller names. */
  readonly maxProperties?: number;
}

/**
 * Rejects an object by its names alone, where more of them are unknown than an error describes.
 * Errors: `invalid_request`.
 */
export function rejectManyUnknown(
  names: readonly string[],
  isKnown: (name: string) => boolean,
  pointer: string,
): void {
  const unknown = names.filter((name) => !isKnown(name));
  if (unknown.length <= MAX_DESCRIBED_ERRORS) return;
  const described = unknown
    .slice(0, MAX_DESCRIBED_ERRORS)
    .map((name) => toUnknownMemberError(pointer, name));
  throw failFields(described, unknown.length);
}

/**
 * Rejects lists and objects with too many members, and objects with many unknown members, by their
 * number alone. The rest of a request then has few faults, so checking and describing each of them
 * takes little time.
 * Errors: `invalid_request`.
 */
export function rejectOversizedInput(
  { properties, additionalProperties, items, maxItems, maxProperties }: SchemaShape,
  value: unknown,
  pointer: string,
): void {
  if (Array.isArray(value)) {
    if (maxItems !== undefined && value.length > maxItems)
      throw failFields([{ pointer, detail: `must have at most ${maxItems} items` }]);
    if (items)
      for (const [index, item] of value.entries())
        rejectOversizedInput(items, item, `${pointer}/${index}`);
  } else if (typeof value === 'object' && value !== null && maxProperties !== undefined) {
    if (Object.keys(value).length > maxProperties)
      throw failFields([{ pointer, detail: `must have at most ${maxProperties} members` }]);
  } else if (typeof value === 'object' && value !== null && properties) {
    if (additionalProperties === false)
      rejectManyUnknown(Object.keys(value), (name) => Object.hasOwn(properties, name), pointer);
    for (const [name, member] of Object.entries(value))
      if (Object.hasOwn(properties, name))
        rejectOversizedInput(properties[name] as SchemaShape, member, `${pointer}/${name}`);
  }
}
