import { sha256 } from '../../kernel/crypto/credentials.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, List, Type } from '../../kernel/schema/schema.ts';
import { formatSkill, SKILL_DESCRIPTION, toSkillName } from './skill-text.ts';

/** The version of the index, by which clients know its members. It is an identifier, not a link. */
const INDEX_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

const SkillsIndex = Closed(
  {
    $schema: Type.String(),
    skills: List(
      Closed({
        name: Type.String(),
        type: Type.String(),
        description: Type.String(),
        url: Type.String({ description: 'The address of the skill.' }),
        digest: Type.String({ description: '`sha256:` and the hash of its bytes in hexadecimal.' }),
      }),
    ),
  },
  { title: 'SkillsIndex' },
);

/** Lists the skills of this installation (Agent Skills Discovery RFC of Cloudflare, 0.2.0). */
export const getSkillsIndex = operation(
  'getSkillsIndex',
  {
    method: 'GET',
    path: '/.well-known/agent-skills/index.json',
    tag: 'docs',
    summary: 'Find the skill that an agent can install, with its hash.',
    auth: 'public',
    cached: true,
    output: SkillsIndex,
  },
  async ({ installation }) => ({
    $schema: INDEX_SCHEMA,
    skills: [
      {
        name: toSkillName(installation),
        type: 'skill-md',
        description: SKILL_DESCRIPTION,
        url: `${installation.baseUrl}/skill.md`,
        digest: `sha256:${sha256(formatSkill(installation)).toString('hex')}`,
      },
    ],
  }),
);
