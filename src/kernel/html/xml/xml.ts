const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Characters that XML 1.0 cannot contain, not even as references: control characters and two
 * noncharacters. Stored texts may contain them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * Escapes a text for use between tags or in a quoted attribute. Characters that XML cannot contain
 * become U+FFFD.
 */
export const escapeXml = (text: string): string =>
  text.replace(unwritable, '\ufffd').replace(/[&<>"']/g, (character) => entities[character] ?? '');

export const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
