const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * What XML 1.0 has no way to write, not even as a reference, and stored texts may have: control
 * characters and two noncharacters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A text between tags or in quotes of an XML document. What cannot be written becomes U+FFFD. */
export const escapeXml = (text: string): string =>
  text.replace(unwritable, '\ufffd').replace(/[&<>"']/g, (character) => entities[character] ?? '');

export const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
