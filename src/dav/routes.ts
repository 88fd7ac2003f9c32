// The route table of WebDAV (RFC 4918): its own methods on the root, principals, the home, rooms, messages and
// files. GET, HEAD, PUT and DELETE are the JSON interface's (api/routes.ts), OPTIONS is answered from both tables
// (api/dispatch.ts).

import type { Handler } from '../gateway/app.ts';
import { DEEP_PATHS, inFolders, nothingHere, refuseDeepPath } from '../gateway/folder/deep-path.ts';
import type { Router } from '../http/router.ts';
import { lockResource, unlockResource } from './locks.ts';
import { mkcalendar, mkcolMember, mkcolRoom, refuseInnerCalendar } from './mkcol.ts';
import { copyMessage, moveMessage } from './moving.ts';
import {
  propfindHome,
  propfindMessage,
  propfindPrincipal,
  propfindPrincipals,
  propfindRoom,
  propfindRoot,
} from './propfind.ts';
import { proppatchMessage, proppatchPlace, proppatchRoom } from './proppatch.ts';
import { reportAround, reportMessage, reportRoom, reportRoot } from './report/report.ts';
import { copyRoom, moveRoom } from './room-moving.ts';
import {
  postOutbox,
  propfindInbox,
  propfindInboxMessage,
  propfindOutbox,
  proppatchInbox,
  reportInbox,
} from './scheduling.ts';

const OF_MEMBER: Readonly<Record<string, Handler>> = {
  PROPFIND: propfindMessage,
  PROPPATCH: proppatchMessage,
  REPORT: reportMessage,
  MOVE: moveMessage,
  COPY: copyMessage,
  MKCOL: mkcolMember,
  LOCK: lockResource,
  UNLOCK: unlockResource,
};

/**
 * `/svc/r` and `/svc/r/` are the same collection; a message has no slash after it, a folder to be made may.
 */
export function addDavRoutes(router: Router<Handler>, prefix: string): void {
  const at = (method: string, path: string, handler: Handler) => router.add(method, `${prefix}${path}`, handler);

  // a client starts with the bare host, or with a folder above the rooms
  for (const root of ['/', prefix, prefix.slice(0, -1)]) {
    router.add('PROPFIND', root, propfindRoot);
    router.add('REPORT', root, reportRoot);
  }
  for (const list of ['u', 'u/']) {
    at('PROPFIND', list, propfindPrincipals);
    at('REPORT', list, reportAround);
  }
  for (const user of ['u/:user', 'u/:user/']) {
    at('PROPFIND', user, propfindPrincipal);
    at('REPORT', user, reportAround);
    at('PROPPATCH', user, proppatchPlace);
  }
  for (const box of ['u/:user/inbox', 'u/:user/inbox/']) {
    at('PROPFIND', box, propfindInbox);
    at('REPORT', box, reportInbox);
    at('PROPPATCH', box, proppatchInbox);
  }
  at('PROPFIND', 'u/:user/inbox/:name', propfindInboxMessage);
  for (const box of ['u/:user/outbox', 'u/:user/outbox/']) {
    at('PROPFIND', box, propfindOutbox);
    at('PROPPATCH', box, proppatchPlace);
    at('POST', box, postOutbox);
  }
  for (const list of ['r', 'r/']) {
    at('PROPFIND', list, propfindHome);
    at('REPORT', list, reportAround);
    at('PROPPATCH', list, proppatchPlace);
  }
  for (const room of ['r/:room', 'r/:room/']) {
    at('PROPFIND', room, propfindRoom);
    at('PROPPATCH', room, proppatchRoom);
    at('REPORT', room, reportRoom);
    at('MKCOL', room, mkcolRoom);
    at('MKCALENDAR', room, mkcalendar);
    at('MOVE', room, moveRoom);
    at('COPY', room, copyRoom);
    at('LOCK', room, lockResource);
    at('UNLOCK', room, unlockResource);
  }
  for (const [method, handler] of Object.entries(OF_MEMBER)) at(method, 'r/:room/:name', handler);
  for (const inner of ['r/:room/:name', 'r/:room/:name/']) at('MKCALENDAR', inner, refuseInnerCalendar);

  for (const path of DEEP_PATHS) {
    for (const [method, handler] of Object.entries(OF_MEMBER)) {
      const isMade = method === 'MKCOL' || method === 'LOCK';
      const isFolder = method === 'MKCOL' && path === 'r/:room/:name/';
      at(method, path, inFolders(handler, isFolder ? handler : isMade ? refuseDeepPath : nothingHere));
    }
  }
}
