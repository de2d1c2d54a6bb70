/** Returns a JSON Pointer to a member of what `parent` points to (RFC 6901, section 3). */
export const appendToPointer = (parent: string, member: string): string =>
  `${parent}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
