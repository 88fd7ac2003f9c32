// GIBR and PIBR: the rules of a user for arriving mail (protocol section 18.12).

import { MAX_INBOX_RULE_BYTES, MAX_INBOX_RULES } from '../../limits/backend.ts';
import { inboxRules, setInboxRules } from '../content/inbox-rules.ts';
import { requireUser } from '../session/access.ts';
import { collectText } from '../session/collect.ts';
import { askText, listing, type Reply } from '../session/reply.ts';
import type { Session } from '../session/session.ts';
import { userById } from '../store/users.ts';

/** → rows `rule|n|BASE64` */
export function gibr(session: Session): Reply {
  const user = requireUser(session);
  const lines = inboxRules(session.store, user).map((line) => `${line}\n`);
  return listing(`inbox rules for ${user.name}`, lines);
}

/** 400, then lines `rule|n|BASE64` that replace the rules; others are dropped */
export function pibr(session: Session): Reply {
  const user = requireUser(session);
  const { store } = session;
  return {
    reply: askText('send new rules'),
    text: collectText(MAX_INBOX_RULES * (MAX_INBOX_RULE_BYTES + 1), (text) => {
      if (text === undefined || userById(store, user.id) !== user) return '';
      store.transaction(() => setInboxRules(store, user, text.split('\n')));
      return '';
    }),
  };
}
