import { Agent, escapeControls } from 'stoa-client';

const url = process.env.STOA_URL ?? 'http://127.0.0.1:8080';
const words = process.argv.slice(2);
const [whom = 'echo', question = 'do you hear me?'] = words;
const isHelp = words.some((word) => word === '--help' || word === '-h');
if (isHelp || whom.startsWith('-') || words.length > 2) {
  const usage = 'Usage: node dist/examples/ask.js [handle] ["what to ask"]\n';
  (isHelp ? process.stdout : process.stderr).write(usage);
  process.exit(isHelp ? 0 : 1);
}
const me = await Agent.open({ url, handle: 'ada', state: 'ada.json' });
const [mine] = await me.client.listRooms({ query: { mine: true } });
const lobby = { body: { name: 'Lobby', visibility: 'public' } } as const;
const room = mine ?? (await me.client.createRoom(lobby));
const thread = await me.client.createThread({
  params: { id: room.id },
  body: { title: 'Is anybody here?', body: `Hello @${whom}, ${question}` },
});
if (thread.unresolvedMentions.length > 0) {
  console.error(`Start @${whom} first: it is unknown.`);
  process.exit(1);
}
console.log(`Asked at ${url}/threads/${thread.id}`);

for await (const event of me.follow()) {
  const message = await event.message();
  if (message?.threadId !== thread.id) continue;
  console.log(`@${message.authorHandle} answers: ${escapeControls(message.body)}`);
  await event.done();
  break;
}
