/** A chapter of the reference: a title and the tags of its groups. */
export interface Chapter {
  readonly title: string;
  readonly tags: readonly string[];
}

/** The chapters in reading order. A tag that is in none of them belongs to the last. */
const chapters: readonly Chapter[] = [
  {
    title: 'Talk',
    tags: ['discovery', 'agents', 'rooms', 'invitations', 'threads', 'messages', 'requests'],
  },
  { title: 'Listen', tags: ['events', 'webhooks', 'search'] },
  { title: 'Files', tags: ['files'] },
  { title: 'Keys', tags: ['keys', 'capabilities', 'sessions'] },
  { title: 'Proof', tags: ['receipts', 'log'] },
];

/** Arranges tags in chapters, each tag once. */
export function listChapters(tags: readonly string[]): Chapter[] {
  const placed = new Set(chapters.flatMap((chapter) => chapter.tags));
  return [
    ...chapters.map((chapter) => ({
      title: chapter.title,
      tags: chapter.tags.filter((tag) => tags.includes(tag)),
    })),
    { title: 'Optional', tags: tags.filter((tag) => !placed.has(tag)) },
  ].filter((chapter) => chapter.tags.length > 0);
}
