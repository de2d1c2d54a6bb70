import { isPage } from '../../src/kernel/operation/any-operation.ts';
import { operations } from '../../src/operations.ts';

/** Whether a path is one of a template, such as "/rooms/{id}". */
const hasTemplate = (path: string, template: string): boolean =>
  new RegExp(`^${template.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(
    path,
  );

const countParameters = (template: string): number => template.split('{').length;

/**
 * Returns the names of the page operations of which none of the addresses is one. An address that
 * fits several templates is that of the one with the fewest parameters, as it is for the router.
 */
export function listMissingPages(addresses: readonly string[]): string[] {
  const pages = operations
    .filter(isPage)
    .toSorted((a, b) => countParameters(a.path) - countParameters(b.path));
  const shown = addresses.map((address) => {
    const [path = ''] = address.split(/[?#]/);
    return pages.find((one) => hasTemplate(path, one.path))?.name;
  });
  return pages.map(({ name }) => name).filter((name) => !shown.includes(name));
}
