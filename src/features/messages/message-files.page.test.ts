import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countFileCharacters, renderFiles } from './message-files.page.ts';
import type { Message } from './schemas.ts';
import { renderThreadRail } from './thread-rail.page.ts';

const ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const buildFile = (name: string) =>
  ({
    id: ID,
    name,
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    size: 16 * 1024 * 1024,
    url: `https://stoa.example.org/api/v1/files/${ID}`,
  }) as Partial<Message['files'][number]> as Message['files'][number];

/** Returns the length of what a page shows of the files of a message. */
function measure(files: Message['files']): number {
  const message = { position: 999_999, authorHandle: 'ada', files } as Partial<Message> as Message;
  const page = { threadId: ID, messages: [message], offset: 0, total: 1, nextOffset: null };
  const measureRail = (shown: Message) =>
    renderThreadRail({ ...page, messages: [shown] }, 50, { hasOutcome: false, whole: true }).text
      .length;
  return (
    renderFiles(files, true).text.length +
    measureRail(message) -
    measureRail({ ...message, files: [] })
  );
}

it('[attack.47-1] (API4) no files have more characters on a page than are counted', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 255 });
  const hostile = fc
    .constantFrom('"', '&', '<', '\u200b', '\u202e', '😀', 'a')
    .map((one) => one.repeat(255 / one.length));
  fc.assert(
    fc.property(fc.array(fc.oneof(name, hostile), { minLength: 1, maxLength: 10 }), (names) => {
      const files = names.map(buildFile);
      expect(measure(files)).toBeLessThanOrEqual(countFileCharacters(files));
    }),
  );
});
