// The verbs of the embedded room server: who may use each, and the function that runs it (protocol section 18). Those
// here are sent by the gateway and the commands; those in citadel/ only by Citadel's own clients.

import type { Who } from '../session/access.ts';
import { ok } from '../session/reply.ts';
import type { Verb } from '../session/session.ts';
import { Refusal } from '../store/refusal.ts';
import * as accounts from './accounts.ts';
import * as citadelAccounts from './citadel/accounts.ts';
import { ical } from './citadel/calendar.ts';
import * as directory from './citadel/directory.ts';
import * as citadelReading from './citadel/reading.ts';
import * as citadelRooms from './citadel/rooms.ts';
import * as citadelSystem from './citadel/system.ts';
import { memb } from './collection/members.ts';
import { prop } from './collection/properties.ts';
import * as goto from './goto.ts';
import * as login from './login.ts';
import * as lists from './message-lists.ts';
import { dele, move } from './moving.ts';
import * as pictures from './pictures.ts';
import { ent0 } from './posting.ts';
import * as reading from './reading.ts';
import * as roomAdmin from './room-admin.ts';
import * as roomLists from './room-lists.ts';
import { schd } from './scheduling.ts';
import * as search from './search.ts';
import * as system from './system.ts';
import { xfer } from './transfer.ts';

const OWN_VERBS: Record<string, readonly [Who, Verb]> = {
  NOOP: ['any', system.noop],
  TIME: ['any', system.time],
  IDEN: ['any', system.iden],
  INFO: ['any', system.info],
  QUIT: ['any', system.quit],
  STLS: ['any', system.stls],
  CONF: ['admin', system.conf],

  USER: ['any', login.user],
  PASS: ['any', login.pass],
  SKEY: ['any', login.skey],
  APPW: ['any', login.appw],
  CREU: ['admin', accounts.creu],
  SETP: ['user', accounts.setp],

  CHEK: ['user', accounts.chek],
  RBIO: ['guest', accounts.rbio],
  EBIO: ['user', accounts.ebio],
  GVEA: ['user', accounts.gvea],

  AGUP: ['admin', accounts.agup],
  ASUP: ['admin', accounts.asup],
  AGEA: ['admin', accounts.agea],
  LIST: ['guest', accounts.list],
  QUSR: ['guest', accounts.qusr],

  COUN: ['guest', lists.coun],
  LKRA: ['guest', roomLists.lkra],
  LZRM: ['guest', roomLists.lzrm],
  LFLR: ['guest', roomLists.lflr],
  CFLR: ['admin', roomLists.cflr],
  EFLR: ['admin', roomLists.eflr],
  KFLR: ['admin', roomLists.kflr],

  GOTO: ['guest', goto.goto],
  STAT: ['guest', goto.stat],
  WHOK: ['guest', goto.whok],
  RINF: ['guest', goto.rinf],
  GETA: ['user', goto.geta],
  VIEW: ['user', goto.view],
  FORG: ['user', goto.forg],
  GTSN: ['user', goto.gtsn],
  SLRP: ['user', goto.slrp],
  SEEN: ['user', goto.seen],

  CRE8: ['user', roomAdmin.cre8],
  GETR: ['user', roomAdmin.getr],
  SETR: ['user', roomAdmin.setr],
  SETA: ['user', roomAdmin.seta],
  KILL: ['user', roomAdmin.kill],
  EINF: ['user', roomAdmin.einf],
  INVT: ['user', roomAdmin.invt],
  KICK: ['user', roomAdmin.kick],

  MSGS: ['guest', lists.msgs],
  ROWS: ['guest', lists.rows],
  MSG0: ['guest', reading.msg0],
  MSG2: ['guest', reading.msg2],
  DLAT: ['guest', reading.dlat],
  // checks for a user itself: a body sent along is consumed in any case
  ENT0: ['any', ent0],

  DELE: ['user', dele],
  MOVE: ['user', move],
  EUID: ['guest', search.euid],
  SRCH: ['user', search.srch],
  WIKI: ['guest', reading.wiki],
  MEMB: ['guest', memb],
  PROP: ['guest', prop],
  FIND: ['user', search.find],
  HITS: ['user', search.hits],
  AUTO: ['user', search.auto],
  SCHD: ['user', schd],

  ULUI: ['user', pictures.ului],
  DLUI: ['guest', pictures.dlui],
  ULRI: ['user', pictures.ulri],
  DLRI: ['guest', pictures.dlri],

  RWHO: ['any', system.rwho],
  SEXP: ['user', system.sexp],
  GEXP: ['any', system.gexp],
  DEXP: ['user', system.dexp],
  ASYN: ['any', system.asyn],
  NTFY: ['user', system.ntfy],
  XFER: ['admin', xfer],
};

const CITADEL_VERBS: Record<string, readonly [Who, Verb]> = {
  QNOP: ['any', () => ''], // the one verb without a reply
  ECHO: ['any', (_, args) => ok(args)],
  MORE: ['any', () => ok('<more>')],
  MESG: ['any', citadelSystem.mesg],
  EMSG: ['admin', citadelSystem.emsg],
  GTLS: ['any', citadelSystem.gtls],
  DOWN: ['admin', citadelSystem.down],
  SCDN: ['admin', citadelSystem.scdn],
  HALT: ['admin', unsupported('This server only ends: DOWN.')],
  RBDI: ['admin', () => ok('Directory index has been rebuilt.')], // it is computed on demand
  MIGR: ['admin', unsupported('Not here: see the commands backup and copy of the program.')],
  TDAP: ['admin', citadelRooms.tdap],

  LOUT: ['any', citadelAccounts.lout],
  NEWU: ['any', citadelAccounts.newu],

  GETU: ['user', citadelAccounts.getu],
  SETU: ['user', citadelAccounts.setu],
  BIFF: ['any', citadelAccounts.biff],
  GVSN: ['user', citadelAccounts.gvsn],
  ISME: ['user', citadelAccounts.isme],
  QDIR: ['user', citadelAccounts.qdir],
  GVDN: ['guest', citadelAccounts.gvdn],

  VALI: ['admin', citadelAccounts.vali],
  RENU: ['admin', citadelAccounts.renu],
  ASEA: ['admin', citadelAccounts.asea],
  GNUR: ['admin', citadelAccounts.gnur],
  REGI: ['user', citadelAccounts.regi],
  GREG: ['user', citadelAccounts.greg],

  LKRN: ['guest', citadelRooms.lkrn],
  LKRO: ['guest', citadelRooms.lkro],
  LRMS: ['guest', citadelRooms.lrms],
  LPRM: ['guest', citadelRooms.lprm],

  GPEX: ['guest', citadelRooms.gpex],
  SPEX: ['any', citadelRooms.spex],

  GNET: ['user', citadelSystem.gnet],
  SNET: ['user', citadelSystem.snet],
  LSUB: ['guest', citadelSystem.lsub],

  MSG4: ['guest', citadelReading.msg4],
  MSGP: ['any', citadelReading.msgp],
  OPNA: ['guest', citadelReading.opna],
  READ: ['any', citadelReading.read],
  CLOS: ['any', citadelReading.clos],
  GIBR: ['user', citadelAccounts.gibr],
  PIBR: ['user', citadelAccounts.pibr],
  RDIR: ['user', directory.rdir],
  OPEN: ['user', directory.open],
  UOPN: ['user', directory.uopn],
  WRIT: ['any', directory.writ],
  UCLS: ['any', directory.ucls],
  DELF: ['user', directory.delf],
  MOVF: ['user', directory.movf],

  DVCA: ['user', citadelAccounts.dvca],
  ICAL: ['any', ical],

  RCHT: ['user', citadelSystem.rcht],
  REQT: ['admin', citadelSystem.reqt],
  STEL: ['user', citadelSystem.stel],
  TERM: ['any', citadelSystem.term],
};

function unsupported(text: string): Verb {
  return () => {
    throw new Refusal('unsupported', text);
  };
}

/** by command word, upper case */
export const VERBS: ReadonlyMap<string, { who: Who; run: Verb }> = new Map(
  Object.entries({ ...OWN_VERBS, ...CITADEL_VERBS }).map(([word, [who, run]]) => [word, { who, run }]),
);
