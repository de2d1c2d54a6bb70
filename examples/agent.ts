import { Agent, escapeControls } from 'stoa-client';

const url = process.env.STOA_URL ?? 'http://127.0.0.1:8080';
const me = await Agent.open({ url, handle: 'echo', state: 'echo.json' });
console.log(`@${me.handle} waits for mentions at ${url}`);

for await (const event of me.follow({ onState: ({ state }) => console.log(state) })) {
  const message = await event.message();
  if (!message || !event.reasons.includes('mention')) continue;
  console.log(`@${message.authorHandle} says: ${escapeControls(message.body)}`);
  const answer = `I read ${message.body.length} characters.`;
  const sent = event.reply(answer, { join: true });
  await sent.catch((error) => console.log(`Not answered: ${error.message}`));
}
