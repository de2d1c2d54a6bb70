/**
 * A small reader of microformats2 (https://microformats.org/wiki/microformats2-parsing): it knows
 * the kinds of properties that pages have, and no implied ones.
 */

/** An element with its attributes and what is in it. */
interface Element {
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

/** An object of microformats2, such as an entry, with its properties and the objects in it. */
export interface Item {
  readonly type: string;
  readonly properties: Record<string, (string | Item)[]>;
  readonly children: Item[];
}

const voidElements = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'rect', 'path', 'line']);

/** Parses a page as this service renders it: every element that is not void is closed. */
function parsePage(text: string): Element {
  const root: Element = { attributes: {}, children: [] };
  const open = [root];
  const [, body = ''] = /<body>([\s\S]*)<\/body>/.exec(text) ?? [];
  for (const [, end, name = '', inside = '', words] of body.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*)>|([^<]+)/g,
  )) {
    if (words !== undefined) open.at(-1)?.children.push(words);
    else if (end) open.pop();
    else {
      const pairs = [...inside.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
      const attributes = Object.fromEntries(pairs.map(([, key, value = '']) => [key, value]));
      const element = { attributes, children: [] };
      open.at(-1)?.children.push(element);
      if (!voidElements.has(name) && !inside.endsWith('/')) open.push(element);
    }
  }
  return root;
}

const readText = (one: Element | string): string =>
  typeof one === 'string' ? one : one.children.map(readText).join('');

/** Returns the value of a property by its prefix: of u- a link, of dt- a time, else the text. */
function readValue(prefix: string, one: Element): string {
  const { href, datetime, value } = one.attributes;
  const special = prefix === 'u' ? href : prefix === 'dt' ? (datetime ?? value) : undefined;
  return special ?? readText(one).trim();
}

function collect(one: Element | string, owner: Item): void {
  if (typeof one === 'string') return;
  const classes = (one.attributes.class ?? '').split(' ');
  const type = classes.find((name) => name.startsWith('h-'));
  const properties = classes.flatMap((name) => {
    const [, prefix, property] = /^(p|u|dt|e)-(.+)$/.exec(name) ?? [];
    return prefix && property ? [{ prefix, property }] : [];
  });
  const item: Item | undefined = type ? { type, properties: {}, children: [] } : undefined;
  for (const child of one.children) collect(child, item ?? owner);
  if (item && type === 'h-card') item.properties.name = [readText(one).trim()];
  for (const { prefix, property } of properties) {
    owner.properties[property] ??= [];
    owner.properties[property].push(item ?? readValue(prefix, one));
  }
  if (item && properties.length === 0) owner.children.push(item);
}

/** Returns the objects of a page that are in no other one. */
export function readMicroformats(page: string): Item[] {
  const root: Item = { type: '', properties: {}, children: [] };
  collect(parsePage(page), root);
  return root.children;
}
