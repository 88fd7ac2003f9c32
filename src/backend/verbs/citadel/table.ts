// The verbs that only Citadel's own clients send, which connect to --line-listen. The gateway, its commands and the web
// client never send them.

import type { Who } from '../../session/access.ts';
import type { Verb } from '../../session/session.ts';
import { asea, gnur, greg, lout, newu, regi, renu, vali } from './accounts.ts';
import { ical } from './calendar.ts';
import { rcht } from './chat.ts';
import { delf, movf, open, rdir, ucls, uopn, writ } from './directory.ts';
import { biff, dvca, getu, gibr, gvdn, gvsn, isme, pibr, qdir, setu } from './profile.ts';
import { clos, msg4, msgp, opna, read } from './reading.ts';
import { gpex, lkrn, lkro, lprm, lrms, spex, tdap } from './rooms.ts';
import {
  down,
  echo,
  emsg,
  gnet,
  gtls,
  halt,
  lsub,
  mesg,
  migr,
  more,
  qnop,
  rbdi,
  reqt,
  scdn,
  snet,
  stel,
  term,
} from './system.ts';

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
