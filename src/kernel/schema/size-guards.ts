import { type FieldError, fail, type StoaError } from '../errors.ts';

/** So many faults of a request are described; of further ones it is said how many they are. */
export const DESCRIBED = 20;
/** UTF-16 units of a name that nobody knows; a longer one is cut. */
const LONGEST_NAME = 200;

/** Refuses a request for `count` faults, the first of them described. */
export function invalidFields(errors: readonly FieldError[], count = errors.length): StoaError {
  const [first] = errors;
  const more = count > 1 ? ` (and ${count - 1} more)` : '';
  return fail('invalid_request', `${first?.pointer} ${first?.detail}${more}.`, { errors });
}

export function unknownMember(parent: string, name: string): FieldError {
  const shown =
    name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;
  return {
    pointer: `${parent}/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    detail: 'is not a known member',
  };
}

export interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: unknown;
  readonly items?: Shape;
  readonly maxItems?: number;
  /** Of an object whose members the caller names. */
  readonly maxProperties?: number;
}

/**
 * Refuses lists with too many items and objects with too many, or a lot of unknown members by their number alone: what goes on from here has few
 * faults, and to check and describe them one by one takes little time. Errors: `invalid_request`.
 */
export function refuseExcess(
  { properties, additionalProperties, items, maxItems, maxProperties }: Shape,
  value: unknown,
  pointer: string,
): void {
  if (Array.isArray(value)) {
    if (maxItems !== undefined && value.length > maxItems)
      throw invalidFields([{ pointer, detail: `must NOT have more than ${maxItems} items` }]);
    if (items)
      for (const [index, item] of value.entries()) refuseExcess(items, item, `${pointer}/${index}`);
  } else if (typeof value === 'object' && value !== null && maxProperties !== undefined) {
    if (Object.keys(value).length > maxProperties)
      throw invalidFields([
        { pointer, detail: `must NOT have more than ${maxProperties} members` },
      ]);
  } else if (typeof value === 'object' && value !== null && properties) {
    const unknown =
      additionalProperties === false
        ? Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
        : [];
    if (unknown.length > DESCRIBED) {
      const described = unknown.slice(0, DESCRIBED).map((name) => unknownMember(pointer, name));
      throw invalidFields(described, unknown.length);
    }
    for (const [name, member] of Object.entries(value))
      if (Object.hasOwn(properties, name))
        refuseExcess(properties[name] as Shape, member, `${pointer}/${name}`);
  }
}
