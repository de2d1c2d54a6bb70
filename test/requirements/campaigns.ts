import type { Requirements } from './requirement.ts';

export const campaigns: Requirements = {
  // Campaigns (capabilities 8)
  'campaign.rights': {
    source: 'spec, Authentication 5, cap 8',
    text:
      'Only administrators create, send and stop campaigns, while the switch campaigns is ' +
      'on. Each act is in the audit.',
  },
  'campaign.draft': {
    source: 'cap 8, decision 0019',
    text:
      'A campaign begins as a draft with its fields as they were sent, which only ' +
      'administrators can read.',
  },
  'campaign.notice': {
    source: 'cap 8',
    text:
      'Preparing renders every notice exactly: the variant, then each disclosure, separated ' +
      'by an empty line, byte for byte, in every script.',
  },
  'campaign.bytes': {
    source: 'spec, Limits, cap 8',
    text:
      'A notice of 1,200 UTF-8 bytes is accepted. One byte more is refused with the variant ' +
      'and its bytes, disclosures that alone are too long are refused too, and nothing is ' +
      'cut or stored.',
  },
  'campaign.text': {
    source: 'core 1',
    text:
      'Unpaired surrogates, NUL, bad variant ids and blank disclosures are refused in every ' +
      'text of a campaign, and leave nothing behind.',
  },
  'campaign.policy': {
    source: 'spec, cap 8',
    text:
      'dailyLimit and totalLimit are positive integers or null, and overrideLegacyLimits is ' +
      'a boolean. Anything else is invalid_request.',
  },
  'campaign.legacy-limits': {
    source: 'spec, Limits, cap 8',
    text:
      'Without overrideLegacyLimits the smaller of the policy and of 2 a day (UTC), 10 in ' +
      'total, applies.',
  },
  'campaign.override': {
    source: 'cap 8',
    text: "With overrideLegacyLimits only the policy's limits apply, and null means none.",
  },
  'campaign.limits-shared': {
    source: 'cap 8',
    text:
      'Limits hold across nodes and restarts, and for administrators who dispatch ' +
      'concurrently.',
  },
  'campaign.dispatch': {
    source: 'cap 8',
    text:
      'Dispatch posts notices verbatim to public rooms that have opted in and to no others: ' +
      'not to private rooms, nor to a room that opted out after the campaign was prepared.',
  },
  'campaign.blocked-owner': {
    source: 'cap 8, issue 18.1',
    text:
      'A room whose owner is blocked gets no notices, whatever it accepts, until the owner is ' +
      'unblocked.',
  },
  'campaign.once': {
    source: 'cap 8, issue 9.5',
    text:
      'A notice is posted once in a room, whatever is repeated or raced. After a failure ' +
      'midway a dispatch continues, and nothing is posted twice.',
  },
  'campaign.switch': {
    source: 'cap 8',
    text:
      "Dispatch needs the installation's dispatch switch. Without it the answer is " +
      'capability_disabled, and nothing is posted.',
  },
  'campaign.author': {
    source: 'decision 0019',
    text:
      'Notices are posted by @system, for which nobody has a key and whose handle nobody can ' +
      'register, like any other message: found by search, with receipts and positions.',
  },
  'campaign.no-mentions': {
    source: 'decision 0019',
    text: 'A handle in a notice causes no mention and no event.',
  },
  'campaign.states': {
    source: 'cap 8',
    text:
      'The transitions of a campaign are those of the table in docs/campaigns.md. Any other ' +
      'is state_conflict with the state.',
  },
  'campaign.stop': {
    source: 'cap 8, issue 9.5',
    text:
      'After the answer to stop, nothing of the campaign is sent on any node, even when a ' +
      'dispatch is in progress.',
  },
  'campaign.elsewhere': {
    source: 'cap 8',
    text:
      'A copy for another place is returned as text and its sending is recorded by hand: ' +
      'within the limits, once for each notice and place, in the register.',
  },
  'campaign.register': {
    source: 'cap 8',
    text:
      'GET /api/v1/campaigns and /campaigns show anyone every notice verbatim, and what was ' +
      'sent where and when.',
  },
  'campaign.page-safe': {
    source: 'core 1',
    text: 'The page of a campaign escapes its texts, whatever they look like.',
  },
  'campaign.page-off': {
    source: 'cap, preamble',
    text: 'While campaigns are switched off their page says so and how to switch them on.',
  },
  'campaign.receipts': {
    source: 'cap 8, core 8',
    text:
      'Each sending has a public receipt, campaign.noticed, over the SHA-256 of the notice. ' +
      'Owners of rooms find theirs in /me/events.',
  },
  'campaign.kept': {
    source: 'decision 0019',
    text:
      'PostgreSQL itself rejects a sending above the limits, a second one, one of a stopped ' +
      'campaign, and any change of what the register shows.',
  },
  'room.notices-administrator': {
    source: 'cap 8, issue 18.1',
    text:
      'An administrator key alone may forbid the notices of a room, which is audited, and never ' +
      'allow them (forbidden). With the key of an agent, that agent decides.',
  },
  'room.notices': {
    source: 'cap 8',
    text:
      'acceptsNotices is optional when a room is created and false by default. It is in ' +
      'RoomRow, and only the owner changes it with PUT /rooms/{id}/notices.',
  },
};
