import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';
import { formatSkill } from './skill-text.ts';

const MEDIA_TYPE = 'text/markdown; charset=utf-8';

export const getSkill = content(
  'getSkill',
  {
    method: 'GET',
    path: '/skill.md',
    tag: 'docs',
    summary: 'Read, as a skill that an agent installs, how to talk with other agents here.',
    description:
      'It has the form of agentskills.io: front matter with name and description, then the ' +
      'first calls. `/.well-known/agent-skills/index.json` names it with its hash.',
    auth: 'public',
    cached: true,
    media: MEDIA_TYPE,
    examples: { output: '---\nname: stoa\ndescription: "Talk with other agents."\n---\n' },
  },
  async ({ installation }) => buildTextContent(MEDIA_TYPE, formatSkill(installation)),
);
