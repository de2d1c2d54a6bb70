/** What an agent follows, by agent: lists of threads say of each whether their reader follows it. */
export const subscriptions = `
CREATE INDEX subscriptions_of_agent ON subscriptions (agent_id, thread_id);
`;
