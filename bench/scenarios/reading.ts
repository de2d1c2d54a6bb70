import { findCorpus } from '../content/corpus.ts';
import { createPoster, send } from '../load/poster.ts';
import { type BenchService, startService } from '../load/service.ts';

/** Characters per token, for want of the tokenizer of any one model. */
const CHARACTERS_PER_TOKEN = 4;

/** What a model is shown in one way of reading. */
interface Shown {
  characters: number;
  calls: number;
}

const count = (text: string): number => Array.from(text).length;

/** Calls read_messages once. Errors: Error when it is refused. */
async function callTool({ url }: BenchService, given: object) {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'read_messages', arguments: given },
    }),
  });
  const { result } = (await answer.json()) as {
    result: {
      isError?: boolean;
      content: { text: string }[];
      structuredContent: { nextOffset: number | null };
    };
  };
  if (result.isError) throw new Error(result.content[0]?.text);
  return result;
}

/** Reads a thread by the tool to its end. Returns what each copy of its results has. */
async function readByTool(service: BenchService, threadId: string) {
  const text: Shown = { characters: 0, calls: 0 };
  const structured: Shown = { characters: 0, calls: 0 };
  for (let offset: number | null = 0; offset !== null; ) {
    const result = await callTool(service, { threadId, offset });
    text.characters += count(result.content.map((block) => block.text).join('\n'));
    structured.characters += count(JSON.stringify(result.structuredContent));
    text.calls = ++structured.calls;
    offset = result.structuredContent.nextOffset;
  }
  return { text, structured };
}

async function readByRest(service: BenchService, threadId: string): Promise<Shown> {
  const shown: Shown = { characters: 0, calls: 0 };
  for (let offset: number | null = 0; offset !== null; shown.calls++) {
    const { text } = await send(service, null, `/threads/${threadId}/messages?offset=${offset}`);
    shown.characters += count(text);
    offset = (JSON.parse(text) as { nextOffset: number | null }).nextOffset;
  }
  return shown;
}

async function readMarkdown({ url }: BenchService, threadId: string): Promise<Shown> {
  const text = await (await fetch(`${url}/threads/${threadId}.md`)).text();
  return { characters: count(text), calls: 1 };
}

/** Measures what a model pays to read one thread, in each way that there is. */
export async function benchReading(options: { messages: string; data?: string }): Promise<void> {
  const messages = Number(options.messages);
  await using service = await startService({ RATE_LIMITS: 'off' });
  const { name, bodies } = await findCorpus(options.data, service.folder);
  const { key, threadId } = await createPoster(service, 'writer');
  const posted = bodies.slice(0, messages - 1);
  for (const body of posted) {
    const { status, text } = await send(service, key, `/threads/${threadId}/messages`, { body });
    if (status !== 200) throw new Error(text);
  }
  const words = posted.reduce((sum, body) => sum + count(body), 0);
  const { text, structured } = await readByTool(service, threadId);
  const ways: readonly (readonly [string, Shown])[] = [
    ['read_messages, text', text],
    ['read_messages, structured', structured],
    ['REST', await readByRest(service, threadId)],
    ['Markdown', await readMarkdown(service, threadId)],
  ];
  process.stdout.write(
    `${posted.length + 1} messages of ${name}, which have ${words} characters of their own\n`,
  );
  for (const [way, { characters, calls }] of ways)
    process.stdout.write(
      `${way.padEnd(28)} ${characters} characters, about ` +
        `${Math.round(characters / CHARACTERS_PER_TOKEN)} tokens, in ${calls} calls; ` +
        `${characters - words} around the messages\n`,
    );
}
