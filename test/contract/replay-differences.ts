// Where the embedded server answers otherwise than the recorded one, on purpose, and why. A
// difference that is not here fails it, and so does one that is here and no longer there. `line:code` is the line of
// the command in the recording and the code of the answer here, none where the connection was closed; Q1 and the
// like are entries of src/protocol/QUIRKS.md, numbers of sections those of src/protocol/PROTOCOL.md.

export interface Difference {
  reason: string;
  /** by recording */
  at: Record<string, string>;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    reason: 'This server has another name, no place to show as (null), no LDAP, a time zone and a build of its own.',
    at: {
      '20-session-basics': '14:100',
      '22-not-logged-in': '107:100',
      '23-newu': '119:100',
      '24-guest': '61:100',
      'net-citadel': '12:100',
      'textclient-session': '7:100',
    },
  },
  {
    reason:
      'What comes is text: bytes that are not UTF-8 are taken as ISO 8859-1, so that all a client reads is UTF-8.',
    at: {
      '20-session-basics': '96:200',
      '33-8bit-and-binary': '173:100 188:100 199:100',
    },
  },
  {
    reason: 'No line is cut at 1022 bytes, and none is torn inside a character (Q12, Q50).',
    at: {
      '20-session-basics': '99:200',
      '34-long-lines': '76:100 114:100 126:100 134:100',
    },
  },
  {
    reason: 'Passwords are hashed and compared as they are, in full, case and punctuation included (Q25, Q35, Q36).',
    at: {
      '21-login': '53:540 60:540',
      '23-newu': '68:200 70:541 79:540 87:540',
      '25-room-kinds': '187:200 293:200',
      '26-setr-floors': '156:200',
    },
  },
  {
    reason: 'Who has tried ten names that were none finds no room that is not listed, for a while.',
    at: {
      '25-room-kinds': '248:572',
    },
  },
  {
    reason: 'Who has never logged in has no last call; there it is the time when the account was made.',
    at: { '60-users': '128:100 137:100 144:100 153:100', '66-admin-socket': '134:100' },
  },
  {
    reason: 'Passwords are kept as hashes: there is none to show (Q25).',
    at: {
      '53-contacts': '347:100',
      '60-users': '66:200 93:200 97:200 101:200 105:200 198:200',
      '65-site-options': '55:200 61:200',
      '66-admin-socket': '140:200',
      'net-citadel': '132:200 136:200 140:200',
    },
  },
  {
    reason:
      'Before the log-in, or for guests, the server tells nothing of users and rooms, and everything else is 520, ' +
      'too (Q5, Q28).',
    at: {
      '22-not-logged-in':
        '39:520 87:520 95:520 135:520 141:520 143:520 147:520 160:520 167:520 177:520 204:520 208:520 223:520 273:520',
      '24-guest': '257:520 259:520',
    },
  },
  {
    reason: 'A session that has not entered a room stands in none.',
    at: {
      '22-not-logged-in': '225:100',
    },
  },
  {
    reason: 'OIMG and UIMG do not work on a real server either (Q41).',
    at: {
      '22-not-logged-in': '261:530',
    },
  },
  {
    reason:
      'Personal rooms are made with the account instead of at the first log-in, and deleted rooms are gone at ' +
      'once: other counts of rooms on a floor, and other floors that are empty (Q31).',
    at: {
      '24-guest': '89:100',
      '26-setr-floors': '30:100 42:100 55:100 62:561 65:100 133:100 205:100 210:200',
      'net-citadel': '52:100 60:100 65:100 72:100 79:100 86:100 91:100 106:100 111:200 113:200 115:100 121:561 123:100',
      'textclient-session': '92:100',
    },
  },
  {
    reason: "There is no hidden user for the server's own notices.",
    at: {
      '24-guest': '174:100',
    },
  },
  {
    reason: 'A guest has read nothing: a room with messages is new to him.',
    at: {
      '24-guest': '93:100 99:100 103:100 112:100',
    },
  },
  {
    reason:
      'There are no rooms My Citadel Config and Local System Configuration: accounts and settings are no messages.',
    at: {
      '25-room-kinds': '229:572 307:572 309:200',
      '53-contacts': '361:572 363:100',
    },
  },
  {
    reason: 'No notice is posted to the Aide room when rooms are made or deleted.',
    at: {
      '25-room-kinds': '268:100 303:200',
      '26-setr-floors': '214:200 216:100',
      '28-room-modes': '487:200',
    },
  },
  {
    reason: 'Who has not chosen a view sees the default view of the room, also after it was changed.',
    at: {
      '26-setr-floors': '128:200 172:200 181:200',
    },
  },
  {
    reason: 'Whoever is put out of a room does not read in it any more (Q42).',
    at: {
      '27-invite-kick-forget': '96:550 100:550',
    },
  },
  {
    reason: 'Anonymous messages do not tell their author in any field (Q22).',
    at: {
      '28-room-modes': '166:100 170:100 186:100 197:100 218:100 231:100 264:100 290:100 302:100',
    },
  },
  {
    reason: 'TLS is left to a tunnel in front.',
    at: {
      '31-tls': '22:530 28:500 32:530',
    },
  },
  {
    reason: 'A line 000 of decoded text gets a blank in front, so that it ends no listing (Q1).',
    at: {
      '32-terminator': '134:100 152:100 212:100',
    },
  },
  {
    reason:
      'Long subjects become several encoded words, none above 75 characters (RFC 2047 section 2); author names are ' +
      'encoded as subjects are.',
    at: {
      '33-8bit-and-binary': '118:100 130:100',
      '43-ent0': '133:100',
    },
  },
  {
    reason: 'A bare CR inside a line is kept: what was sent comes back.',
    at: {
      '33-8bit-and-binary': '349:100',
    },
  },
  {
    reason: 'NUL does not cut a body (Q9): it is stored, and the messages behind have the next numbers.',
    at: {
      '33-8bit-and-binary':
        '419:100 425:100 436:600 439:800 448:800 460:100 475:100 488:100 504:600 508:800 519:600 522:100',
    },
  },
  {
    reason: 'Format 1 loses nothing of unbroken lines (Q7).',
    at: {
      '34-long-lines': '95:100',
    },
  },
  {
    reason: 'READ behind the end says why.',
    at: {
      '35-multipart': '266:500',
      '62-files': '133:500 135:500',
    },
  },
  {
    reason:
      'MSG4 names the encoding in which the content comes (Q44), and a type even where the message has none (Q45).',
    at: {
      '35-multipart': '344:100 384:100',
      '39-formats-and-modes': '475:100 532:100',
    },
  },
  {
    reason:
      'MIME parts without header lines, below 3 bytes, or without a closing boundary are shown and counted; RFC ' +
      '2231 names are read, a bar in a name becomes _ (Q18, Q38).',
    at: {
      '35-multipart': '672:100 689:600 692:600 712:100 729:600 928:100 976:100 995:600',
      '39-formats-and-modes': '449:100 494:600 710:100 733:100 745:600',
    },
  },
  {
    reason: 'What cannot be taken apart is named, as other parts are.',
    at: {
      '35-multipart': '746:100',
    },
  },
  {
    reason: 'Content in an unknown transfer encoding is given as it is stored (RFC 2045 section 6.4).',
    at: {
      '35-multipart': '775:100 789:600',
    },
  },
  {
    reason: 'HTML is rendered with other blank lines.',
    at: {
      '35-multipart': '822:100 864:100',
    },
  },
  {
    reason: 'A message above the limit is refused with a negative number, never cut (Q40).',
    at: {
      '36-oversize': '31:800 48:550 61:550 65:800 75:550 89:800 119:550',
    },
  },
  {
    reason: 'Settings without effect here are not taken; those that were never set have their default.',
    at: {
      '37-limits': '16:200 18:500 41:512 56:512',
      '65-site-options': '123:512',
    },
  },
  {
    reason: 'The limit of sessions holds for each way in, so that the administration socket does not use up a place.',
    at: {
      '37-limits': '32:200 33:(op',
    },
  },
  {
    reason: 'Idle sessions are closed after a time that no setting changes.',
    at: {
      '37-limits': '51:(op',
    },
  },
  {
    reason:
      'The index holds a message at once, with its subject and author, short words, and letters of all languages ' +
      '(Q29).',
    at: {
      '41-msgs': '162:100',
      '54-search': '116:100 119:100 145:100 148:100 151:100 166:100 169:100',
    },
  },
  {
    reason: 'A room that the user does not know is not there: another code would tell that it is.',
    at: {
      '42-delete-move': '133:572',
    },
  },
  {
    reason: 'DELE takes all messages of the list that are there (Q16).',
    at: {
      '42-delete-move': '200:200 202:100 210:200',
    },
  },
  {
    reason: 'No mail leaves this server: recipients elsewhere are invalid.',
    at: {
      '43-ent0': '171:570 173:570',
      '65-site-options': '120:570 126:570 140:570 154:570',
    },
  },
  {
    reason: 'MSG2 writes addresses that can be answered (Q24).',
    at: {
      '43-ent0': '227:100',
    },
  },
  {
    reason:
      'The history of wiki pages is kept beside the room, whole, and readable (Q15): no messages for it, message ' +
      'ids without the page, other revisions than the one of the recording.',
    at: {
      '50-wiki':
        '36:100 41:100 54:550 66:100 91:100 98:100 142:100 173:100 184:100 203:575 205:575 209:575 211:550 223:550 ' +
        '239:575 241:550 258:575 260:100',
    },
  },
  {
    reason: 'Subjects of events and tasks are encoded only where they must be (Q39).',
    at: {
      '52-calendar-tasks': '51:100 55:100 71:100 92:100 153:100 312:100 358:100 648:100 652:100',
    },
  },
  {
    reason:
      'Calendars name this server as their maker, keep the text of their properties, and are folded at 75 octets ' +
      '(RFC 5545); the author of put events has an address.',
    at: {
      '52-calendar-tasks': '379:100 474:100 479:100 501:100 690:100',
    },
  },
  {
    reason:
      'Free times, conflicts and answers to invitations would need recurring events worked out: refused rather ' +
      'than wrong.',
    at: {
      '52-calendar-tasks':
        '525:530 530:530 532:530 534:530 540:530 558:530 560:530 585:530 587:530 589:530 591:530 593:530 595:530 ' +
        '597:530 599:200 611:200 613:100',
    },
  },
  {
    reason:
      'Cards are kept as they were sent, not rewritten as version 2.1; where they make no card nothing is added ' +
      '(17.2).',
    at: {
      '53-contacts': '53:100 76:100 97:600 118:600 126:100 175:100 213:800 224:600 247:600',
    },
  },
  {
    reason: 'People without an address are no recipients; names are written as recipients need them.',
    at: {
      '53-contacts': '251:100',
    },
  },
  {
    reason: 'A part of a word is enough to find a recipient, and so is the name of a user of this server.',
    at: {
      '53-contacts': '309:100',
      '54-search': '208:100 219:100',
    },
  },
  {
    reason: 'Who has not told anything has empty lines; there is no password to show (Q25).',
    at: {
      '53-contacts': '318:100',
    },
  },
  {
    reason: 'An address that means another user is not given away.',
    at: {
      '60-users': '115:100 188:100',
    },
  },
  {
    reason:
      'Deleting a user ends his sessions, and he is gone with the last, not with the nightly purge: a gateway ' +
      'keeps its connections open, and he would go on reading.',
    at: {
      '60-users': '214: 217: 220:570',
    },
  },
  {
    reason: 'Instant messages come as they were written.',
    at: {
      '61-instant-messages': '92:100',
    },
  },
  {
    reason: 'A request to log off tells the address of its sender, like other instant messages.',
    at: {
      '61-instant-messages': '188:100',
    },
  },
  {
    reason: 'Upload and download flags count (Q43).',
    at: {
      '62-files': '205:550 207:553 210:553 212:550 214:553',
    },
  },
  {
    reason: 'EMSG works here (Q21): nobody puts files into the folder of the server by hand.',
    at: {
      '63-texts-pictures': '183:571 191:100',
    },
  },
  {
    reason:
      'Settings of services that are not here (mail, LDAP, XMPP, mailing lists, other servers) are not shown or taken.',
    at: {
      '64-administration': '32:512 141:512 148:100 154:100 161:100 226:530 231:100',
    },
  },
  {
    reason: "The numbers of rooms are the server's own affair.",
    at: {
      '64-administration': '213:100',
    },
  },
  {
    reason: 'Inbox rules are kept apart from messages (Q33).',
    at: {
      '64-administration': '252:100',
    },
  },
  {
    reason: 'LSUB does not enter the room (Q5): the session stands in its inbox still. There are no mailing lists.',
    at: {
      '64-administration': '303:560 305:572 307:572',
    },
  },
  {
    reason: 'Export and import are commands of the program.',
    at: {
      '64-administration': '320:530',
    },
  },
  {
    reason: 'The creator of a public room administers it too.',
    at: {
      '65-site-options': '98:200 100:200',
    },
  },
  {
    reason: "Without a log-in there are no contacts of one's own; a password needs a user.",
    at: {
      '66-admin-socket': '124:560 147:520',
    },
  },
];
