// What clients say to a room server, as sessions that have every verb in them: of guests, of a user, of an
// administrator, and on the administration socket.

/** the first line of what is said on the administration socket; it is not sent */
export const ADMINISTRATION = '@administration\n';

const INVITATION = `BEGIN:VCALENDAR
VERSION:2.0
METHOD:REQUEST
BEGIN:VEVENT
UID:u1
DTSTAMP:20260101T000000Z
DTSTART:20260105T100000Z
ORGANIZER:mailto:ann@vm
ATTENDEE:mailto:boss@vm
END:VEVENT
END:VCALENDAR`;

const OF_GUESTS = `NOOP
QNOP
ECHO a|b
TIME
MORE
IDEN 0|0|1|x|h
INFO
MESG ?
MESG hello
GTLS
LOUT
STLS
`;

const OF_USERS = `CHEK
BIFF
GVEA
GVSN
GVDN
GETU
SETU 80|24|1
EBIO
about me
000
RBIO ann|1
LIST a
ISME ann@vm
QDIR ann@vm
QUSR ann
REGI
Ann
Street
000
GREG _SELF_
AUTO a
DVCA
SKEY new
SKEY login|x
SKEY end
APPW new|feed|x|Lobby
APPW list
APPW end|1
NEWU eve
USER x
PASS x
LKRA -1
LKRN
LKRO
LZRM
LRMS
LPRM
LFLR
COUN
GOTO Lobby
STAT
RINF
GETA
VIEW 1
GTSN
SLRP HIGHEST
SEEN 1|0
MSGS ALL|||9
MSGS GT|0||4
MSGS SEARCH|a
ROWS 0|0|20|1|0|1
EUID x
MSG0 1|1
MSG2 1
MSGP text/html|text/plain
MSG4 1
MSG4 1|1
DLAT 1|1
OPNA 1|1
READ 0|100
CLOS
ENT0 1||0|4|a
Content-type: text/html

<p>x
000
ENT0 1|boss|0|0|b|||||u1|
x
000
ENT0 0|boss@vm||0
SRCH a
FIND 20|a
HITS 0|20||||0|0|0|1|a
WHOK
GPEX room
SPEX room|2|10
LSUB subscribe|Lobby|a@b|x
RWHO
SEXP boss|hi
SEXP boss|-
hi
000
GEXP
DEXP 0
ASYN 1
NTFY 1
STEL 0
TERM 99
RCHT enter
RCHT send
hi
000
RCHT poll|0
RCHT seq
RCHT rwho
RCHT exit
ULUI 4|image/png|
abcd
DLUI ann
DLRI
SETP annpw
FORG
GOTO Mail
MOVE 1|Trash|1
DELE 1
GIBR
PIBR
#
000
`;

/** rooms that one makes: of files, of a wiki, of events */
const OF_ROOMS = `CRE8 1|Files|4|x|0|0|12
GOTO Files
GETR
SETR Files||d|18|0|0|0|12|0
RDIR
UOPN a.txt|text/plain|c
WRIT 5
hello
UCLS 1
OPEN a.txt
READ 0|9
CLOS
MOVF a.txt|Lobby
DELF a.txt
EINF 1
banner
000
ULRI 4|image/png
abcd
MEMB list|||0|||||0
MEMB find|a.txt
MEMB read|a.txt
MEMB contents|1,2
MEMB quota
MEMB tree|a/
MEMB changes|1|0|||0
MEMB removed|1|0|||0
MEMB place|1|Files|1
1|b.txt
2|c/d.txt
000
PROP rooms
PROP all||
PROP of|a.txt
PROP set|
urn:x n|<a/>
urn:x m
000
CRE8 1|Wiki|0||0|0|6
GOTO Wiki
ENT0 1|||4|home|||||home
Content-type: text/x-markdown

a
000
ENT0 1|||4|home|||||home
Content-type: text/x-markdown

b
000
WIKI history|home
WIKI rev|home|x|fetch
CRE8 1|Events|4||0|0|3
GOTO Events
ENT0 1|||4|||||||
Content-type: text/calendar

${INVITATION}
000
SCHD send|u1|1|0
to|mailto:boss@vm
${INVITATION}
000
SCHD tags|0|9
SCHD where|u1
SCHD inbox
SCHD default|
SCHD addresses
SCHD busy|0|2000000000
mailto:boss@vm
000
SCHD drop
ICAL sgi|1
ICAL getics
ICAL test
INVT boss
KICK boss
SETA boss
SNET
listrecp|a@b
000
GNET
KILL 0
KILL 1
`;

const OF_ADMINISTRATORS = `CONF GETVAL|c_maxmsglen
CONF LISTVAL
CONF LOADVAL|x
CONF STOREVAL|x|3
abc
CONF PUTVAL|x|1
CONF GETSYS|x
EMSG note
text
000
CREU eve|evepw
AGUP eve
ASUP eve|x|0|0|0|4|9|0|0
VALI eve|4
RENU eve|ewa
AGEA ewa
ASEA ewa
ewa@x
000
GNUR
GREG ewa
CFLR Cellar|1
EFLR 1|Attic
KFLR 1|1
GPEX site
SPEX site|1|0
TDAP
RBDI
MIGR export
REQT 0
SEXP broadcast|hi
ASUP ewa|||||0
SCDN 0
HALT
DOWN 0
`;

const TRANSFER = `XFER
XFER rooms
XFER room|Lobby
GOTO Lobby
XFER visits
XFER read|1
XFER refer|1
XFER steps
XFER step|room|made|x
XFER brought|x
XFER setvisits
ann|1|0|1:1
000
XFER message
a
000
LKRA
`;

const loggedIn = (user: string, commands: string) => `USER ${user}\nPASS ${user}pw\n${commands}`;

/** As they are sent. */
export const ROOM_SESSIONS: readonly string[] = [
  loggedIn('ann', OF_USERS),
  OF_GUESTS,
  loggedIn('ann', OF_ROOMS),
  loggedIn('boss', OF_ADMINISTRATORS + OF_ROOMS),
  ADMINISTRATION + TRANSFER,
];
