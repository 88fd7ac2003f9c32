// The verbs of the embedded room server: who may use each, and the function that runs it (protocol section 18).

import type { Who } from '../session/access.ts';
import { ntfy } from '../session/notices.ts';
import type { Verb } from '../session/session.ts';
import { creu, newu, setp } from './accounts/accounts.ts';
import { appw } from './accounts/app-passwords.ts';
import { skey } from './accounts/key-login.ts';
import { lout, pass, user } from './accounts/login.ts';
import { biff, chek, ebio, getu, gibr, gvdn, gvea, gvsn, isme, pibr, qdir, rbio, setu } from './accounts/profile.ts';
import { gnur, greg, regi } from './accounts/registration.ts';
import { agea, agup, asea, asup, list, qusr, renu, vali } from './accounts/user-admin.ts';
import { ical } from './calendar.ts';
import { rcht } from './chat.ts';
import { memb } from './collection/members.ts';
import { prop } from './collection/properties.ts';
import { auto, dvca } from './completion.ts';
import { conf, emsg, mesg } from './configuration.ts';
import { delf, movf, open, rdir, ucls, uopn, writ } from './directory.ts';
import { gpex, spex, tdap } from './expiry-policies.ts';
import { cflr, eflr, kflr, lflr } from './floors.ts';
import { forg, geta, goto, rinf, stat, view, whok } from './goto.ts';
import { gtsn, seen, slrp } from './marks.ts';
import { invt, kick } from './members.ts';
import { msgs } from './message-lists.ts';
import { dele, move } from './moving.ts';
import { gnet, gtls, lsub, snet, stls } from './networking.ts';
import { asyn, dexp, gexp, reqt, sexp } from './paging.ts';
import { clos, dlat, opna, read } from './parts.ts';
import { dlri, dlui, ulri, ului } from './pictures.ts';
import { ent0 } from './posting.ts';
import { msg0, msg2, msg4, msgp } from './reading.ts';
import { cre8, einf, getr, kill, seta, setr } from './room-admin.ts';
import { lkra, lkrn, lkro, lprm, lrms, lzrm } from './room-lists.ts';
import { coun, rows } from './row-pages.ts';
import { schd } from './scheduling/scheduling.ts';
import { euid, find, hits, srch } from './search.ts';
import { rwho, stel, term } from './sessions.ts';
import { down, echo, halt, iden, info, migr, more, noop, qnop, quit, rbdi, scdn, time } from './system.ts';
import { xfer } from './transfer.ts';
import { wiki } from './wiki.ts';

const TABLE: Record<string, readonly [Who, Verb]> = {
  NOOP: ['any', noop],
  QNOP: ['any', qnop],
  ECHO: ['any', echo],
  TIME: ['any', time],
  MORE: ['any', more],
  IDEN: ['any', iden],
  INFO: ['any', info],
  QUIT: ['any', quit],
  MESG: ['any', mesg],
  EMSG: ['admin', emsg],
  GTLS: ['any', gtls],
  STLS: ['any', stls],
  CONF: ['admin', conf],
  DOWN: ['admin', down],
  SCDN: ['admin', scdn],
  HALT: ['admin', halt],
  RBDI: ['admin', rbdi],
  MIGR: ['admin', migr],
  TDAP: ['admin', tdap],

  USER: ['any', user],
  PASS: ['any', pass],
  SKEY: ['any', skey],
  APPW: ['any', appw],
  LOUT: ['any', lout],
  NEWU: ['any', newu],
  CREU: ['admin', creu],
  SETP: ['user', setp],

  GETU: ['user', getu],
  SETU: ['user', setu],
  CHEK: ['user', chek],
  BIFF: ['any', biff],
  RBIO: ['guest', rbio],
  EBIO: ['user', ebio],
  GVEA: ['user', gvea],
  GVSN: ['user', gvsn],
  ISME: ['user', isme],
  QDIR: ['user', qdir],
  GVDN: ['guest', gvdn],

  AGUP: ['admin', agup],
  ASUP: ['admin', asup],
  VALI: ['admin', vali],
  RENU: ['admin', renu],
  AGEA: ['admin', agea],
  ASEA: ['admin', asea],
  GNUR: ['admin', gnur],
  REGI: ['user', regi],
  GREG: ['user', greg],
  LIST: ['guest', list],
  QUSR: ['guest', qusr],

  COUN: ['guest', coun],
  LKRA: ['guest', lkra],
  LKRN: ['guest', lkrn],
  LKRO: ['guest', lkro],
  LZRM: ['guest', lzrm],
  LRMS: ['guest', lrms],
  LPRM: ['guest', lprm],
  LFLR: ['guest', lflr],
  CFLR: ['admin', cflr],
  EFLR: ['admin', eflr],
  KFLR: ['admin', kflr],

  GOTO: ['guest', goto],
  STAT: ['guest', stat],
  WHOK: ['guest', whok],
  RINF: ['guest', rinf],
  GETA: ['user', geta],
  VIEW: ['user', view],
  FORG: ['user', forg],
  GTSN: ['user', gtsn],
  SLRP: ['user', slrp],
  SEEN: ['user', seen],
  GPEX: ['guest', gpex],
  SPEX: ['any', spex],

  CRE8: ['user', cre8],
  GETR: ['user', getr],
  SETR: ['user', setr],
  SETA: ['user', seta],
  KILL: ['user', kill],
  EINF: ['user', einf],
  GNET: ['user', gnet],
  SNET: ['user', snet],
  LSUB: ['guest', lsub],
  INVT: ['user', invt],
  KICK: ['user', kick],

  MSGS: ['guest', msgs],
  ROWS: ['guest', rows],
  MSG0: ['guest', msg0],
  MSG2: ['guest', msg2],
  MSG4: ['guest', msg4],
  MSGP: ['any', msgp],
  DLAT: ['guest', dlat],
  OPNA: ['guest', opna],
  READ: ['any', read],
  CLOS: ['any', clos],
  // looks for the user itself: a body that comes at once is taken even then
  ENT0: ['any', ent0],
  GIBR: ['user', gibr],
  PIBR: ['user', pibr],
  RDIR: ['user', rdir],
  OPEN: ['user', open],
  UOPN: ['user', uopn],
  WRIT: ['any', writ],
  UCLS: ['any', ucls],
  DELF: ['user', delf],
  MOVF: ['user', movf],

  DELE: ['user', dele],
  MOVE: ['user', move],
  EUID: ['guest', euid],
  SRCH: ['user', srch],
  WIKI: ['guest', wiki],
  MEMB: ['guest', memb],
  PROP: ['guest', prop],
  FIND: ['user', find],
  HITS: ['user', hits],
  AUTO: ['user', auto],
  DVCA: ['user', dvca],
  ICAL: ['any', ical],
  SCHD: ['user', schd],

  ULUI: ['user', ului],
  DLUI: ['guest', dlui],
  ULRI: ['user', ulri],
  DLRI: ['guest', dlri],

  RWHO: ['any', rwho],
  SEXP: ['user', sexp],
  GEXP: ['any', gexp],
  DEXP: ['user', dexp],
  ASYN: ['any', asyn],
  NTFY: ['user', ntfy],
  RCHT: ['user', rcht],
  REQT: ['admin', reqt],
  STEL: ['user', stel],
  TERM: ['any', term],
  XFER: ['admin', xfer],
};

/** by command word, upper case */
export const VERBS: ReadonlyMap<string, { who: Who; run: Verb }> = new Map(
  Object.entries(TABLE).map(([word, [who, run]]) => [word, { who, run }]),
);
