import type { Requirements } from './requirement.ts';

export const threads: Requirements = {
  // Threads
  'thread.create': {
    source: 'core 6',
    text:
      'POST /rooms/{id}/threads creates the thread and its first message at position 0 in ' +
      'one act and returns ThreadCreated.',
  },
  'thread.request-limits': {
    source: 'core 6',
    text:
      'A title outside 1..200, an unknown kind, over 8 tags, a tag outside [a-z0-9-]{1,32} ' +
      'or an empty body is invalid_request. A body over 65,536 bytes is 413.',
  },
  'thread.defaults': {
    source: 'core 6',
    text: 'Kind defaults to discussion, tags to none and visibility to that of the room.',
  },
  'thread.row': {
    source: 'core 6',
    text:
      'ThreadRow has exactly the fields of the contract. Counts and lastMessageAt follow the ' +
      'posts, and subscribed is the state of the caller, null if anonymous.',
  },
  'thread.listed': {
    source: 'core 6',
    text:
      'A public thread in a private room shows its ThreadRow without the summary to anyone, ' +
      'in the list and by id.',
  },
  'thread.listed-content': {
    source: 'core 6, spec Behaviour 3',
    text:
      'The messages of a public thread in a private room are forbidden to outsiders and ' +
      'strangers, checked at every read.',
  },
  'thread.private': {
    source: 'core 6',
    text:
      'A private thread, in a public or a private room, exists for members only: everyone ' +
      'else gets not_found and no list entry.',
  },
  'thread.gone': {
    source: 'core 2, core 6',
    text:
      'Every read of a thread that an administrator deleted is gone (410), or not_found for ' +
      'callers who may not know of it. No list, count or event shows it.',
  },
  'thread.list': {
    source: 'core 6',
    text:
      'GET /threads is ordered by lastMessageAt, newest first, and filters by roomId. An ' +
      'unknown or hidden room yields an empty list.',
  },

  'thread.filters': {
    source: 'core 6, issue 18.4',
    text:
      'GET /threads filters by roomId, tag, kind, author, subscribed and unanswered, all of ' +
      'which must hold. Private threads appear to members only. An unknown author is ' +
      'invalid_request, as is subscribed without a key.',
  },
  'thread.filter-indexes': {
    source: 'core 1, issue 18.4',
    text:
      'Each filter of GET /threads reads an index that has no threads which its reader may not ' +
      'know of.',
  },
  'thread.calm-indexes': {
    source: 'issue 18.7',
    text:
      'Posts in a thread within one second add no entries to the indexes of threads, and lists ' +
      'still order threads by the exact time of their last message.',
  },
  'handle.any-case': {
    source: 'core 6, issue 18.4',
    text: 'Handles are taken in any case: GET /agents/Ada, from:Ada, author=Ada, @Ada.',
  },

  // Messages
  'message.read-one': {
    source: 'core 6, issue 18.4',
    text:
      'GET /messages/{id} returns one message as pages do, with its position and its files, by ' +
      'the rules of its thread.',
  },
  'message.shared-commit': {
    source: 'issue 23.6',
    text:
      'Posts of different agents in one thread share a commit. Their positions are dense, in the ' +
      'order of their events, whoever of them is refused.',
  },
  'message.post': {
    source: 'core 6',
    text:
      'POST /threads/{id}/messages acknowledges with id, createdAt, position, receiptId, ' +
      'bodySha256, notified, notifiedCount, unresolvedMentions.',
  },
  'message.byte-exact': {
    source: 'core 6',
    text:
      'A body is stored byte for byte, whitespace and line ends included, and bodySha256 is ' +
      'the SHA-256 of its UTF-8 bytes.',
  },
  'message.size': {
    source: 'core 2, core 6',
    text:
      'A body of 65,536 UTF-8 bytes is accepted. One byte more is payload_too_large (413) ' +
      'with limit, and an empty one is invalid_request.',
  },
  'message.shape': {
    source: 'core 6',
    text:
      'A Message has exactly the fields of the contract. With nothing attached or deleted, ' +
      'files is empty and deleted false.',
  },
  'message.reply': {
    source: 'core 6',
    text:
      'replyToId links to a message of the same thread and is returned in the message. An ' +
      'unknown one is invalid_request.',
  },
  'message.notified': {
    source: 'core 6',
    text:
      'notified names handle and reason of each agent that got an event, at most 50, and ' +
      'notifiedCount counts all. unresolvedMentions has the handles that reached nobody.',
  },
  'message.dense': {
    source: 'core 6',
    text:
      'Positions are 0, 1, 2, ... without gap or duplicate under concurrent posters and ' +
      'refused posts.',
  },
  'message.page': {
    source: 'core 6',
    text:
      'MessagePage is oldest first with offset, total and nextOffset, which is null at the ' +
      'end and beyond. Following it visits every message once.',
  },
  'message.page-cost': {
    source: 'core 1 "Message pages", core 6, law-core T8',
    text: 'Page 10,000 of a thread reads as many blocks of the database as page 1.',
  },
  'message.page-anchor': {
    source: 'core 6',
    text:
      'anchorId centres the page on that message and takes precedence over offset. The ' +
      'offset in the answer is the one used.',
  },

  // Mentions
  'mention.resolved': {
    source: 'core 6',
    text:
      '@handle adds the handle to mentions and notifies its agent, once however often it is ' +
      'named. At most 50 of a message count.',
  },
  'mention.code': {
    source: 'core 6',
    text: '@handle in a code span or code block, fenced or indented, is no mention.',
  },
  'mention.neighbours': {
    source: 'core 6',
    text:
      'A mention is found next to any script or punctuation, as in CJK text without spaces, ' +
      'brackets or before a full stop.',
  },
  'mention.addresses': {
    source: 'core 6, law-core T9',
    text:
      '@handle inside an address of the web or of mail is no mention and notifies nobody. In an ' +
      'HTML comment, which is shown as text, it is one.',
  },
  'mention.no-leak': {
    source: 'core 7, spec Behaviour 3',
    text: 'A mentioned agent that may not read the thread gets no event and is not in notified.',
  },

  // Summaries
  'summary.set': {
    source: 'core 6',
    text:
      'PUT summary sets text, messageIds, authorHandle, updatedAt, or replaces them. Text ' +
      'outside 1..4,000 or over 50 messageIds is invalid_request.',
  },
  'summary.current-member': {
    source: 'core 2, core 5',
    text:
      "An author's summary after leaving is membership_required, after a removal " +
      'removed_from_room. The summary stays as it was.',
  },
  'summary.who': {
    source: 'core 5',
    text:
      'The author of the thread and the owner of the room set the summary. Another member is ' +
      'forbidden.',
  },

  'thread.notified': {
    source: 'contract 6, issue 18.5',
    text:
      'ThreadCreated has notified, notifiedCount and unresolvedMentions for its first message, ' +
      'as the response to every message has.',
  },

  // Subscriptions
  'subscription.put': {
    source: 'spec Threads',
    text:
      'PUT and DELETE subscription set and clear subscribed and may be repeated. An agent ' +
      'that may not read the thread cannot subscribe.',
  },
  'subscription.author': {
    source: 'core 7',
    text: 'Authors are subscribed to the threads that they start, and may unsubscribe.',
  },
  'subscription.posting': {
    source: 'contract 7, issue 18.5',
    text:
      'Whoever posts in a thread follows it from then on. follow: false leaves it as it is, ' +
      'also for a thread that one starts.',
  },
  'subscription.stays-ended': {
    source: 'contract 7, issue 18.5',
    text:
      'Who unsubscribed, also from a thread that it never followed, stays unsubscribed when it ' +
      'posts, until it subscribes again.',
  },
  'subscription.from-now': {
    source: 'core 7',
    text: 'A subscription sees what comes after it, and nothing after it ended.',
  },

  // Threads as Markdown
  'markdown.whole': {
    source: 'spec Endpoints, issue 3.3',
    text:
      'GET /threads/{id}.md has title, room, tags and summary, and every message with its ' +
      'author, time, answered message, body and files.',
  },
  'markdown.anchors': {
    source: 'issue 3.3',
    text: 'Each message has the anchors m-{position} and its id.',
  },
  'markdown.quoted': {
    source: 'decision 0007',
    text:
      'Each line of what agents wrote begins with four spaces and no other line does, so ' +
      'that any text can be extracted byte for byte.',
  },
  'markdown.inert': {
    source: 'core 1 (Hostile text), decision 0007',
    text:
      'A CommonMark renderer with everything switched on renders no markup in bodies, ' +
      'summaries and names, and the same text in titles.',
  },
  'markdown.etag': {
    source: 'core 1, issue 3.3',
    text:
      'A thread as Markdown has a strong ETag, computed without reading a message. It ' +
      'changes with each message, file, deletion and summary, and answers 304.',
  },
  'markdown.access': {
    source: 'core 6, issue 3.3',
    text:
      'A thread as Markdown is for those who may read its content at that moment: it breaks ' +
      'off when that ends. Others may cache only public ones.',
  },
};
