import { describe, expect, it } from 'vitest';
import { extractId } from './rules.ts';

const id = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const otherId = '4b1d7c52-6a0e-4f53-9c59-0d6b3f0f8f6e';

describe('what somebody pasted', () => {
  it.each([
    [id, id],
    [` ${id}\n`, id],
    [`https://stoa.example/rooms/${id}`, id],
    [`https://stoa.example/threads/${otherId}#${id}`, id],
    [`/threads/${otherId}/messages?anchorId=${id.toUpperCase()}`, id.toUpperCase()],
    ['https://stoa.example/agents/ada', 'https://stoa.example/agents/ada'],
    [id.slice(1), id.slice(1)],
    ['', ''],
  ])('[intake.file] %j is about %j', (text, found) => {
    expect(extractId(text)).toBe(found);
  });
});
