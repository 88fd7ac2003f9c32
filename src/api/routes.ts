// The route table of the JSON interface: method, path below the prefix, handler; and the guard of GETs that change
// something.

import { AppError } from '../errors.ts';
import type { App, Handler } from '../gateway/app.ts';
import {
  DEEP_PATHS,
  inFolders,
  namesFirst,
  namesOnly,
  notHere,
  nothingHere,
  refuseDeepPath,
} from '../gateway/folder/deep-path.ts';
import { isOwnFetch, originHeaders } from '../gateway/origin.ts';
import { inInbox } from '../gateway/scheduling/boxes.ts';
import type { Exchange } from '../http/exchange.ts';
import { Router } from '../http/router.ts';
import { deleteAppPassword, getAppPasswords, postAppPassword, postPassword } from './accounts/passwords.ts';
import { getInstantMessages, getOnline, postInstantMessage } from './accounts/people.ts';
import {
  deletePicture,
  deleteRoomPicture,
  getPicture,
  getRoomPicture,
  putPicture,
  putRoomPicture,
} from './accounts/pictures.ts';
import { deleteBio, deleteUser, getBio, getUser, getUsers, patchUser, postUser, putBio } from './accounts/users.ts';
import { getEvents } from './events.ts';
import { getFeed } from './feed.ts';
import { getMailbox } from './mailbox.ts';
import { patchMailbox, patchMessage, postInvitation } from './message-changes.ts';
import { deleteMessage, getMessage, getPart } from './messages.ts';
import { getHistory, getVersion, getVersionJson } from './page-history.ts';
import {
  getLandingPage,
  getManifest,
  getServerInfo,
  getSource,
  getStatic,
  getWellKnown,
  getWorker,
  redirectToDav,
  redirectToLanding,
} from './pages.ts';
import { putMessage } from './posting.ts';
import { getInnerMessageJson, getMessageJson } from './rendered-message.ts';
import {
  getFloor,
  getMembers,
  patchFloor,
  patchRoom,
  postFloor,
  postRoom,
  putInfoText,
  putMember,
  removeFloor,
  removeInfoText,
  removeMemberOf,
  removeRoom,
} from './room-admin.ts';
import {
  getFloors,
  getInfoText,
  getMessageList,
  getRoom,
  getRooms,
  getStat,
  redirectToSlash,
  setLastReadPointer,
} from './rooms.ts';
import { complete, getHits, getRecipient, search } from './search.ts';
import { biff, logIn, logOut, logOutAndRedirect, whoami } from './session.ts';
import { getNews, getStart } from './start.ts';
import { deleteUpload, getUpload, loadAttachments, postUploads } from './uploads.ts';

/** `r/:room/:name` is a message list if the name begins with `msgs.`, else a message. */
function getMember(exchange: Exchange, app: App): Promise<void> {
  return exchange.params.name!.startsWith('msgs.')
    ? namesFirst(getMessage, getMessageList)(exchange, app)
    : getMessage(exchange, app);
}

/** Resources of a room, by method. `r/:room/|stat` is the form for rooms where a file may have the name. */
const OF_ROOM: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  feed: { GET: getFeed },
  'info.txt': { GET: getInfoText, PUT: putInfoText, DELETE: removeInfoText },
  mailbox: { GET: getMailbox, PATCH: patchMailbox },
  members: { GET: getMembers },
  roompic: { GET: getRoomPicture, PUT: putRoomPicture, DELETE: deleteRoomPicture },
  slrp: { GET: moveLastRead },
  stat: { GET: getStat },
};

/** GET, HEAD, PUT, PATCH and DELETE of `r/:room/:name`, which may be of the room itself. */
const OF_MEMBER: Readonly<Record<string, Handler>> = {
  GET: orOfRoom('GET', getMember),
  PUT: orOfRoom('PUT', putMessage),
  PATCH: orOfRoom('PATCH', patchMessage),
  DELETE: orOfRoom('DELETE', deleteMessage),
};

function orOfRoom(method: string, ofMember: Handler): Handler {
  return (exchange, app) => {
    const { room, name = '' } = exchange.params;
    if (!name.startsWith('|')) return ofMember(exchange, app);
    const own = name.slice(1);
    exchange.route = `${app.prefix}r/:room/${own}`;
    const handler = OF_ROOM[own]?.[method];
    if (handler) return handler(exchange, app);
    if (method !== 'GET' || !own.startsWith('msgs.')) {
      exchange.route = `${app.prefix}r/:room/:name`;
      return ofMember(exchange, app);
    }
    exchange.params = { room: room!, name: own };
    return getMessageList(exchange, app);
  };
}

/** `r/:room/|members/:user`, for a room where `members` may be a folder. */
function orMember(handler: Handler, otherwise: Handler): Handler {
  return (exchange, app) => {
    const { room, name, part } = exchange.params;
    if (name !== '|members' || part === undefined) return otherwise(exchange, app);
    exchange.route = `${app.prefix}r/:room/members/:user`;
    exchange.params = { room: room!, user: part };
    return handler(exchange, app);
  };
}

function moveLastRead(exchange: Exchange, app: App): Promise<void> {
  // `|slrp` would have one
  return exchange.method === 'HEAD' ? notHere() : byOwnFetch(setLastReadPointer)(exchange, app);
}

/** Below messages: in rooms without files, and below numbers in all rooms. */
const BELOW_A_MESSAGE: Readonly<Record<string, Handler>> = {
  'r/:room/:name/invitation': notHere,
  'r/:room/:name/json': getMessageJson,
  'r/:room/:name/history': getHistory,
  'r/:room/:name/history/:version': getVersion,
  'r/:room/:name/history/:version/json': getVersionJson,
  'r/:room/:name/:part/json': getInnerMessageJson,
  'r/:room/:name/:part': getPart,
};

/** Every GET that changes something, except the log-out, which checks by itself. No link or picture may send them. */
const CHANGING_GETS: Readonly<Record<string, Handler>> = {
  'a/im': getInstantMessages,
  'p/:room/:name': loadAttachments,
  'p/r/:room/:name': loadAttachments,
};
/** of these the ones that have a HEAD, which changes nothing */
const WITH_HEAD = new Set(['a/im']);

function byOwnFetch(handler: Handler): Handler {
  return (exchange, app) => {
    exchange.isChanging = true;
    if (isOwnFetch(originHeaders(exchange, app.allowedOrigins))) return handler(exchange, app);
    throw new AppError('forbidden', 'Links cannot do this. Programs can: send the header X-Requested-With.');
  };
}

/** `prefix` begins and ends with a slash. */
export function routes(prefix: string): Router<Handler> {
  const router = new Router<Handler>();
  const at = (method: string, path: string, handler: Handler) => router.add(method, `${prefix}${path}`, handler);

  // people open the address for DAV clients, the prefix, in a browser
  for (const root of ['/', prefix, prefix.slice(0, -1)]) router.add('GET', root, redirectToLanding);
  router.add('GET', '/.well-known/*path', getWellKnown);
  for (const name of ['caldav', 'carddav', 'caldav/', 'carddav/'])
    router.add('*', `/.well-known/${name}`, redirectToDav);
  at('GET', 's/*path', getStatic);
  at('GET', 'src/*path', getSource);
  for (const [path, handler] of Object.entries(CHANGING_GETS)) {
    router.add('GET', `${prefix}${path}`, byOwnFetch(handler), WITH_HEAD.has(path));
  }

  at('GET', 'a/landing.html', getLandingPage);
  at('GET', 'a/worker.js', getWorker);
  at('GET', 'a/manifest.webmanifest', getManifest);
  at('POST', 'a/login', logIn);
  at('POST', 'a/logout', logOut);
  router.add('GET', `${prefix}a/logout`, logOutAndRedirect, false);
  at('GET', 'a/whoami', whoami);
  at('GET', 'a/biff', biff);
  at('GET', 'a/events', getEvents);
  at('GET', 'a/start', getStart);
  at('GET', 'a/news', getNews);
  at('POST', 'a/password', postPassword);
  at('GET', 'a/app-passwords', getAppPasswords);
  at('POST', 'a/app-passwords', postAppPassword);
  at('DELETE', 'a/app-passwords/:id', deleteAppPassword);
  at('GET', 'a/who', getOnline);
  at('POST', 'a/im', postInstantMessage);
  at('GET', 'a/complete', complete);
  at('GET', 'a/recipient', getRecipient);
  at('GET', 'a/search', search);
  at('GET', 'a/hits', getHits);
  at('GET', 'c/info', getServerInfo);

  at('GET', 'f', redirectToSlash);
  at('GET', 'f/', getFloors);
  at('POST', 'f/', postFloor);
  at('GET', 'f/:num', getFloor);
  at('PATCH', 'f/:num', patchFloor);
  at('DELETE', 'f/:num', removeFloor);
  at('GET', 'r', redirectToSlash);
  at('GET', 'r/', getRooms);
  at('POST', 'r/', postRoom);
  for (const room of ['r/:room', 'r/:room/']) {
    at('GET', room, getRoom);
    at('PATCH', room, patchRoom);
    at('DELETE', room, removeRoom);
  }
  for (const [name, handlers] of Object.entries(OF_ROOM)) {
    const path = `r/:room/${name}`;
    for (const [method, handler] of Object.entries(handlers)) {
      const made =
        method === 'PATCH'
          ? handler
          : method === 'GET'
            ? namesFirst(getMessage, handler)
            : namesOnly(OF_MEMBER[method]!, handler);
      router.add(method, prefix + path, made, method === 'GET' && name !== 'slrp');
    }
  }
  at('PUT', 'r/:room/members/:user', inFolders(putMessage, putMember));
  at('DELETE', 'r/:room/members/:user', inFolders(deleteMessage, removeMemberOf));
  for (const [method, ofMember] of Object.entries(OF_MEMBER)) at(method, 'r/:room/:name', ofMember);
  at('POST', 'r/:room/:name/invitation', postInvitation);
  for (const path of DEEP_PATHS) {
    const made = BELOW_A_MESSAGE[path];
    at('GET', path, inFolders(getMessage, made ?? nothingHere));
    at('PUT', path, inFolders(putMessage, orMember(putMember, refuseDeepPath)));
    at('DELETE', path, inFolders(deleteMessage, orMember(removeMemberOf, made ? notHere : nothingHere)));
  }

  at('POST', 'p', postUploads);
  at('POST', 'p/', postUploads);
  at('GET', 'p/:id', getUpload);
  at('DELETE', 'p/:id', deleteUpload);

  at('GET', 'u', redirectToSlash);
  at('GET', 'u/', getUsers);
  at('POST', 'u/', postUser);
  for (const user of ['u/:user', 'u/:user/']) {
    at('GET', user, getUser);
    at('PATCH', user, patchUser);
    at('DELETE', user, deleteUser);
  }
  at('GET', 'u/:user/bio', getBio);
  at('PUT', 'u/:user/bio', putBio);
  at('DELETE', 'u/:user/bio', deleteBio);
  at('GET', 'u/:user/inbox/:name', inInbox(getMessage));
  at('DELETE', 'u/:user/inbox/:name', inInbox(deleteMessage));
  at('GET', 'u/:user/userpic', getPicture);
  at('PUT', 'u/:user/userpic', putPicture);
  at('DELETE', 'u/:user/userpic', deletePicture);
  return router;
}
