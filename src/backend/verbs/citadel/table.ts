// The verbs that only Citadel's own clients send: the gateway, its commands and the web client never do. They serve
// whoever comes to --line-listen.

import type { Who } from '../../session/access.ts';
import type { Verb } from '../../session/session.ts';
import { asea, lout, newu, renu, vali } from './accounts.ts';
import { ical } from './calendar.ts';
import { rcht } from './chat.ts';
import { delf, movf, open, rdir, ucls, uopn, writ } from './directory.ts';
import { clos, opna, read } from './downloads.ts';
import { gpex, spex, tdap } from './expiry-policies.ts';
import { biff, dvca, getu, gibr, gvdn, gvsn, isme, pibr, qdir, setu } from './profile.ts';
import { msg4, msgp } from './reading.ts';
import { gnur, greg, regi } from './registration.ts';
import { lkrn, lkro, lprm, lrms } from './room-lists.ts';
import { reqt, stel, term } from './sessions.ts';
import { down, echo, gnet, gtls, halt, lsub, migr, more, qnop, rbdi, scdn, snet } from './system.ts';
import { emsg, mesg } from './system-messages.ts';

export const CITADEL_VERBS: Record<string, readonly [Who, Verb]> = {
  QNOP: ['any', qnop],
  ECHO: ['any', echo],
  MORE: ['any', more],
  MESG: ['any', mesg],
  EMSG: ['admin', emsg],
  GTLS: ['any', gtls],
  DOWN: ['admin', down],
  SCDN: ['admin', scdn],
  HALT: ['admin', halt],
  RBDI: ['admin', rbdi],
  MIGR: ['admin', migr],
  TDAP: ['admin', tdap],

  LOUT: ['any', lout],
  NEWU: ['any', newu],

  GETU: ['user', getu],
  SETU: ['user', setu],
  BIFF: ['any', biff],
  GVSN: ['user', gvsn],
  ISME: ['user', isme],
  QDIR: ['user', qdir],
  GVDN: ['guest', gvdn],

  VALI: ['admin', vali],
  RENU: ['admin', renu],
  ASEA: ['admin', asea],
  GNUR: ['admin', gnur],
  REGI: ['user', regi],
  GREG: ['user', greg],

  LKRN: ['guest', lkrn],
  LKRO: ['guest', lkro],
  LRMS: ['guest', lrms],
  LPRM: ['guest', lprm],

  GPEX: ['guest', gpex],
  SPEX: ['any', spex],

  GNET: ['user', gnet],
  SNET: ['user', snet],
  LSUB: ['guest', lsub],

  MSG4: ['guest', msg4],
  MSGP: ['any', msgp],
  OPNA: ['guest', opna],
  READ: ['any', read],
  CLOS: ['any', clos],
  GIBR: ['user', gibr],
  PIBR: ['user', pibr],
  RDIR: ['user', rdir],
  OPEN: ['user', open],
  UOPN: ['user', uopn],
  WRIT: ['any', writ],
  UCLS: ['any', ucls],
  DELF: ['user', delf],
  MOVF: ['user', movf],

  DVCA: ['user', dvca],
  ICAL: ['any', ical],

  RCHT: ['user', rcht],
  REQT: ['admin', reqt],
  STEL: ['user', stel],
  TERM: ['any', term],
};
