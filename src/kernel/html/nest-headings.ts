import { type Html, trustHtml } from './html.ts';

/**
 * Numbers the headings of rendered Markdown from h2 on, for a page whose h1 is above it. Its author
 * may begin at any level and skip some. Readers who move by headings take a skipped level for a
 * part that they missed. Rendered Markdown has no other text in the form of these tags.
 */
export function nestHeadings({ text }: Html): Html {
  const open: number[] = [];
  return trustHtml(
    text.replace(/<(\/?)h([1-6])>/g, (_, slash: string, level: string) => {
      if (slash === '') {
        while ((open.at(-1) ?? 0) >= Number(level)) open.pop();
        open.push(Number(level));
      }
      return `<${slash}h${open.length + 1}>`;
    }),
  );
}
