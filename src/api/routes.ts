// The route table of the JSON interface: method, path below the prefix, handler. Nothing else.

import type { Exchange } from '../http/exchange.ts';
import { Router } from '../http/router.ts';
import type { App, Handler } from './app.ts';
import { getMessageJson } from './message-json.ts';
import { deleteMessage, getMessage, getPart } from './messages.ts';
import { copyMessage, moveMessage } from './moving.ts';
import { answerOptions } from './options.ts';
import { getLandingPage, getStatic, getWellKnown, redirectToLanding } from './pages.ts';
import { putMessage } from './posting.ts';
import {
  getFloors,
  getInfoText,
  getMailbox,
  getMessageList,
  getRoom,
  getRooms,
  getStat,
  redirectToSlash,
  setLastReadPointer,
} from './rooms.ts';
import { getServerInfo } from './server-info.ts';
import { biff, logIn, logOut, logOutAndRedirect, whoami } from './session.ts';
import { deleteUpload, getUpload, loadAttachments, postUploads } from './uploads.ts';
import { getPicture, putPicture } from './users.ts';

/** `r/:room/:name` is a message list when the name begins with `msgs.`, else a message. */
function getMember(x: Exchange, app: App): Promise<void> {
  return x.params.name!.startsWith('msgs.') ? getMessageList(x, app) : getMessage(x, app);
}

export function routes(prefix: string): Router<Handler> {
  const router = new Router<Handler>();
  const at = (method: string, path: string, handler: Handler) => router.add(method, `${prefix}${path}`, handler);

  router.add('GET', '/', redirectToLanding);
  router.add('GET', '/.well-known/*path', getWellKnown);
  at('GET', 's/*path', getStatic);

  at('GET', 'a/landing.html', getLandingPage);
  at('POST', 'a/login', logIn);
  at('POST', 'a/logout', logOut);
  at('GET', 'a/logout', logOutAndRedirect);
  at('GET', 'a/whoami', whoami);
  at('GET', 'a/biff', biff);
  at('GET', 'c/info', getServerInfo);

  at('GET', 'f', redirectToSlash);
  at('GET', 'f/', getFloors);
  at('GET', 'r', redirectToSlash);
  at('GET', 'r/', getRooms);
  at('GET', 'r/:room', getRoom);
  at('GET', 'r/:room/', getRoom);
  at('GET', 'r/:room/info.txt', getInfoText);
  at('GET', 'r/:room/stat', getStat);
  at('GET', 'r/:room/mailbox', getMailbox);
  at('GET', 'r/:room/slrp', setLastReadPointer);
  at('GET', 'r/:room/:name', getMember);
  at('PUT', 'r/:room/:name', putMessage);
  at('DELETE', 'r/:room/:name', deleteMessage);
  at('MOVE', 'r/:room/:name', moveMessage);
  at('COPY', 'r/:room/:name', copyMessage);
  at('GET', 'r/:room/:name/json', getMessageJson);
  at('GET', 'r/:room/:name/:part', getPart);
  at('OPTIONS', 'r/', answerOptions);
  at('OPTIONS', 'r/:room', answerOptions);
  at('OPTIONS', 'r/:room/', answerOptions);
  at('OPTIONS', 'r/:room/:name', answerOptions);

  at('POST', 'p', postUploads);
  at('POST', 'p/', postUploads);
  at('GET', 'p/:id', getUpload);
  at('DELETE', 'p/:id', deleteUpload);
  at('GET', 'p/:room/:name', loadAttachments);
  at('GET', 'p/r/:room/:name', loadAttachments);

  at('GET', 'u/:user/userpic', getPicture);
  at('PUT', 'u/:user/userpic', putPicture);
  return router;
}
