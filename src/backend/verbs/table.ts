// The verbs of the embedded room server: who may use each, and the function that runs it (protocol section 18). Those
// here are sent by the gateway and the commands; those in citadel/ only by Citadel's own clients.

import type { Who } from '../session/access.ts';
import { ntfy } from '../session/notices.ts';
import type { Verb } from '../session/session.ts';
import { appw } from './accounts/app-passwords.ts';
import { pass, skey, user } from './accounts/login.ts';
import { agea, agup, asup, chek, creu, ebio, gvea, list, qusr, rbio, setp } from './accounts/user-admin.ts';
import { CITADEL_VERBS } from './citadel/table.ts';
import { memb } from './collection/members.ts';
import { prop } from './collection/properties.ts';
import { auto } from './completion.ts';
import { conf } from './configuration.ts';
import { forg, geta, goto, gtsn, rinf, seen, slrp, stat, view, whok } from './goto.ts';
import { msgs } from './message-lists.ts';
import { dele, move } from './moving.ts';
import { dlri, dlui, ulri, ului } from './pictures.ts';
import { ent0 } from './posting.ts';
import { dlat, msg0, msg2 } from './reading.ts';
import { cre8, einf, getr, invt, kick, kill, seta, setr } from './room-admin.ts';
import { cflr, eflr, kflr, lflr, lkra, lzrm } from './room-lists.ts';
import { coun, rows } from './row-pages.ts';
import { schd } from './scheduling.ts';
import { euid, find, hits, srch } from './search.ts';
import { asyn, dexp, gexp, rwho, sexp } from './sessions.ts';
import { iden, info, noop, quit, stls, time } from './system.ts';
import { xfer } from './transfer.ts';
import { wiki } from './wiki.ts';

const OWN_VERBS: Record<string, readonly [Who, Verb]> = {
  NOOP: ['any', noop],
  TIME: ['any', time],
  IDEN: ['any', iden],
  INFO: ['any', info],
  QUIT: ['any', quit],
  STLS: ['any', stls],
  CONF: ['admin', conf],

  USER: ['any', user],
  PASS: ['any', pass],
  SKEY: ['any', skey],
  APPW: ['any', appw],
  CREU: ['admin', creu],
  SETP: ['user', setp],

  CHEK: ['user', chek],
  RBIO: ['guest', rbio],
  EBIO: ['user', ebio],
  GVEA: ['user', gvea],

  AGUP: ['admin', agup],
  ASUP: ['admin', asup],
  AGEA: ['admin', agea],
  LIST: ['guest', list],
  QUSR: ['guest', qusr],

  COUN: ['guest', coun],
  LKRA: ['guest', lkra],
  LZRM: ['guest', lzrm],
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

  CRE8: ['user', cre8],
  GETR: ['user', getr],
  SETR: ['user', setr],
  SETA: ['user', seta],
  KILL: ['user', kill],
  EINF: ['user', einf],
  INVT: ['user', invt],
  KICK: ['user', kick],

  MSGS: ['guest', msgs],
  ROWS: ['guest', rows],
  MSG0: ['guest', msg0],
  MSG2: ['guest', msg2],
  DLAT: ['guest', dlat],
  // checks for a user itself: a body sent along is consumed in any case
  ENT0: ['any', ent0],

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
  XFER: ['admin', xfer],
};

/** by command word, upper case */
export const VERBS: ReadonlyMap<string, { who: Who; run: Verb }> = new Map(
  Object.entries({ ...OWN_VERBS, ...CITADEL_VERBS }).map(([word, [who, run]]) => [word, { who, run }]),
);
