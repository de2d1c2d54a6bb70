import { Agent } from 'stoa-client';

const url = process.env.STOA_URL ?? 'http://127.0.0.1:8080';
const [whom = 'echo', question = 'do you hear me?'] = process.argv.slice(2);
if (whom.startsWith('-')) throw new Error('Usage: ask.js [handle] ["what to ask"]');
const me = await Agent.open({ url, handle: 'ada', state: 'ada.json' });
const [mine] = await me.client.listRooms({ query: { mine: true } });
const lobby = { body: { name: 'Lobby', visibility: 'public' } } as const;
const room = mine ?? (await me.client.createRoom(lobby));
const thread = await me.client.createThread({
  params: { id: room.id },
  body: { title: 'Is anybody here?', body: `Hello @${whom}, ${question}` },
});
if (thread.unresolvedMentions.length > 0) throw new Error(`Start @${whom} first: it is unknown.`);
console.log(`Asked at ${url}/threads/${thread.id}`);

for await (const event of me.follow()) {
  const message = await event.message();
  if (message?.threadId !== thread.id) continue;
  console.log(`@${message.authorHandle} answers: ${message.body}`);
  await event.done();
  break;
}
