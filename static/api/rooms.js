// Floors and rooms as the gateway keeps them.

import { START } from './early.js';
import { getBlob, getJson, getText, learnKinds, Problem, request, roomPath, sendJson } from './request.js';

/** @import { Floor, Member, Room, ServerInfo, Start, WhoAmI } from './interface.d.ts' */
/** @import { RoomListEntry as ListedRoom } from './interface.d.ts' */

/**
 * `user` is undefined for nobody; without a name the server tells nothing to strangers.
 * @typedef {{ user?: WhoAmI, isGuestWelcome: boolean, serverName: string } & RoomLists} Beginning
 * `lastEventId`: where an event stream goes on from, as far as the server tells.
 * @typedef {{ floors: Floor[], rooms: ListedRoom[], lastEventId?: string }} RoomLists
 */

/** Who is here and what there is, with counts of what is unread. Throws Problem. @returns {Promise<Beginning>} */
export async function readStart() {
  /** @type {Start} */
  const { user, server, floors, rooms, max_message_bytes, last_event_id } = await getJson(START);
  most = max_message_bytes;
  learnKinds(rooms);
  return {
    user: user.logged_in ? user : undefined,
    isGuestWelcome: Boolean(server.serv_supports_guest),
    serverName: server.serv_humannode ?? '',
    floors,
    rooms,
    lastEventId: last_event_id,
  };
}

/** What the server says of itself. Throws Problem. @param {AbortSignal} [signal] @returns {Promise<ServerInfo>} */
export const readServerInfo = (signal) => getJson('../c/info', signal);

/** Bytes that the encoding of a file adds to each of its own (base64 and its line ends). */
const GROWTH = 1.37;
let most = Number.POSITIVE_INFINITY;

/** Bytes that a file of a message may have, as far as the server has told. */
export const messageLimit = () => Math.floor(most / GROWTH);

/** Throws Problem. @param {string} name @param {AbortSignal} [signal] */
export async function readRoom(name, signal) {
  /** @type {Room} */
  const room = await getJson(roomPath(name, ''), signal);
  learnKinds([room]);
  return room;
}

/** Where programs that speak DAV find it. @param {string} name */
export const roomAddress = (name) => new URL(roomPath(name, ''), location.href).href;

/** '' where there is none. Throws Problem. @param {string} name @param {AbortSignal} [signal] */
export const readBanner = (name, signal) =>
  getText(roomPath(name, '|info.txt'), signal).catch((problem) => {
    if (problem instanceof Problem && problem.status === 404) return '';
    throw problem;
  });

/** Throws Problem. @param {string} name @param {string} text '' for none */
export function writeBanner(name, text) {
  const change = text === '' ? { method: 'DELETE' } : { method: 'PUT', body: `${text}\n` };
  return request(roomPath(name, '|info.txt'), change);
}

/** undefined where there is none. @param {string} name @param {AbortSignal} [signal] */
export const readRoomPicture = (name, signal) => getBlob(roomPath(name, '|roompic'), signal).catch(() => undefined);

/** Throws Problem. @param {string} name @param {Blob} [picture] undefined for none */
export const writeRoomPicture = (name, picture) => request(roomPath(name, '|roompic'), pictureChange(picture));

/** @param {Blob} [picture] */
export const pictureChange = (picture) =>
  picture ? { method: 'PUT', headers: { 'Content-Type': picture.type }, body: picture } : { method: 'DELETE' };

/**
 * Answers its name as the server keeps it. Throws Problem.
 * @param {{ name: string, kind: string, view: number, floor: number, password?: string }} room
 */
export async function makeRoom(room) {
  return roomAt(await sendJson('../r/', 'POST', room));
}

/** Answers the new name as the server keeps it. Throws Problem. @param {string} name @param {string} wanted */
export async function renameRoom(name, wanted) {
  return roomAt(await sendJson(roomPath(name, ''), 'PATCH', { name: wanted }));
}

/** `Location: /svc/r/a%2Fb/` → `'a/b'` @param {Response} answer */
const roomAt = (answer) => decodeURIComponent((answer.headers.get('Location') ?? '').split('/').at(-2) ?? '');

/**
 * Answers what it is like then. Throws Problem.
 * @param {string} name @param {Record<string, string | number | boolean>} change
 */
export async function changeRoom(name, change) {
  await sendJson(roomPath(name, ''), 'PATCH', change);
  return readRoom(name);
}

/** Throws Problem. @param {string} name @param {boolean} isForgotten */
export const setForgotten = (name, isForgotten) => sendJson(roomPath(name, ''), 'PATCH', { is_zapped: isForgotten });

/** Throws Problem. @param {string} name */
export const deleteRoom = (name) => request(roomPath(name, ''), { method: 'DELETE' });

/** Throws Problem. @param {string} room @returns {Promise<Member[]>} */
export const readMembers = (room) => getJson(roomPath(room, '|members'));

/** Throws Problem. @param {string} room @param {string} user */
export const letIn = (room, user) => request(roomPath(room, '|members', user), { method: 'PUT' });

/** Throws Problem. @param {string} room @param {string} user */
export const putOut = (room, user) => request(roomPath(room, '|members', user), { method: 'DELETE' });

/** Throws Problem. @param {string} name */
export const makeFloor = (name) => sendJson('../f/', 'POST', { name });

/** Throws Problem. @param {number} floor @param {string} name */
export const renameFloor = (floor, name) => sendJson(`../f/${floor}`, 'PATCH', { name });

/** Throws Problem. @param {number} floor */
export const deleteFloor = (floor) => request(`../f/${floor}`, { method: 'DELETE' });
