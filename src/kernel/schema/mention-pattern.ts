/**
 * Finds `@handle` in a text; group 1 is the handle as it was written. Neighbors of any script and
 * any punctuation are fine. An ASCII letter or digit before the "@", also with "_" or "-" in
 * between, makes it part of something else, such as an e-mail address. "_" and "-" after the last
 * letter or digit belong to the prose.
 *
 * The time is linear in the length of the text. The pattern matches the "@" first and looks back
 * from there: V8 stops optimizing patterns in a process that has compiled many of them, and a
 * pattern that begins with the lookbehind then looks back from every character.
 */
export const mentionPattern = /@(?<![A-Za-z0-9][_-]*@)([A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?)/g;
