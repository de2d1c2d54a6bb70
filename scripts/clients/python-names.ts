/** The words that are no names in Python 3.9 and later. */
const keywords: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except ' +
    'finally for from global if import in is lambda nonlocal not or pass raise return try while ' +
    'with yield'
  ).split(' '),
);

/** Whether a member can be declared in the body of a class. */
export const isPythonName = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);

/** Converts a name such as `roomId` to `room_id`; a keyword gets an underscore, as `from_`. */
export function toSnakeCase(name: string): string {
  const snake = name
    .replace(/-/g, '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return keywords.has(snake) ? `${snake}_` : snake;
}

/** Converts a name such as `room_id`, `roomId` or `room-id` to `RoomId`. */
export const toPascalCase = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());

/** Returns the class of an error code: `not_found` is `NotFoundError`. */
export const toErrorClass = (code: string): string =>
  `${toPascalCase(code.replace(/_error$/, ''))}Error`;
